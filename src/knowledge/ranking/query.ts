import { isStopWord } from './stop-words.ts';
import { compound, MAX_WORD, termsOfWord } from './terms.ts';
import { partsOf, wordsOf } from './words.ts';

/** A search query, analysed. */
export interface Query {
  readonly text: string;
  /** The terms to look for in the index, each once: a chunk needs one of them, and is better with more. */
  readonly terms: readonly string[];
  /** Identifiers that the query names, in the form of `compound`. */
  readonly symbols: readonly string[];
  /** The query is an identifier and nothing else. */
  readonly isSymbol: boolean;
}

/** The number of words that are looked up, each by itself: a question that is a whole page is known by its beginning. */
const MOST_WORDS = 200;

/** Reads a query: an identifier, a question in natural language, or both. */
export function readQuery(text: string): Query {
  const all = wordsOf(text).filter((word) => word.length <= MAX_WORD);
  const telling = all.filter((word) => !isStopWord(word));
  const words = [...new Set(telling.length > 0 ? telling : all)].slice(0, MOST_WORDS);
  const isSymbol = words.length === 1 && all.length === 1;
  const symbols = isSymbol ? words : words.filter((word) => partsOf(word).length > 1);
  return {
    text,
    terms: [...new Set(words.flatMap(termsOfWord))],
    symbols: [...new Set(symbols.map(compound))],
    isSymbol,
  };
}
