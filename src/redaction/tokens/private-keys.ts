import { endOfMatch } from '../../core/text/sticky.ts';
import type { Span } from '../spans.ts';

const BEGINS = '-----BEGIN ';
const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Longer than any text that `KEY_ENDS` matches. */
const MAX_END_MARK = 100;
/** A longer key is taken as one that was cut off. */
const MAX_BODY = 65_536;

/** Line ends, also as they are written inside JSON, and what diffs and quotations put in front of lines. */
const BETWEEN_LINES = /[\s>|+-]+|\\[nr]/y;
/** Something like base64, or a header of the key. */
const LINE = /[A-Za-z0-9/=][A-Za-z0-9+/=]{15,}|[A-Z][A-Za-z-]{2,20}: [^\n\\]{1,80}/y;

/** Yields where private keys in PEM stand: whole ones, and of those that were cut off what is left. */
export function* privateKeys(text: string): Generator<Span> {
  let from = 0;
  for (;;) {
    KEY_BEGINS.lastIndex = from;
    const begin = KEY_BEGINS.exec(text);
    if (begin === null) return;
    const body = begin.index + begin[0].length;
    const end = endOfWholeKey(text, body) ?? endOfCutKey(text, body);
    if (end !== undefined) yield { start: begin.index, end };
    from = end ?? begin.index + 1;
  }
}

/** Each stretch between two keys is searched once, so that many beginnings without an end cost no more than one. */
function endOfWholeKey(text: string, body: number): number | undefined {
  const next = text.indexOf(BEGINS, body);
  const last = Math.min(next === -1 ? text.length : next - 1, body + MAX_BODY);
  const end = KEY_ENDS.exec(text.slice(body, last + MAX_END_MARK));
  return end === null || body + end.index > last ? undefined : body + end.index + end[0].length;
}

/** Returns the end of the lines that belong to a key; `undefined` if there are none. */
function endOfCutKey(text: string, body: number): number | undefined {
  let end: number | undefined;
  for (let next = endOfLine(text, body); next !== undefined; next = endOfLine(text, next)) end = next;
  return end;
}

function endOfLine(text: string, from: number): number | undefined {
  let at = from;
  for (let next = endOfMatch(BETWEEN_LINES, text, at); next !== undefined; next = endOfMatch(BETWEEN_LINES, text, at))
    at = next;
  return endOfMatch(LINE, text, at);
}
