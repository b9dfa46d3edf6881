/** Holds a value until its entry is deleted. */
interface Box<V> {
  value: V | undefined;
}

/**
 * A map for entries that live as briefly as a call. A built-in `Map` makes a new table after some insertions, and V8
 * keeps each table reachable from the one before it. Once one of them has become old, the entries of all later tables
 * survive every collection of young objects, although they were deleted long ago: with them, the whole graph of each
 * call. The tables of this map hold small boxes only, which are emptied when their entry is deleted.
 */
export class TransientMap<K, V extends object> {
  readonly #boxes = new Map<K, Box<V>>();

  get size(): number {
    return this.#boxes.size;
  }

  has(key: K): boolean {
    return this.#boxes.has(key);
  }

  get(key: K): V | undefined {
    return this.#boxes.get(key)?.value;
  }

  set(key: K, value: V): void {
    const box = this.#boxes.get(key);
    if (box === undefined) this.#boxes.set(key, { value });
    else box.value = value;
  }

  /** Deletes an entry. Returns its value; `undefined` if there is none. */
  take(key: K): V | undefined {
    const box = this.#boxes.get(key);
    if (box === undefined) return undefined;
    const { value } = box;
    box.value = undefined;
    this.#boxes.delete(key);
    return value;
  }

  clear(): void {
    for (const box of this.#boxes.values()) box.value = undefined;
    this.#boxes.clear();
  }

  /** Returns the values in the order of their insertion. Entries may be deleted meanwhile. */
  *values(): Generator<V, void> {
    for (const { value } of this.#boxes.values()) if (value !== undefined) yield value;
  }

  /** Returns keys and values in the order of their insertion. Entries may be deleted meanwhile. */
  *entries(): Generator<[K, V], void> {
    for (const [key, { value }] of this.#boxes) if (value !== undefined) yield [key, value];
  }
}
