import type { Era } from '../../../core/providers/provider.ts';
import type { ByteString } from '../../../wire/bytes.ts';
import { elementsOf, lastMember, membersOf, rawText, stringAt, typeOfByte, valueAt } from '../../../wire/lens.ts';
import type { Member, Span } from '../../../wire/scanning/outline.ts';
import { type Fix, rewrite } from '../entries/rewrite.ts';
import { isAbsent, repairNested } from './nested-schemas.ts';

/** JSON Schema has no more types. */
const MAX_TYPES = 7;

/** The reason why a tool cannot be offered. */
export interface Unusable {
  readonly unusable: string;
}

/**
 * Returns a tool's schema as official clients accept it, meaning the same (Tool, 2025-11-25: an object schema).
 * @throws JsonTextError when a part of it is no JSON
 */
export function repairSchema(text: Buffer, schema: Member): ByteString | Unusable {
  if (isAbsent(text, schema)) return '{"type":"object"}';
  if (typeOfByte(text[schema.start]) !== 'object') return { unusable: 'is not an object' };
  const repaired = repairNested(text, schema);
  if (repaired === undefined) return repairRoot(text, schema);
  const nested = Buffer.from(repaired, 'latin1');
  return repairRoot(nested, { start: 0, end: nested.length });
}

function repairRoot(text: Buffer, schema: Span): ByteString | Unusable {
  const members = membersOf(text, schema);
  const type = lastMember(members, 'type');
  if (type !== undefined && !saysObject(text, type)) return { unusable: 'is not of type "object"' };
  const properties = lastMember(members, 'properties');
  if (properties !== undefined && typeOfByte(text[properties.start]) !== 'object') {
    return { unusable: 'has "properties" that are not an object' };
  }
  const fixed = rewrite(
    text,
    members,
    (member) => {
      if (member === properties) return { value: repairProperties(text, member) };
      // Official clients take no list of types here, and arguments are an object in any case.
      if (member === type && typeOfByte(text[member.start]) === 'array') return { value: '"object"' };
      return member.key === 'required' && !isStringList(text, member) ? 'drop' : 'keep';
    },
    schema,
  );
  if (type !== undefined) return fixed;
  return /^\{\s*\}$/.test(fixed) ? '{"type":"object"}' : `{"type":"object",${fixed.slice(1)}`;
}

function saysObject(text: Buffer, type: Span): boolean {
  if (typeOfByte(text[type.start]) !== 'array') return stringAt(text, type) === 'object';
  return elementsOf(text, type, MAX_TYPES).some((element) => stringAt(text, element) === 'object');
}

/** Returns the fix of an output schema. A schema that clients would refuse is left out: results are then passed unchanged. */
export function repairOutput(text: Buffer, member: Member, era: Era): Fix {
  // Modern clients take a schema of anything.
  if (era === 'modern') return typeOfByte(text[member.start]) === 'object' ? 'keep' : 'drop';
  if (isAbsent(text, member)) return 'drop';
  const schema = repairSchema(text, member);
  return typeof schema === 'string' ? { value: schema } : 'drop';
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
  const items = valueAt(text, span) as unknown[];
  return items.every((item) => typeof item === 'string');
}
