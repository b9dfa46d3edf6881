import { edit } from '../../wire/edits/call-text.ts';
import { membersRemoved } from '../../wire/edits/object-edits.ts';
import { lastMember, rawText, typeOfByte } from '../../wire/lens.ts';
import { type Reply, withEdits } from '../../wire/reply.ts';
import type { Member } from '../../wire/scanning/outline.ts';
import type { CreatePolicy } from '../policy.ts';

/** The largest result that is mended, in bytes: joining the bytes of larger ones would cost more than it is worth. */
const MAX_BYTES = 1024 * 1024;

/**
 * Takes `null`, and PHP's `[]` for an empty map, in optional members of a tool's result for "absent". Official clients
 * refuse the whole result for one of them. Everything else passes byte for byte.
 */
export const mendResults: CreatePolicy = () => ({
  inspect: ({ descriptor }) => (descriptor?.kind === 'tool' ? mended : undefined),
});

function mended(reply: Reply): Reply {
  const { source } = reply;
  if (source === undefined || reply.outcome === 'error' || source.body.end - source.body.start > MAX_BYTES)
    return reply;
  const { text } = source.frame;
  const members = source.frame.membersOf(source.body);
  const isModern = reply.isModern === true;
  if (isFine(text, members, isModern)) return reply;
  const isAbsent = (member: Member) => isRefusedOptional(text, member, isModern);
  const content = lastMember(members, 'content');
  const emptied = content === undefined || rawText(text, content) !== 'null' ? [] : [edit(content, '[]')];
  return withEdits(reply, source, [...emptied, ...membersRemoved(members, isAbsent)]);
}

/** Most results need no mending; to see that allocates nothing. */
function isFine(text: Buffer, members: readonly Member[], isModern: boolean): boolean {
  for (const member of members) {
    if (member.key === 'content' && typeOfByte(text[member.start]) === 'null') return false;
    if (isRefusedOptional(text, member, isModern)) return false;
  }
  return true;
}

const OPTIONAL: ReadonlySet<string> = new Set(['structuredContent', 'isError', '_meta']);

function isRefusedOptional(text: Buffer, member: Member, isModern: boolean): boolean {
  return OPTIONAL.has(member.key) && !fits(text, member, isModern);
}

/** Returns true if official clients accept the member (CallToolResult, 2025-11-25; 2026-07-28 takes any structured content). */
function fits(text: Buffer, member: Member, isModern: boolean): boolean {
  const type = typeOfByte(text[member.start]);
  if (member.key === 'isError') return type !== 'null';
  return type === 'object' || (member.key === 'structuredContent' && isModern);
}
