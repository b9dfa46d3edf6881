import type { ByteString } from '../wire/bytes.ts';
import { type JsonType, lastMember, membersOf, rawText, stringAt, typeOfByte } from '../wire/lens.ts';
import type { Member, Span } from '../wire/scanner.ts';

/** Optional members of a tool and the types without which official clients refuse the whole list. */
const OPTIONAL_MEMBERS: ReadonlyMap<string, JsonType> = new Map([
  ['title', 'string'],
  ['description', 'string'],
  ['annotations', 'object'],
  ['icons', 'array'],
  ['execution', 'object'],
  ['_meta', 'object'],
]);

/** The reason why a tool cannot be offered. */
export interface Unusable {
  readonly unusable: string;
}

/** What becomes of one member: it stays, gets another value, or goes. */
type Fix = 'keep' | 'drop' | { readonly value: ByteString };

/**
 * A tool as official clients accept it, meaning the same (Tool, 2025-11-25: both schemas are object schemas). The text
 * comes back as it is when nothing is wrong with it.
 */
export function repairTool(text: Buffer): Buffer | Unusable {
  const members = membersOf(text);
  const input = lastMember(members, 'inputSchema');
  const schema = input === undefined ? '{"type":"object"}' : repairSchema(text, input);
  if (typeof schema !== 'string') return { unusable: `inputSchema ${schema.unusable}` };
  const fixed = rewrite(text, members, (member) => {
    if (lastMember(members, member.key) !== member) return 'keep';
    if (member === input) return { value: schema };
    if (member.key === 'outputSchema') return repairOutputSchema(text, member);
    const wanted = OPTIONAL_MEMBERS.get(member.key);
    return wanted === undefined || typeOfByte(text[member.start]) === wanted ? 'keep' : 'drop';
  });
  const whole = input === undefined ? `${fixed.slice(0, -1)},"inputSchema":${schema}}` : fixed;
  return whole === text.toString('latin1') ? text : Buffer.from(whole, 'latin1');
}

/** An object with fixes applied. Without any it keeps its very bytes, white space included. */
function rewrite(text: Buffer, members: readonly Member[], fix: (member: Member) => Fix, span?: Span): ByteString {
  const fixes = members.map(fix);
  const changed = members.some((member, index) => !isUnchanged(text, member, fixes[index]!));
  if (!changed) return rawText(text, span ?? { start: 0, end: text.length });
  const parts: string[] = [];
  for (const [index, member] of members.entries()) {
    const decided = fixes[index]!;
    if (decided === 'drop') continue;
    const value = decided === 'keep' ? rawText(text, member) : decided.value;
    parts.push(`${text.toString('latin1', member.keyStart, member.keyEnd)}:${value}`);
  }
  return `{${parts.join(',')}}`;
}

function isUnchanged(text: Buffer, member: Member, fix: Fix): boolean {
  return fix === 'keep' || (fix !== 'drop' && fix.value === rawText(text, member));
}

/** An output schema that clients would refuse is left out: results are then taken as they are. */
function repairOutputSchema(text: Buffer, member: Member): Fix {
  const schema = repairSchema(text, member);
  return typeof schema === 'string' ? { value: schema } : 'drop';
}

function repairSchema(text: Buffer, schema: Member): ByteString | Unusable {
  if (typeOfByte(text[schema.start]) !== 'object') return { unusable: 'is not an object' };
  const members = membersOf(text, schema);
  const type = lastMember(members, 'type');
  if (type !== undefined && stringAt(text, type) !== 'object') return { unusable: 'is not of type "object"' };
  const properties = lastMember(members, 'properties');
  if (properties !== undefined && typeOfByte(text[properties.start]) !== 'object') {
    return { unusable: 'has "properties" that are not an object' };
  }
  const fixed = rewrite(
    text,
    members,
    (member) => {
      if (member === properties) return { value: repairProperties(text, member) };
      return member.key === 'required' && !isStringList(text, member) ? 'drop' : 'keep';
    },
    schema,
  );
  if (type !== undefined) return fixed;
  return members.length === 0 ? '{"type":"object"}' : `{"type":"object",${fixed.slice(1)}`;
}

/** `true` and `false` are schemas, but official clients want objects: `{}` and `{"not":{}}` mean the same. */
function repairProperties(text: Buffer, properties: Member): ByteString {
  const fix = (member: Member): Fix => {
    const type = typeOfByte(text[member.start]);
    if (type === 'object') return 'keep';
    return { value: rawText(text, member) === 'false' ? '{"not":{}}' : '{}' };
  };
  return rewrite(text, membersOf(text, properties), fix, properties);
}

function isStringList(text: Buffer, span: Span): boolean {
  if (typeOfByte(text[span.start]) !== 'array') return false;
  const items = JSON.parse(text.toString('utf8', span.start, span.end)) as unknown[];
  return items.every((item) => typeof item === 'string');
}
