interface Named {
  readonly name: string;
}

/** The first entries by name of a folder of any size. Keeps no more than twice as many as are wanted. */
export class FirstNames<T extends Named> {
  readonly #count: number;
  readonly #after: string | undefined;
  readonly #kept: T[] = [];
  /** No entry behind this name is among the first. */
  #last: string | undefined;

  /** @param wanted the number of entries, and the name that is before all of them */
  constructor({ count, after }: { readonly count: number; readonly after?: string | undefined }) {
    this.#count = count;
    this.#after = after;
  }

  add(entry: T): void {
    const { name } = entry;
    if (this.#after !== undefined && name <= this.#after) return;
    if (this.#last !== undefined && name > this.#last) return;
    if (this.#kept.push(entry) >= this.#count * 2) this.#cut();
  }

  inOrder(): readonly T[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#kept.splice(this.#count);
    if (this.#kept.length === this.#count) this.#last = this.#kept.at(-1)?.name;
  }
}
