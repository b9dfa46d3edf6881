import { termsOf } from './terms.ts';
import { partsOf, wordsOf } from './words.ts';

/** What a search is for. */
export interface Query {
  readonly text: string;
  /** The terms to look for in the index, each once: a chunk needs one of them, and is better with more. */
  readonly terms: readonly string[];
  /** Identifiers that the query names, as they are written. */
  readonly symbols: readonly string[];
  /** The query is an identifier and nothing else. */
  readonly isSymbol: boolean;
}

/** Reads a query: an identifier, a question in natural language, or both. */
export function readQuery(text: string): Query {
  const words = wordsOf(text);
  const isSymbol = words.length === 1;
  const symbols = isSymbol ? words : words.filter((word) => partsOf(word).length > 1);
  return { text, terms: [...new Set(termsOf(text))], symbols: [...new Set(symbols)], isSymbol };
}
