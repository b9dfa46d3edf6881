import { canonicalJson } from '../../core/json/canonical.ts';
import { literalText } from '../examine/wording.ts';
import { isPattern } from '../pattern.ts';

/** The parts of a schema that are schemas themselves. */
export type PartKind = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-of-schemas-or-names';

/** Keywords whose values have schemas inside (JSON Schema 2020-12, "Applicator" vocabulary, and older drafts). */
export const PARTS: ReadonlyMap<string, PartKind> = new Map<string, PartKind>([
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['dependentSchemas', 'map'],
  ['dependencies', 'map-of-schemas-or-names'],
  ['items', 'schema-or-list'],
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['contains', 'schema'],
  ['contentSchema', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
]);

/** Returns what is wrong with a keyword's value; `undefined` if it is valid. */
export type ValueRule = (value: unknown) => string | undefined;

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']);
const TYPE_NAMES = [...TYPES].join(', ');

/** Names a value in a few words. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return literalText(value);
}

/** Rules for keywords whose values have no schemas inside (JSON Schema 2020-12, "Validation" vocabulary). */
export const VALUE_RULES: ReadonlyMap<string, ValueRule> = new Map<string, ValueRule>([
  ['type', typeFault],
  ['enum', enumFault],
  ['examples', (value) => (Array.isArray(value) ? undefined : mustBe(value, 'a list of values'))],
  ['required', requiredFault],
  ['dependentRequired', dependentRequiredFault],
  ['pattern', patternFault],
  ...[
    '$ref',
    '$schema',
    '$id',
    '$comment',
    'title',
    'description',
    'format',
    'contentEncoding',
    'contentMediaType',
  ].map((keyword): [string, ValueRule] => [keyword, textFault]),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword): [string, ValueRule] => [
    keyword,
    (value) => (typeof value === 'number' ? undefined : mustBe(value, 'a number')),
  ]),
  ['multipleOf', (value) => (typeof value === 'number' && value > 0 ? undefined : mustBe(value, 'a number above 0'))],
  ...[
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ].map((keyword): [string, ValueRule] => [keyword, countFault]),
  ...['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map((keyword): [string, ValueRule] => [
    keyword,
    (value) => (typeof value === 'boolean' ? undefined : mustBe(value, 'true or false')),
  ]),
]);

export function mustBe(value: unknown, what: string): string {
  return `is ${shown(value)}, and must be ${what}`;
}

function typeFault(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'is an empty list, and must name a type';
    const wrong = value.find((one) => !TYPES.has(one));
    if (wrong !== undefined) return notAType(wrong);
    return new Set(value).size === value.length ? undefined : 'names a type twice';
  }
  return TYPES.has(value) ? undefined : notAType(value);
}

const notAType = (value: unknown): string => `has ${shown(value)}, which is not a type (${TYPE_NAMES})`;

/** A list without values, or with one twice, is what a schema SHOULD NOT have; validators in wide use refuse both. */
function enumFault(value: unknown): string | undefined {
  if (!Array.isArray(value)) return mustBe(value, 'a list of values');
  if (value.length === 0) return 'is an empty list, so that no value fits';
  const keys = value.map((one) => (typeof one === 'number' ? `number ${one}` : canonicalJson(one)));
  return new Set(keys).size === keys.length ? undefined : 'has a value twice';
}

/** Draft-03 had `required: true` beside the type of a property; every later draft has a list of names beside `properties`. */
function requiredFault(value: unknown): string | undefined {
  if (typeof value === 'boolean') return `is ${value}, and must be a list of names, beside "properties"`;
  return namesFault(value);
}

export function namesFault(value: unknown): string | undefined {
  if (!Array.isArray(value)) return mustBe(value, 'a list of names');
  const wrong = value.find((name) => typeof name !== 'string');
  if (wrong !== undefined) return `has ${shown(wrong)}, which is not a name`;
  return new Set(value).size === value.length ? undefined : 'has a name twice';
}

function dependentRequiredFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return mustBe(value, 'an object');
  for (const [name, names] of Object.entries(value)) {
    const fault = namesFault(names);
    if (fault !== undefined) return `has for ${literalText(name)} what ${fault}`;
  }
  return undefined;
}

function textFault(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : mustBe(value, 'a string');
}

function countFault(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
    ? undefined
    : mustBe(value, 'a whole number from 0 on');
}

/** ECMA-262 is the language of patterns (JSON Schema 2020-12 Core, "Regular Expressions"); with or without the flag `u`. */
export function patternFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return mustBe(value, 'a string');
  return isPattern(value) ? undefined : `is ${literalText(value)}, which is not a regular expression of JavaScript`;
}
