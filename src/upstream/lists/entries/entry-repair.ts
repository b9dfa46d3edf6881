import type { EntryKind, Era } from '../../../core/providers/provider.ts';
import type { ByteString } from '../../../wire/bytes.ts';
import { lastMember, membersOf, rawText, stringAt, typeOfByte, valueAt } from '../../../wire/lens.ts';
import type { Member, Span } from '../../../wire/scanning/outline.ts';
import { repairOutput, repairSchema, type Unusable } from '../schemas/schema-repair.ts';
import { ANNOTATIONS, OPTIONAL_MEMBERS } from './entry-rules.ts';
import { type Fix, rewrite } from './rewrite.ts';

/**
 * Returns an entry as official clients of its server's era accept it, meaning the same. The text comes back as it is when
 * nothing is wrong with it; a tool without a usable input schema cannot be offered.
 * @throws JsonTextError when a member is no JSON
 */
export function repairEntry(kind: EntryKind, text: Buffer, era: Era = 'legacy'): Buffer | Unusable {
  const members = membersOf(text);
  const input = kind === 'tool' ? repairInput(text, members) : undefined;
  if (typeof input === 'object') return input;
  const fixed = rewrite(text, members, (member) => {
    if (kind === 'tool' && member.key === 'inputSchema') return { value: input! };
    if (kind === 'tool' && member.key === 'outputSchema') return repairOutput(text, member, era);
    // A resource's name that is no string is as good as none.
    if (kind !== 'tool' && kind !== 'prompt' && member.key === 'name')
      return typeOfByte(text[member.start]) === 'string' ? 'keep' : 'drop';
    return repairMember(kind, text, member);
  });
  const whole = withMissing(kind, text, members, fixed, input);
  return whole === text.toString('latin1') ? text : Buffer.from(whole, 'latin1');
}

function repairInput(text: Buffer, members: readonly Member[]): ByteString | Unusable {
  const schema = lastMember(members, 'inputSchema');
  if (schema === undefined) return '{"type":"object"}';
  const repaired = repairSchema(text, schema);
  return typeof repaired === 'string' ? repaired : { unusable: `inputSchema ${repaired.unusable}` };
}

function repairMember(kind: EntryKind, text: Buffer, member: Member): Fix {
  const rules = OPTIONAL_MEMBERS[kind];
  if (!Object.hasOwn(rules, member.key)) return 'keep';
  if (!rules[member.key]!.safeParse(valueAt(text, member)).success) return 'drop';
  return member.key === 'annotations' ? { value: repairAnnotations(kind, text, member) } : 'keep';
}

function repairAnnotations(kind: EntryKind, text: Buffer, annotations: Span): ByteString {
  const rules = ANNOTATIONS[kind];
  const fix = (member: Member): Fix => {
    if (!Object.hasOwn(rules, member.key)) return 'keep';
    return rules[member.key]!.safeParse(valueAt(text, member)).success ? 'keep' : 'drop';
  };
  return rewrite(text, membersOf(text, annotations), fix, annotations);
}

/** Adds required members that are missing: a tool's input schema, a resource's name. */
function withMissing(
  kind: EntryKind,
  text: Buffer,
  members: readonly Member[],
  fixed: ByteString,
  input: ByteString | undefined,
): ByteString {
  const end = fixed.lastIndexOf('}');
  const add = (member: ByteString) => `${fixed.slice(0, end)},${member}}`;
  if (kind === 'tool') return lastMember(members, 'inputSchema') === undefined ? add(`"inputSchema":${input}`) : fixed;
  if (kind === 'prompt' || stringAt(text, lastMember(members, 'name')) !== undefined) return fixed;
  const identity = lastMember(members, kind === 'resource' ? 'uri' : 'uriTemplate');
  return identity === undefined || stringAt(text, identity) === undefined
    ? fixed
    : add(`"name":${rawText(text, identity)}`);
}
