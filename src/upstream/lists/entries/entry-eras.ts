import type { Descriptor, EntryKind, EntryText, Era } from '../../../core/providers/provider.ts';
import { lastMember, membersOf, stringAt } from '../../../wire/lens.ts';
import type { Member } from '../../../wire/scanning/outline.ts';
import { repairOutput } from '../schemas/schema-repair.ts';
import { type Fix, rewrite } from './rewrite.ts';

/**
 * Returns the forms of a tool for clients of the other era than its server's. Tasks are not shared between the eras,
 * and until 2026-07-28 an output schema had to describe an object.
 */
export function eraVariants(kind: EntryKind, text: Buffer, era: Era): Pick<Descriptor, 'forLegacy' | 'forModern'> {
  if (kind !== 'tool') return {};
  const members = membersOf(text);
  // Few tools have any of this: the others are not written again to see that nothing has changed.
  if (!members.some(({ key }) => key === 'execution' || (key === 'outputSchema' && era === 'modern'))) return {};
  const left = rewrite(text, members, (member) => fixFor(text, member, era));
  if (left === text.latin1Slice()) return {};
  const variant = textOf(Buffer.from(left, 'latin1'));
  return era === 'modern' ? { forLegacy: variant } : { forModern: variant };
}

function fixFor(text: Buffer, member: Member, era: Era): Fix {
  if (member.key === 'execution') return 'drop';
  if (member.key !== 'outputSchema' || era === 'legacy') return 'keep';
  return isOfObjects(text, member) ? repairOutput(text, member, 'legacy') : 'drop';
}

/** A schema without a type may be of anything: whether it is of objects only cannot be seen. */
function isOfObjects(text: Buffer, schema: Member): boolean {
  return stringAt(text, lastMember(membersOf(text, schema), 'type')) === 'object';
}

function textOf(text: Buffer): EntryText {
  const name = lastMember(membersOf(text), 'name')!;
  return { text: text.toString('latin1'), nameSpan: { start: name.start, end: name.end } };
}
