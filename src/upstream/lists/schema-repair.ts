import type { Era } from '../../core/provider.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { lastMember, membersOf, rawText, stringAt, typeOfByte, valueAt } from '../../wire/lens.ts';
import type { Member, Span } from '../../wire/scanner.ts';
import { type Fix, rewrite } from './rewrite.ts';

/** The reason why a tool cannot be offered. */
export interface Unusable {
  readonly unusable: string;
}

/**
 * A tool's schema as official clients accept it, meaning the same (Tool, 2025-11-25: an object schema).
 * @throws JsonTextError when a part of it is no JSON
 */
export function repairSchema(text: Buffer, schema: Member): ByteString | Unusable {
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
  return /^\{\s*\}$/.test(fixed) ? '{"type":"object"}' : `{"type":"object",${fixed.slice(1)}`;
}

/** An output schema that clients would refuse is left out: results are then taken as they are. */
export function repairOutput(text: Buffer, member: Member, era: Era): Fix {
  // Modern clients take a schema of anything.
  if (era === 'modern') return typeOfByte(text[member.start]) === 'object' ? 'keep' : 'drop';
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
