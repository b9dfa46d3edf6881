import type { ByteString } from '../bytes.ts';
import type { Edit } from '../frame.ts';
import type { Member, Span } from '../scanning/outline.ts';

/**
 * Returns the edit that puts one more member in front of an object's others, which are `members`; `member` is its JSON, or
 * that of several with commas between.
 */
export function memberAdded(object: Span, members: readonly Member[], member: ByteString): Edit {
  const at = object.start + 1;
  return { start: at, end: at, text: members.length === 0 ? member : `${member},` };
}

/** Returns the edits that take members out of their object, each with a comma beside it; `members` are all it has, in order. */
export function membersRemoved(members: readonly Member[], isRemoved: (member: Member) => boolean): Edit[] {
  const edits: Edit[] = [];
  let keptBefore = false;
  for (const [index, member] of members.entries()) {
    if (!isRemoved(member)) keptBefore = true;
    else if (keptBefore) edits.push({ start: members[index - 1]!.end, end: member.end, text: '' });
    else edits.push({ start: member.keyStart, end: members[index + 1]?.keyStart ?? member.end, text: '' });
  }
  return edits;
}
