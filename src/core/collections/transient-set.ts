/**
 * A set of objects that live as briefly as a call; see `TransientMap` for what is wrong with a `Set`. It is an array:
 * adding and deleting look through it.
 */
export class TransientSet<T extends object> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    if (!this.#items.includes(item)) this.#items.push(item);
  }

  /** Returns whether the object was in the set. */
  delete(item: T): boolean {
    const items = this.#items;
    const index = items.lastIndexOf(item);
    if (index === -1) return false;
    const last = items.pop()!;
    if (index < items.length) items[index] = last;
    return true;
  }

  /** The objects now, in no particular order. */
  values(): readonly T[] {
    return [...this.#items];
  }

  /** Returns whether one of the objects meets the condition. */
  some(condition: (item: T) => boolean): boolean {
    return this.#items.some(condition);
  }

  every(condition: (item: T) => boolean): boolean {
    return this.#items.every(condition);
  }
}
