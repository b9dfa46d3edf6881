import { JsonTextError } from '../json-error.ts';
import { CHECKED_STRING_BYTES } from '../scanning/limits.ts';
import type { Span } from '../scanning/outline.ts';
import { BACKSLASH } from '../scanning/string-search.ts';

/** The number of bytes without an escape after which the next one is searched for: escapes are usually close together. */
const WORTH_SEARCH = 64;
/** `" \\ / b f n r t` */
const ESCAPABLE: ReadonlySet<number> = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);
const LOWER_U = 0x75;
const HEX = /^[0-9A-Fa-f]{4}$/;

/**
 * Makes sure that a part of a scanned text is JSON to the ends of its long strings, of which a scan checks only the first
 * `CHECKED_STRING_BYTES`. A server that gets no JSON may end, or never answer; what a client sends is checked before it leaves.
 * @throws JsonTextError at the first bad escape
 */
export function checkEscapes(text: Buffer, { start, end }: Span): void {
  if (end - start <= CHECKED_STRING_BYTES) return;
  let others = 0;
  for (let at = start; at < end; ) {
    if (text[at] === BACKSLASH) {
      at += escapeLength(text, at);
      others = 0;
    } else if (++others < WORTH_SEARCH) at++;
    else {
      const next = text.indexOf(BACKSLASH, at);
      at = next === -1 ? end : next;
    }
  }
}

function escapeLength(text: Buffer, at: number): number {
  const byte = text[at + 1];
  if (byte === LOWER_U && HEX.test(text.latin1Slice(at + 2, at + 6))) return 6;
  if (byte === undefined || !ESCAPABLE.has(byte)) throw new JsonTextError('bad escape in a string', at + 1);
  return 2;
}
