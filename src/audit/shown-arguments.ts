import { hash } from 'node:crypto';
import { isObject } from '../core/json/as-object.ts';
import { cutText } from '../core/text/clean-text.ts';
import { redact } from '../redaction/redact.ts';
import type { CallText } from '../wire/edits/call-text.ts';
import { readableAt } from '../wire/lens.ts';

/** The form in which the audit records the arguments of a call. */
export type ArgumentsForm = 'digest' | 'redacted' | 'off';

const DIGEST_CHARACTERS = 16;
/** The number of characters of redacted arguments that are kept. */
const MAX_SHOWN = 2_048;
/**
 * The longest text that is kept, in characters. Longer texts are contents, not names: only their length is kept, so
 * that no secret in them can be cut in two.
 */
const MAX_TEXT = 512;
/** The largest arguments that are read for the audit, in bytes. */
const MAX_READ_BYTES = 1024 * 1024;

/** `mask` takes out the secrets that are known. */
export function shownArguments(
  { message, arguments: span }: CallText,
  form: ArgumentsForm,
  mask: (text: string) => string,
): string | undefined {
  if (form === 'off' || span === undefined) return undefined;
  const { text } = message.frame;
  const value = form === 'redacted' && span.end - span.start <= MAX_READ_BYTES ? readableAt(text, span) : undefined;
  if (value === undefined)
    return hash('sha256', text.subarray(span.start, span.end), 'hex').slice(0, DIGEST_CHARACTERS);
  return cutText(mask(JSON.stringify(redact(shortened(value, { left: MAX_SHOWN })).value)), MAX_SHOWN);
}

/** Returns the part of a value that will be shown. `room` counts down the characters that are left for it. */
function shortened(value: unknown, room: { left: number }): unknown {
  if (room.left <= 0) return '…';
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) if (room.left > 0) items.push(shortened(item, room));
    return items;
  }
  if (isObject(value)) {
    const members: [string, unknown][] = [];
    for (const [key, member] of Object.entries(value))
      if (room.left > 0) members.push([shortText(key, room), shortened(member, room)]);
    return Object.fromEntries(members);
  }
  return typeof value === 'string' ? shortText(value, room) : value;
}

function shortText(text: string, room: { left: number }): string {
  const short = text.length > MAX_TEXT ? `(${text.length} characters)` : text;
  room.left -= short.length + 1;
  return short;
}
