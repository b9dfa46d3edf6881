import { MAX_ROOTS } from '../../core/folders/bounded-roots.ts';
import type { FolderRule } from '../../core/folders/folder-rule.ts';
import { asObject } from '../../core/json/as-object.ts';
import { jsonBytes, toBuffer } from '../../wire/bytes.ts';
import { type CallText, edit, readCallText } from '../../wire/edits/call-text.ts';
import { type Edit, Frame } from '../../wire/frame.ts';
import { membersOf, typeOfByte, valueAt } from '../../wire/lens.ts';
import { type NotificationMessage, readMessage } from '../../wire/message.ts';
import type { Member } from '../../wire/scanning/outline.ts';
import { rootsInRule } from './asked-roots.ts';

/**
 * Returns where a call brings roots to a modern upstream that has asked for them in a result (2026-07-28, "Multi Round-Trip
 * Requests"): the answers among `inputResponses` that are results of `roots/list`. None for nearly all calls.
 */
export function sentRoots({ message, params }: CallText): readonly Member[] {
  const { text } = message.frame;
  const responses = params.filter(({ key, start }) => isCalled('inputResponses', key) && isObject(text, start));
  return responses
    .flatMap((member) => membersOf(text, member))
    .filter(({ start }) => isObject(text, start))
    .filter((answer) => membersOf(text, answer).some(({ key }) => isCalled('roots', key)));
}

/** Returns the call with those roots alone that a rule admits; `tell` gets what the client is told of the others. */
export async function callInRule(
  call: CallText,
  { rule, tell }: { readonly rule: FolderRule; readonly tell: (message: NotificationMessage) => void },
): Promise<CallText> {
  const { frame } = call.message;
  const edits: Edit[] = [];
  let left = MAX_ROOTS;
  for (const answer of sentRoots(call)) {
    const given = asObject(valueAt(frame.text, answer));
    const roots = Object.entries(given).flatMap(([key, value]) => (isCalled('roots', key) ? value : []));
    const { result, notice } = await rootsInRule({ roots }, rule, left);
    left = Math.max(0, left - roots.length);
    if (notice !== undefined) tell(notice);
    edits.push(edit(answer, jsonBytes(result)));
  }
  const message = readMessage(Frame.of(toBuffer(frame.splice(edits))));
  const text = message.kind === 'request' ? readCallText(message) : { problem: message.kind };
  // Nothing but the answers was replaced.
  if ('problem' in text) throw new Error(`a call cannot be read after its roots were checked: ${text.problem}`);
  return text;
}

/** Some servers do not tell upper from lower case in names of members. */
function isCalled(name: string, key: string): boolean {
  return key.toLowerCase() === name.toLowerCase();
}

function isObject(text: Buffer, start: number): boolean {
  return typeOfByte(text[start]) === 'object';
}
