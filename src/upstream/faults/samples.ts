import { cutBytes, cutText } from '../../core/text/clean-text.ts';
import type { Frame } from '../../wire/frame.ts';
import { lastMember, membersOf, rawText, stringAt, typeOfByte } from '../../wire/lens.ts';
import type { LostLine } from '../../wire/lines/frame-receiver.ts';
import type { Span } from '../../wire/scanning/outline.ts';

/** The number of bytes of an invalid message that are shown. */
const SAMPLE_BYTES = 200;
const SAMPLE_NAMES = 8;
const SAMPLE_NAME = 40;

/** Describes an invalid message. Its values are left out: they belong to a client, and samples reach logs. */
export function sampleOf({ text, outline }: Frame): string {
  const type = typeOfByte(text[outline.start]);
  if (type !== 'object') return `JSON, but no object: ${type}`;
  const names = outline.members.slice(0, SAMPLE_NAMES).map(({ key }) => `"${cutText(key, SAMPLE_NAME)}"`);
  return `{${names.join(', ')}${outline.members.length > SAMPLE_NAMES ? ', …' : ''}}`;
}

/** The number of characters of a peer's error message that our error repeats. */
const ERROR_MESSAGE = 300;
const ERROR_CODE = 20;

/** Returns code and message of an error, cut to what an error of ours can repeat. */
export function errorIn({ text }: Frame, error: Span): { code: string; message: string } {
  const members = typeOfByte(text[error.start]) === 'object' ? membersOf(text, error) : [];
  const code = lastMember(members, 'code');
  const message = stringAt(text, lastMember(members, 'message')) ?? '';
  return {
    code: code === undefined ? '' : cutText(rawText(text, code), ERROR_CODE),
    message: cutText(message, ERROR_MESSAGE),
  };
}

/** Returns what a line that is no message looks like. */
export function sampleOfLine({ head, bytes }: LostLine): string {
  const text = cutBytes(head, SAMPLE_BYTES);
  return /"(jsonrpc|result|params)"/.test(text) ? `a broken message of ${bytes} bytes` : text;
}
