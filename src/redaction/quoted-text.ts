import { endOfQuoted } from '../core/text/quoted.ts';
import type { Span } from './spans.ts';

/** What begins a quoted text: a quotation mark, or one that is escaped because the text stands in JSON inside JSON. */
export const QUOTES = String.raw`["'\x60]|\\"`;

const BACKSLASH = '\\';

/**
 * What stands in the quotation marks that begin at `at`; `undefined` where they do not end on the same line.
 * The text is read once, from left to right.
 */
export function quotedText(text: string, at: number): Span | undefined {
  const isEscaped = text[at] === BACKSLASH;
  const start = isEscaped ? at + 2 : at + 1;
  const end = isEscaped ? endOfEscaped(text, start) : endOfQuoted(text, start, text[at]!);
  return end === undefined ? undefined : { start, end };
}

/** It ends with an escaped quotation mark; one that is not escaped ends the JSON text around it. */
function endOfEscaped(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '"' || text[at] === '\n') return undefined;
    if (text[at] !== BACKSLASH) continue;
    if (text[at + 1] === '"') return at;
    if (text[++at] === '\n') return undefined;
  }
  return undefined;
}
