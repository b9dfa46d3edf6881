// BM25 in memory, as the databases have it: the candidates that ranking starts from.
const K1 = 1.2;
const B = 0.75;

export interface Scored {
  readonly at: number;
  readonly score: number;
}

export class Bm25 {
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #lengths: readonly number[];
  readonly #meanLength: number;

  constructor(documents: readonly (readonly string[])[]) {
    this.#lengths = documents.map(({ length }) => length);
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
    for (const [at, terms] of documents.entries()) for (const term of terms) this.#add(term, at);
  }

  #add(term: string, at: number): void {
    const postings = this.#postings.get(term) ?? new Map<number, number>();
    this.#postings.set(term, postings);
    postings.set(at, (postings.get(at) ?? 0) + 1);
  }

  /** The best documents for the terms, best first. */
  search(terms: readonly string[], limit: number): Scored[] {
    const scores = new Map<number, number>();
    for (const term of terms) this.#score(term, scores);
    const found = [...scores].map(([at, score]) => ({ at, score }));
    return found.sort((a, b) => b.score - a.score || a.at - b.at).slice(0, limit);
  }

  #score(term: string, scores: Map<number, number>): void {
    const postings = this.#postings.get(term);
    if (postings === undefined) return;
    const idf = Math.log(1 + (this.#lengths.length - postings.size + 0.5) / (postings.size + 0.5));
    for (const [at, count] of postings) {
      const norm = K1 * (1 - B + (B * this.#lengths[at]!) / this.#meanLength);
      scores.set(at, (scores.get(at) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
    }
  }
}
