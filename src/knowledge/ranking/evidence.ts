import type { Candidate } from './candidate.ts';
import { type PathWords, pathWords } from './path-words.ts';
import type { Query } from './query.ts';
import { Rarity } from './rarity.ts';
import { compound, partTerms } from './terms.ts';
import { FULL_NAME } from './weights.ts';

/** Shorter beginnings of words say nothing. */
const MIN_PREFIX = 3;

/** The candidates of one file. */
export interface FileCandidates<C extends Candidate> {
  readonly path: string;
  readonly words: PathWords;
  readonly candidates: readonly C[];
  /** The terms of the query that its texts or its name have. */
  readonly terms: ReadonlySet<string>;
  /** Sum of the `base` of its candidates. */
  readonly mass: number;
}

/** Returns the candidates by their files. */
export function byFile<C extends Candidate>(query: Query, candidates: readonly C[]): FileCandidates<C>[] {
  const files = new Map<string, C[]>();
  for (const candidate of candidates) {
    const others = files.get(candidate.path);
    if (others === undefined) files.set(candidate.path, [candidate]);
    else others.push(candidate);
  }
  return [...files].map(([path, ofFile]) => fileCandidates(query, path, ofFile));
}

function fileCandidates<C extends Candidate>(query: Query, path: string, candidates: readonly C[]): FileCandidates<C> {
  const words = pathWords(path);
  const terms = new Set(words.name);
  let mass = 0;
  for (const { base } of candidates) mass += base;
  for (const candidate of bestFirst(candidates)) {
    // Unpacking a text takes longer than all else that is done with it.
    if (query.terms.every((term) => terms.has(term))) break;
    addTerms(query, candidate.text.toLowerCase(), terms);
  }
  return { path, words, candidates, terms, mass };
}

/** Sorts the best candidates first: they are likely to have most terms. */
function bestFirst<C extends Candidate>(candidates: readonly C[]): readonly C[] {
  return candidates.length === 1 ? candidates : candidates.toSorted((one, other) => other.base - one.base);
}

/** A stem is found as part of a text: that costs a fraction of reading its words. */
function addTerms(query: Query, text: string, terms: Set<string>): void {
  for (const term of query.terms) if (!terms.has(term) && text.includes(term)) terms.add(term);
}

/** Compares names with the words of a query. Terms that the names of many files have say little. */
export class Evidence {
  readonly #query: Query;
  readonly #inNames: Rarity;
  readonly #inTexts: Rarity;

  constructor(query: Query, files: readonly FileCandidates<Candidate>[]) {
    this.#query = query;
    this.#inNames = new Rarity(files.length);
    this.#inTexts = new Rarity(files.length);
    for (const { words, terms } of files) {
      this.#inNames.add([...words.name, ...words.folders.flat()]);
      this.#inTexts.add(terms);
    }
  }

  /** Returns the share of the file's name that is made of the query's words, 0 to 1. */
  name({ name, whole }: PathWords): number {
    if (this.#query.isSymbol && this.#query.symbols.includes(whole)) return 1;
    const { share, sum } = this.#share(name);
    return this.#query.isSymbol ? share : share * Math.min(1, sum / FULL_NAME);
  }

  folder({ folders }: PathWords): number {
    return Math.max(0, ...folders.map((folder) => this.#share(folder).share));
  }

  /** Returns the best share of a defined name that is made of the query's words, 0 to 1. */
  definition(defines: readonly string[]): number {
    let best = 0;
    for (const name of defines) {
      const { share, sum } = this.#share(partTerms(name));
      best = Math.max(best, share * Math.min(1, sum / FULL_NAME));
    }
    return best;
  }

  /** 1 when a chunk defines what the query asks for and nothing else, half of it when it is one word of several. */
  symbol({ defines, kind }: Candidate): number {
    const { symbols, isSymbol } = this.#query;
    if (symbols.length === 0 || !defines.some((name) => symbols.includes(compound(name)))) return 0;
    return (isSymbol ? 1 : 0.5) * (kind === 'class' ? 1 : kind === 'block' ? 0.6 : 0.8);
  }

  /** Returns the share of the query's terms that are found, by rarity, 0 to 1. */
  coverage(terms: ReadonlySet<string>): number {
    return this.#inTexts.share(this.#query.terms, (term) => (terms.has(term) ? 1 : 0)).share;
  }

  #share(terms: readonly string[]): { readonly share: number; readonly sum: number } {
    return this.#inNames.share(terms, (term) => this.#fit(term));
  }

  /** 1 for a word of the query, less for the beginning of one, or what begins with one. */
  #fit(part: string): number {
    let best = 0;
    for (const term of this.#query.terms) {
      const [short, long] = term.length < part.length ? [term, part] : [part, term];
      if (short.length >= Math.min(MIN_PREFIX, long.length) && long.startsWith(short))
        best = Math.max(best, short.length / long.length);
    }
    return best;
  }
}
