import type { Span } from '../scanning/outline.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Returns true if some object in a JSON text has a member twice. `value` is what `JSON.parse` made of the text: it keeps one of
 * them, so that it has fewer members than the text has colons between its strings.
 */
export function hasRepeatedMembers(text: Buffer, span: Span, value: unknown): boolean {
  return colonsIn(text, span) > membersIn(value);
}

function colonsIn(text: Buffer, { start, end }: Span): number {
  let count = 0;
  let isInString = false;
  for (let at = start; at < end; at++) {
    const byte = text[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString && byte === BACKSLASH) at++;
    else if (!isInString && byte === COLON) count++;
  }
  return count;
}

function membersIn(value: unknown): number {
  const pending: unknown[] = [value];
  let count = 0;
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const one of inner) if (typeof one === 'object') pending.push(one);
  }
  return count;
}
