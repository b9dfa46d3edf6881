import { stem } from './stem.ts';
import { partsOf, wordsOf } from './words.ts';

/** The longest word that is indexed: longer ones are data, such as keys or encoded bytes. */
export const MAX_WORD = 80;

/** Source text has the same identifiers again and again. */
const KEPT_WORDS = 50_000;
const known = new Map<string, WordTerms>();

interface WordTerms {
  /** The stems of its parts. */
  readonly parts: readonly string[];
  /** The same, and all of it where there are several. */
  readonly all: readonly string[];
}

/**
 * Returns the terms of a text, in its order and as often as they occur: the stems of the parts of each identifier, and, where
 * there are several parts, all of it. They are in lower case and without white space. Index and queries use the same.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text)) if (word.length <= MAX_WORD) for (const term of termsOfWord(word)) terms.push(term);
  return terms;
}

/** Returns the terms of one identifier: `readBody` has `read`, `body` and `readbody`. */
export const termsOfWord = (word: string): readonly string[] => wordTerms(word).all;

/** Returns the stems of the parts of an identifier, without all of it. */
export const partTerms = (word: string): readonly string[] => wordTerms(word).parts;

function wordTerms(word: string): WordTerms {
  const found = known.get(word);
  if (found !== undefined) return found;
  const parts = partsOf(word).map((part) => stem(part.toLowerCase()));
  const terms = { parts, all: parts.length > 1 ? [...parts, compound(word)] : parts };
  if (known.size >= KEPT_WORDS) known.clear();
  known.set(word, terms);
  return terms;
}

/** Returns an identifier in the form in which all its spellings are one: `readBody`, `read_body` and `READ_BODY`. */
export const compound = (word: string): string => word.replaceAll(/[_$]/g, '').toLowerCase();
