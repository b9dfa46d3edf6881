import type { Span } from '../spans.ts';

/** The second and the third part of a JSON Web Token. */
const TAIL = /\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}/g;
const HEAD_BEGINS = 'eyJ';
/** `eyJ` and eight characters. */
const MIN_HEAD = 11;

/**
 * Yields where JSON Web Tokens stand. A token is found by its first dot: the first part may begin again behind each dash in it,
 * and a pattern that begins there would read what follows once for each of them.
 */
export function* jwts(text: string): Generator<Span> {
  let from = 0;
  for (;;) {
    TAIL.lastIndex = from;
    const tail = TAIL.exec(text);
    if (tail === null) return;
    const start = headBefore(text, tail.index, from);
    const end = tail.index + tail[0].length;
    if (start !== undefined) yield { start, end };
    from = start === undefined ? tail.index + 1 : end;
  }
}

/** Returns the start of the first part that ends at `end`, not before `from`. */
function headBefore(text: string, end: number, from: number): number | undefined {
  let run = end;
  while (run > from && isTokenCharacter(text.charCodeAt(run - 1))) run -= 1;
  for (
    let at = text.indexOf(HEAD_BEGINS, run);
    at !== -1 && at + MIN_HEAD <= end;
    at = text.indexOf(HEAD_BEGINS, at + 1)
  )
    if (!isWordCharacter(text.charCodeAt(at - 1))) return at;
  return undefined;
}

function isTokenCharacter(code: number): boolean {
  return code === 45 || isWordCharacter(code);
}

/** A letter, a digit or `_`. No character at all, NaN, is none of them. */
function isWordCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
