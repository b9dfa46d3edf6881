const VOWEL = /[aeiouy]/;

/** Endings and what takes their place; the first that fits. What is left must have a vowel and this many letters. */
const ENDINGS: readonly (readonly [ending: string, instead: string, atLeast: number])[] = [
  ['ies', 'y', 2],
  ['sses', 'ss', 2],
  ['ss', 'ss', 1],
  ['us', 'us', 1],
  ['is', 'is', 1],
  ['s', '', 3],
];

/** Forms of verbs: `routing`, `routed`. */
const VERB_ENDINGS = ['ing', 'ed'];

/** Returns a word, in lower case, without the endings of English plurals and verbs. Words of other languages mostly stay. */
export function stem(word: string): string {
  if (word.length < 4) return word;
  return withoutE(withoutVerbEnding(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  for (const [ending, instead, atLeast] of ENDINGS) {
    const length = word.length - ending.length;
    if (length >= atLeast && word.endsWith(ending)) return word.slice(0, length) + instead;
  }
  return word;
}

function withoutVerbEnding(word: string): string {
  for (const ending of VERB_ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    if (rest.length < 3 || !VOWEL.test(rest)) return word;
    return withoutDoubled(rest);
  }
  return word;
}

/** `mapp` of `mapping` is `map`; but `call` of `calling` is `call`. */
function withoutDoubled(word: string): string {
  const last = word.at(-1)!;
  return last === word.at(-2) && !'lsz'.includes(last) ? word.slice(0, -1) : word;
}

/** Removes a final `e`, so that `route` and `routing` have the same stem. */
function withoutE(word: string): string {
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word;
}
