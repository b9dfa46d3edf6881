import { lastMember, membersOf, rawText, stringAt } from '../../wire/lens.ts';
import { openReply, type Reply } from '../../wire/reply.ts';
import { cleanText, cutText } from '../text/clean-text.ts';

/** In characters. */
const LONGEST = 300;
/** Far more than can be left to show: a peer decides how long its message is. */
const READ = 4 * LONGEST;
const INTEGER = /^-?\d{1,16}$/;

/** Returns a peer's own words in an answer that is an error, and its code: one line of at most 300 characters before the code. */
export function refusalWords(reply: Reply): string {
  const { frame, body } = openReply(reply);
  const members = membersOf(frame.text, body);
  const message = stringAt(frame.text, lastMember(members, 'message')) ?? '';
  const code = lastMember(members, 'code');
  const number = code === undefined ? '' : rawText(frame.text, code);
  const words = oneLine(message);
  return `${words === '' ? 'no message' : words}${INTEGER.test(number) ? ` (${number})` : ''}`;
}

function oneLine(text: string): string {
  return cutText(cleanText(cutText(text, READ)).replaceAll(/\s+/g, ' ').trim(), LONGEST);
}
