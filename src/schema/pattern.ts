import { endOfMatch } from '../core/text/sticky.ts';

/** `\A`, `\Z`, `\h` …: letters that other languages give a meaning and ECMAScript takes literally. */
const KNOWN_LETTER_ESCAPES = new Set('bBcdDfknrsStuvwWx');

/**
 * Returns the ways in which a `pattern` may be read: as Unicode (what JSON Schema recommends), and as ECMAScript has always
 * read it. Empty when it is no pattern of ours: it does not compile, or was clearly written for another language.
 */
export function patternReadings(pattern: string): readonly RegExp[] {
  const unicode = compile(pattern, 'u');
  const classic = compile(pattern, '');
  if (classic === undefined) return []; // most servers read it this way, so they cannot use it
  if (unicode !== undefined) return [unicode, classic];
  return isForeign(pattern) ? [] : [classic];
}

/** Returns true if a text is an ECMAScript regular expression, with or without the flag `u`. */
export function isPattern(pattern: string): boolean {
  return compile(pattern, 'u') !== undefined || compile(pattern, '') !== undefined;
}

/** Returns true if the readings can differ only for texts with characters beyond U+FFFF. */
export function isPortablePattern(pattern: string): boolean {
  return compile(pattern, 'u') !== undefined && !/\\[pPu]/.test(pattern);
}

/** One character, a class or an escape. No groups, no alternatives, no looking around. */
const ATOM = /\[\^?(?:\\.|[^\]\\])+\]|\\[^1-9kpPuxc]|[^\\[\](){}|*+?^$]/y;
const FIXED_COUNT = /\{\d{1,3}\}/y;
const VARIABLE_COUNT = /[*+?]|\{\d{1,3},\d{0,3}\}/y;
const MAX_TAME_LENGTH = 120;

/** Returns true if matching takes at most quadratic time in the length of the text. */
export function isTamePattern(pattern: string): boolean {
  if (pattern.length > MAX_TAME_LENGTH) return false;
  const isAnchored = pattern.startsWith('^');
  const end = pattern.endsWith('$') ? pattern.length - 1 : pattern.length;
  let variable = 0;
  for (let at = isAnchored ? 1 : 0; at < end; ) {
    const atomEnd = endOfMatch(ATOM, pattern, at);
    if (atomEnd === undefined) return false;
    const variableEnd = endOfMatch(VARIABLE_COUNT, pattern, atomEnd);
    if (variableEnd !== undefined) variable += 1;
    at = variableEnd ?? endOfMatch(FIXED_COUNT, pattern, atomEnd) ?? atomEnd;
  }
  // If the start is not fixed, each start has its own variable repetition.
  return variable <= (isAnchored ? 2 : 1);
}

function compile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

function isForeign(pattern: string): boolean {
  if (pattern.includes('[[:')) return true; // POSIX classes
  for (const [, escaped] of pattern.matchAll(/\\([\s\S])/g)) {
    if (/[A-Za-z]/.test(escaped!) && !KNOWN_LETTER_ESCAPES.has(escaped!)) return true;
  }
  return false;
}
