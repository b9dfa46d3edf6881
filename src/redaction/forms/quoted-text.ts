import { endOfQuoted } from '../../core/text/quoted.ts';
import type { Span } from '../spans.ts';

/**
 * Matches the beginning of a quoted text: a quotation mark, or one that is escaped, also more than once, because the text stands
 * in JSON inside JSON.
 */
export const QUOTES = String.raw`["'\x60]|\\{1,7}"`;

const BACKSLASH = '\\';

/**
 * Returns the text in the quotation marks that begin at `at`; `undefined` if they do not end on the same line.
 * The text is read once, from left to right.
 */
export function quotedText(text: string, at: number): Span | undefined {
  const depth = backslashesAt(text, at);
  const start = at + depth + 1;
  const end = depth > 0 ? endOfEscaped(text, start, depth) : endOfQuoted(text, start, text[at]!);
  return end === undefined ? undefined : { start, end };
}

/** It ends with a quotation mark behind as many backslashes; one behind fewer ends the JSON text around it. */
function endOfEscaped(text: string, start: number, depth: number): number | undefined {
  let at = start;
  while (at < text.length && text[at] !== '\n') {
    const slashes = backslashesAt(text, at);
    if (text[at + slashes] === '"') {
      if (slashes <= depth) return slashes === depth ? at : undefined;
    } else if (slashes > 0 && text[at + slashes] === '\n') return undefined;
    at += slashes + 1;
  }
  return undefined;
}

function backslashesAt(text: string, at: number): number {
  let count = 0;
  while (text[at + count] === BACKSLASH) count += 1;
  return count;
}
