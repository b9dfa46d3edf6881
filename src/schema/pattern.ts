/** `\A`, `\Z`, `\h` …: letters that other languages give a meaning and ECMAScript takes literally. */
const KNOWN_LETTER_ESCAPES = new Set('bBcdDfknrsStuvwWx');

/**
 * The ways in which a `pattern` may be read: as Unicode (what JSON Schema recommends), and as ECMAScript has always
 * read it. Empty when it is no pattern of ours: it does not compile, or was clearly written for another language.
 */
export function patternReadings(pattern: string): readonly RegExp[] {
  const unicode = compile(pattern, 'u');
  const classic = compile(pattern, '');
  if (classic === undefined) return []; // the converter reads it this way, so it would fail
  if (unicode !== undefined) return [unicode, classic];
  return isForeign(pattern) ? [] : [classic];
}

/** Whether the readings can differ only where characters beyond U+FFFF occur. */
export function isPortablePattern(pattern: string): boolean {
  return compile(pattern, 'u') !== undefined && !/\\[pPu]/.test(pattern);
}

const ATOM = String.raw`(?:\[\^?(?:\\.|[^\]\\])+\]|\\[^1-9kpPuxc]|[^\\[\](){}|*+?^$])`;
const COUNT = String.raw`(?:\{\d{1,3}\})?`;
const VARIABLE = String.raw`(?:[*+?]|\{\d{1,3},\d{0,3}\})`;
const RUN = `(?:${ATOM}${COUNT})*`;
/** No groups, no alternatives, no looking around; a variable repetition at most, two where the start is fixed. */
const TAME = new RegExp(`^(?:${RUN}(?:${ATOM}${VARIABLE})?${RUN}|\\^${RUN}(?:${ATOM}${VARIABLE}${RUN}){0,2})\\$?$`);
const MAX_TAME_LENGTH = 120;

/** Whether matching takes, at the very worst, steps in proportion to the square of the text's length. */
export function isTamePattern(pattern: string): boolean {
  return pattern.length <= MAX_TAME_LENGTH && TAME.test(pattern);
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
