import type { ByteString } from '../../../wire/bytes.ts';
import { elementsOf, membersOf, rawText, stringAt, typeOfByte } from '../../../wire/lens.ts';
import type { Member, Span } from '../../../wire/scanning/outline.ts';
import { type Fix, rewrite } from '../entries/rewrite.ts';

/** Keywords whose value maps names to schemas (JSON Schema 2020-12, Core and older drafts). */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Keywords whose value is a schema. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
  'contains',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
]);

/** Keywords whose value is a list of schemas that must not be empty. */
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** A list of more schemas is left as it is. */
const MAX_ELEMENTS = 1_000;

/** Schemas that are nested deeper are left as they are. */
const MAX_LEVELS = 32;

/** Matches what every fault below contains: without a match there is nothing to look for. */
const SUSPICIOUS = /null|""|\[\s*\]/;

/**
 * Returns a schema in which `null`, and PHP's `[]` for an empty map, count as absent in each place where official clients or
 * validators want an object: as a map of schemas, as a schema, as a list of schemas, as `type` (an empty text too) and as
 * `required`. Everything else stays byte for byte. `undefined` if there is nothing of that kind.
 * @throws JsonTextError when a part of it is no JSON
 */
export function repairNested(text: Buffer, schema: Span): ByteString | undefined {
  return SUSPICIOUS.test(rawText(text, schema)) ? repairSchemaAt(text, schema, 0) : undefined;
}

function repairSchemaAt(text: Buffer, schema: Span, level: number): ByteString {
  if (typeOfByte(text[schema.start]) !== 'object' || level > MAX_LEVELS) return rawText(text, schema);
  return rewrite(text, membersOf(text, schema), (member) => fixOf(text, member, level), schema);
}

function fixOf(text: Buffer, member: Member, level: number): Fix {
  const isEmpty = isAbsent(text, member);
  if (MAPS.has(member.key)) return { value: isEmpty ? '{}' : repairMap(text, member, level + 1) };
  if (SCHEMAS.has(member.key)) return isEmpty ? 'drop' : { value: repairSchemaAt(text, member, level + 1) };
  if (LISTS.has(member.key)) return isEmpty ? 'drop' : { value: repairList(text, member, level + 1) };
  if (member.key === 'type') return isEmpty || stringAt(text, member) === '' ? 'drop' : 'keep';
  if (member.key === 'required') return typeOfByte(text[member.start]) === 'null' ? 'drop' : 'keep';
  return 'keep';
}

function repairMap(text: Buffer, map: Span, level: number): ByteString {
  if (typeOfByte(text[map.start]) !== 'object') return rawText(text, map);
  const fix = (member: Member): Fix => ({
    value: isAbsent(text, member) ? '{}' : repairSchemaAt(text, member, level),
  });
  return rewrite(text, membersOf(text, map), fix, map);
}

function repairList(text: Buffer, list: Span, level: number): ByteString {
  const raw = rawText(text, list);
  if (typeOfByte(text[list.start]) !== 'array') return raw;
  const elements = elementsOf(text, list, MAX_ELEMENTS);
  if (elements.length === MAX_ELEMENTS) return raw;
  const repaired = elements.map((element) => (isAbsent(text, element) ? '{}' : repairSchemaAt(text, element, level)));
  const isSame = elements.every((element, index) => rawText(text, element) === repaired[index]);
  return isSame ? raw : `[${repaired.join(',')}]`;
}

/** Returns true if a value means "nothing": `null` or an empty list. */
export function isAbsent(text: Buffer, { start, end }: Span): boolean {
  const type = typeOfByte(text[start]);
  if (type === 'null') return true;
  return type === 'array' && text.toString('latin1', start + 1, end - 1).trim() === '';
}
