import { jsonBytes } from '../wire/bytes.ts';
import { edit } from '../wire/edits/call-text.ts';
import { elementsOf, lastMember, rawText, stringAt, typeOfByte } from '../wire/lens.ts';
import { type Reply, withEdits } from '../wire/reply.ts';
import { withSentences } from './unknown-names.ts';

/** The largest response that is changed, in bytes; larger ones pass unchanged. */
const MAX_BYTES = 64 * 1024;

/**
 * Adds a hint to the answer of an upstream to a call of a tool that it does not list, where the answer is an error: most often
 * the tool does not exist.
 * @param hint sentences, or `''`; asked for only where they are needed
 */
export function withHint(reply: Reply, hint: () => string): Reply {
  const { source } = reply;
  if (source === undefined || source.body.end - source.body.start > MAX_BYTES) return reply;
  const { frame, body } = source;
  const { text } = frame;
  if (typeOfByte(text[body.start]) !== 'object') return reply;
  const members = frame.membersOf(body);
  if (reply.outcome === 'error') {
    const message = lastMember(members, 'message');
    const said = stringAt(text, message);
    const words = said === undefined ? '' : hint();
    return words === '' ? reply : withEdits(reply, source, [edit(message!, jsonBytes(withSentences(said!, words)))]);
  }
  const isError = lastMember(members, 'isError');
  const content = lastMember(members, 'content');
  if (isError === undefined || rawText(text, isError) !== 'true') return reply;
  if (content === undefined || typeOfByte(text[content.start]) !== 'array') return reply;
  const words = hint();
  if (words === '') return reply;
  const block = jsonBytes({ type: 'text', text: `Note by the gateway: ${words}` });
  const at = content.end - 1;
  const isFirst = elementsOf(text, content, 1).length === 0;
  return withEdits(reply, source, [{ start: at, end: at, text: isFirst ? block : `,${block}` }]);
}
