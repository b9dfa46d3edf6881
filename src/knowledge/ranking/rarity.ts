/** Says how telling a term is: 1 where one file has it, near 0 where all have it. */
export class Rarity {
  readonly #files: number;
  readonly #counts = new Map<string, number>();

  constructor(files: number) {
    this.#files = files;
  }

  /** Counts the terms of one file. */
  add(terms: Iterable<string>): void {
    for (const term of new Set(terms)) this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1);
  }

  of(term: string): number {
    return this.#log(this.#counts.get(term) ?? 0) / this.#log(1);
  }

  /** Returns the share of the terms that fit, by rarity; and how many rare ones they come to. */
  share(terms: readonly string[], fit: (term: string) => number): { readonly share: number; readonly sum: number } {
    let sum = 0;
    let all = 0;
    for (const term of terms) {
      const rarity = this.of(term);
      sum += rarity * fit(term);
      all += rarity;
    }
    return { share: all === 0 ? 0 : sum / all, sum };
  }

  #log(count: number): number {
    return Math.log(1 + (this.#files + 0.5) / (count + 0.5));
  }
}
