/** Runs of letters, digits, `_` and `$`. */
const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;

/** A part of an identifier: an acronym before a capitalised part, a capitalised part, a run of letters or of digits. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+|\p{Lu}/gu;

/** Returns the words of a text in its order: identifiers whole, as they are written. */
export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Returns the parts of an identifier as they are written: `readHTTPBody2` has read, HTTP, Body and 2. */
export function partsOf(word: string): string[] {
  return word.match(PART) ?? [];
}
