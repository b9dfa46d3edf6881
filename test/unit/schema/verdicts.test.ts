import { describe, expect, test } from 'vitest';
import { ArgumentsValidator } from '../../../src/schema/arguments-validator.ts';

/** Time is not what these tests are about, so a busy machine gets plenty. */
const validator = new ArgumentsValidator({ limitMs: 20_000 });

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#';
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

/** Texts, because not every value of JSON survives in a literal of JavaScript. */
type Case = readonly [title: string, schema: string, valid: readonly string[], invalid: readonly string[]];

/** Verdicts on the member `x` that the schema is for. */
function verdictOn(schemaOfX: string, x: string): string {
  const schemaText = `{"type":"object","properties":{"x":${schemaOfX}}}`;
  return validator.check(schemaText, JSON.parse(`{"x":${x}}`)).outcome;
}

const memberCases: readonly Case[] = [
  ['a type', '{"type":"string"}', ['"a"', '""'], ['1', 'null', '[]', '{}', 'true']],
  ['no type', '{}', ['"a"', '1', 'null', '[]', '{}'], []],
  ['a list of types', '{"type":["string","null"]}', ['"a"', 'null'], ['1', '[]']],
  ['a list with "integer"', '{"type":["integer","null"]}', ['1', 'null', '1e300'], ['1.5', '"1"']],
  ['"integer" beside "number"', '{"type":["integer","number"]}', ['1.5'], ['"1"']],
  ['an unknown type', '{"type":"file"}', ['1', '"a"'], []],
  ['a type that is no text', '{"type":[{"type":"string"}]}', ['1'], []],
  ['true', 'true', ['1', 'null'], []],
  ['false', 'false', [], ['1', 'null']],
  ['something that is no schema', '"string"', ['1', '"a"'], []],
  ['null instead of a schema', 'null', ['1'], []],
  ['integers written with a fraction', '{"type":"integer"}', ['1.0', '1', '-3', '0.0'], ['1.5', '"1"', 'true']],
  ['integers beyond 2^53', '{"type":"integer"}', ['12345678901234567890', '1e400', '-1e308'], []],
  ['numbers beyond a double', '{"type":"number"}', ['1e400', '1e-400'], ['"1e400"']],
  ['bounds', '{"minimum":1,"maximum":3}', ['1', '3', '"0"'], ['0', '4', '1e400']],
  ['exclusive bounds', '{"exclusiveMinimum":1,"exclusiveMaximum":3}', ['2'], ['1', '3']],
  ['exclusive bounds beyond 2^53', '{"exclusiveMinimum":9007199254740992}', ['9007199254740993'], ['1']],
  ['multiples', '{"multipleOf":3}', ['9', '0', '-3', '"a"', '9007199254740993'], ['10']],
  ['multiples of a fraction', '{"multipleOf":0.1}', ['0.3', '1.1', '10000000000.1'], ['0.35']],
  ['multiples of a fraction too small to count', '{"multipleOf":1e-320}', ['5', '0'], []],
  ['integers with multiples of a fraction', '{"type":"integer","multipleOf":1.5}', ['3'], ['1.5']],
  ['multiples of zero', '{"multipleOf":0}', ['1.5'], []],
  ['lengths in characters', '{"minLength":2,"maxLength":2}', ['"😀😀"', '"ab"', '1'], ['"😀"', '"abc"']],
  ['a length that is a text', '{"minLength":"2"}', ['"a"'], []],
  ['a length with a fraction of zero', '{"minLength":2.0}', ['"ab"'], ['"a"']],
  ['a pattern', '{"pattern":"^a+$"}', ['"aa"', '1'], ['"b"', '"ba"']],
  ['a pattern anywhere in the text', '{"pattern":"b"}', ['"abc"'], ['"ac"']],
  ['a pattern with Unicode classes', '{"type":"string","pattern":"^\\\\p{Lu}"}', ['"É"'], ['"é"']],
  ['a pattern where one emoji is one character', '{"pattern":"^.$"}', ['"😀"', '"a"'], ['"ab"']],
  ['a pattern that does not compile', '{"pattern":"("}', ['"a"'], []],
  ['a pattern of another language', '{"pattern":"\\\\A[a-z]+\\\\Z"}', ['"abc"', '"1"'], []],
  ['a format', '{"type":"string","format":"email"}', ['"not an address"'], ['1']],
  ['a default of another type', '{"type":"string","default":5}', ['"a"'], ['5']],
  ['values', '{"enum":["a",1,null,true]}', ['"a"', '1', 'null', 'true'], ['"b"', '2', 'false', '[]']],
  ['one value', '{"const":"a"}', ['"a"'], ['"b"', 'null']],
  ['null as the value', '{"const":null}', ['null'], ['0', '""', 'false']],
  ['false as the value', '{"const":false}', ['false'], ['0', 'null']],
  ['objects as values', '{"enum":[{"a":1,"b":[2]},[]]}', ['{"b":[2],"a":1}', '[]'], ['{"a":1}', '[1]', '1']],
  ['members named __proto__ in values', '{"const":{"__proto__":1}}', ['{"__proto__":1}'], ['{}']],
  ['a value beyond 2^53', '{"const":9007199254740993}', ['9007199254740993'], ['1']],
  ['no values', '{"enum":[]}', ['1'], []],
  ['values that are no list', '{"enum":"a"}', ['"b"'], []],
  ['a value and values', '{"enum":["a","b"],"const":"a"}', ['"a"'], ['"c"']],
  ['values beside their type', '{"type":"string","enum":["a","b"]}', ['"a"'], ['"c"', '1']],
  ['some values of another type', '{"type":"string","enum":["a",null]}', ['"a"', 'null'], ['"b"', '1']],
  [
    'the operation of XcodeMV',
    '{"type":"object","enum":["move","copy"],"properties":{"rawValue":{"type":"string"}},"required":["rawValue"]}',
    ['"move"', '"copy"', '{"rawValue":"move"}'],
    ['"delete"', '{}', '1', '{"rawValue":1}'],
  ],
  ['OpenAPI nullable', '{"type":"string","nullable":true}', ['null', '"a"'], ['1']],
  ['nullable values', '{"enum":["a"],"nullable":true}', ['null', '"a"'], ['"b"']],
  ['nullable alternatives', '{"oneOf":[{"const":1},{"const":2}],"nullable":true}', ['null', '1'], ['3']],
  ['items', '{"type":"array","items":{"type":"string"}}', ['[]', '["a"]'], ['["a",1]', '{}', '"a"']],
  ['numbers of items', '{"minItems":1,"maxItems":2}', ['[1]', '[1,2]', '"a"'], ['[]', '[1,2,3]']],
  ['no items', '{"items":false}', ['[]', '{}'], ['[1]']],
  [
    'a tuple',
    '{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}',
    ['[]', '["a"]', '["a",1]'],
    ['[1]', '["a","b"]'],
  ],
  ['a closed tuple', '{"prefixItems":[true],"items":false}', ['[1]', '[]'], ['[1,2]']],
  ['an old tuple', '{"items":[{"type":"string"}],"additionalItems":false}', ['["a"]', '[]'], ['[1]', '["a",1]']],
  ['old and new tuple at once', '{"items":[false],"prefixItems":[false]}', ['[1]'], []],
  [
    'unique items',
    '{"uniqueItems":true}',
    ['[1,2]', '[[],{}]', '[1,"1",true]', '[0,false]'],
    ['[1,1.0]', '[{"a":1},{"a":1}]'],
  ],
  ['unique items beyond 2^53', '{"uniqueItems":true}', ['[9007199254740993,9007199254740992]'], []],
  ['contains', '{"contains":{"type":"number"}}', ['[1]', '["a",1]', '{}'], ['[]', '["a"]']],
  ['contains, counted', '{"contains":{"type":"number"},"minContains":0,"maxContains":1}', ['[]', '[1]'], ['[1,2]']],
  [
    'members',
    '{"type":"object","properties":{"a":{"type":"number"}}}',
    ['{}', '{"a":1}', '{"b":2}'],
    ['{"a":"1"}', '[]'],
  ],
  ['members without a type', '{"properties":{"a":{"type":"number"}}}', ['1', '[]', '{"a":1}'], ['{"a":"1"}']],
  ['a member that must not be', '{"properties":{"a":false}}', ['{}', '{"b":1}'], ['{"a":1}']],
  ['required members', '{"type":"object","required":["a"]}', ['{"a":null}'], ['{}', '{"b":1}']],
  ['required members that objects inherit', '{"required":["toString"]}', ['{"toString":1}', '1'], ['{}']],
  ['required, as draft-03 has it', '{"type":"object","properties":{"a":{"required":true}}}', ['{}'], []],
  ['required members, some no texts', '{"required":["a",5,null]}', ['{"a":1}'], ['{}']],
  ['no unknown members', '{"type":"object","properties":{},"additionalProperties":false}', ['{"a":1}'], ['1']],
  ['a map', '{"type":"object","additionalProperties":{"type":"number"}}', ['{}', '{"a":1}'], ['{"a":"1"}']],
  [
    'members and a map',
    '{"properties":{"a":{}},"additionalProperties":{"type":"number"}}',
    ['{"a":"1","b":1}'],
    ['{"b":"1"}'],
  ],
  [
    'a member named __proto__',
    '{"type":"object","properties":{"__proto__":{"type":"number"}}}',
    ['{"__proto__":1}', '{}'],
    ['1'],
  ],
  [
    'a required member named __proto__',
    '{"type":"object","required":["a","__proto__"]}',
    ['{"a":1,"__proto__":1}'],
    ['{"__proto__":1}'],
  ],
  [
    'a member named constructor',
    '{"properties":{"constructor":{"type":"number"}}}',
    ['{}', '{"constructor":1}'],
    ['{"constructor":"1"}'],
  ],
  ['names by pattern', '{"patternProperties":{"^n":{"type":"number"}}}', ['{"n":1,"x":"1"}'], ['{"n1":"1"}']],
  [
    'names by pattern, and the rest',
    '{"patternProperties":{"^n":{}},"additionalProperties":{"type":"number"}}',
    ['{"n":"1","x":1}'],
    ['{"x":"1"}'],
  ],
  [
    'names by a pattern that does not compile, and the rest',
    '{"patternProperties":{"(":{}},"additionalProperties":{"type":"number"}}',
    ['{"x":"1"}'],
    [],
  ],
  ['the form of names', '{"propertyNames":{"maxLength":2}}', ['{"ab":1}', '{}', '1'], ['{"abc":1}']],
  [
    'numbers of members',
    '{"minProperties":1,"maxProperties":2}',
    ['{"a":1}', '{"__proto__":1}', '[]'],
    ['{}', '{"a":1,"b":2,"c":3}'],
  ],
  ['what a member requires', '{"dependentRequired":{"a":["b"]}}', ['{}', '{"b":1}', '{"a":1,"b":1}'], ['{"a":1}']],
  ['what a member demands', '{"dependentSchemas":{"a":{"required":["b"]}}}', ['{"b":1}', '{"a":1,"b":1}'], ['{"a":1}']],
  [
    'old dependencies',
    '{"dependencies":{"a":["b"],"c":{"required":["d"]}}}',
    ['{"a":1,"b":1}', '{"c":1,"d":1}'],
    ['{"a":1}', '{"c":1}'],
  ],
  ['all of', '{"allOf":[{"minimum":1},{"maximum":3}]}', ['2', '"a"'], ['0', '4']],
  ['any of', '{"anyOf":[{"type":"string"},{"type":"number","minimum":1}]}', ['"a"', '1'], ['0', 'null']],
  [
    'any of, beside more',
    '{"type":"object","required":["a"],"anyOf":[{"required":["b"]},{"required":["c"]}]}',
    ['{"a":1,"b":1}'],
    ['{"a":1}', '{"b":1}'],
  ],
  ['no alternatives', '{"anyOf":[],"oneOf":[],"allOf":[]}', ['1'], []],
  ['an alternative that is no schema', '{"anyOf":[{"type":"string"},5]}', ['1', '"a"'], []],
  ['one of', '{"oneOf":[{"minimum":2},{"maximum":3}]}', ['1', '4'], ['2', '"a"']],
  [
    'one of closed objects, which unknown members tell apart',
    '{"oneOf":[{"properties":{"a":{}},"required":["a"],"additionalProperties":false},{"properties":{"a":{},"b":{}},"required":["a"]}]}',
    ['{"a":1,"b":2}'],
    ['{"b":2}'],
  ],
  ['one of, with formats in it', '{"oneOf":[{"format":"email"},{"type":"number"}]}', ['"a"'], ['1']],
  ['not', '{"not":{"type":"string"}}', ['1', 'null'], ['"a"']],
  ['not anything', '{"not":{}}', [], ['1']],
  [
    'not what unknown members make',
    '{"not":{"properties":{"a":{}},"additionalProperties":false}}',
    ['{"b":1}', '{"a":1}'],
    [],
  ],
  ['not what we cannot know', '{"not":{"$ref":"https://a.example/schema"}}', ['1', '"a"'], []],
  [
    'if, then, else',
    '{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}}',
    ['"ab"', '2', 'null'],
    ['"a"', '1'],
  ],
  ['if without else', '{"if":{"type":"string"},"then":{"minLength":2}}', ['"ab"', '1'], ['"a"']],
  ['then without if', '{"then":false}', ['1'], []],
  ['if of something unknown', '{"if":{"$ref":"other.json"},"then":{"const":1},"else":{"const":2}}', ['1', '2'], ['3']],
  ['unevaluated members', '{"properties":{"a":{}},"unevaluatedProperties":false}', ['{"b":1}'], []],
  ['a reference to another document', '{"$ref":"https://a.example/schema.json"}', ['1', '"a"'], []],
  ['a reference to nothing', '{"$ref":"#/$defs/none"}', ['1'], []],
  ['a reference that is no text', '{"$ref":5}', ['1'], []],
  ['a reference with a stray %', '{"$ref":"#/%"}', ['1'], []],
];

describe.each(memberCases)('%s', (_title, schema, valid, invalid) => {
  test.each([...valid.map((x) => [x, 'valid'] as const), ...invalid.map((x) => [x, 'invalid'] as const)])(
    '%s is %s',
    (x, outcome) => {
      expect(verdictOn(schema, x)).toBe(outcome);
    },
  );
});

/** The same with the whole schema, and whole arguments. */
const documentCases: readonly Case[] = [
  [
    'a definition',
    '{"properties":{"x":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"number"}}}',
    ['{"x":1}'],
    ['{"x":"1"}'],
  ],
  [
    'an old definition',
    '{"properties":{"x":{"$ref":"#/definitions/n"}},"definitions":{"n":{"type":"number"}}}',
    ['{"x":1}'],
    ['{"x":"1"}'],
  ],
  [
    'a reference to a member',
    '{"properties":{"a":{"type":"number"},"b":{"$ref":"#/properties/a"}}}',
    ['{"b":1}'],
    ['{"b":"1"}'],
  ],
  [
    'an escaped reference',
    '{"properties":{"x":{"$ref":"#/$defs/a~1b%25~0"}},"$defs":{"a/b%~":{"type":"number"}}}',
    ['{"x":1}'],
    ['{"x":"1"}'],
  ],
  [
    'a reference into a list',
    '{"anyOf":[{"required":["a"]}],"properties":{"a":{"$ref":"#/anyOf/0"}}}',
    ['{"a":{"a":1}}'],
    ['{"a":{}}'],
  ],
  ['a reference by inherited name', '{"properties":{"x":{"$ref":"#/constructor"}}}', ['{"x":1}'], []],
  [
    'a reference with more beside it',
    '{"properties":{"x":{"$ref":"#/$defs/n","maximum":3}},"$defs":{"n":{"minimum":1}}}',
    ['{"x":2}'],
    ['{"x":0}', '{"x":4}'],
  ],
  [
    'a reference with more beside it in draft-07',
    `{"$schema":"${DRAFT_7}","properties":{"x":{"$ref":"#/$defs/n","maximum":3}},"$defs":{"n":{"minimum":1}}}`,
    ['{"x":2}', '{"x":4}'],
    ['{"x":0}'],
  ],
  [
    'the whole again',
    '{"type":"object","properties":{"child":{"$ref":"#"},"n":{"type":"number"}}}',
    ['{"child":{"child":{"n":1}}}'],
    ['{"child":{"child":{"n":"1"}}}'],
  ],
  [
    'a tree',
    '{"properties":{"x":{"$ref":"#/$defs/t"}},"$defs":{"t":{"required":["v"],"properties":{"kids":{"items":{"$ref":"#/$defs/t"}}}}}}',
    ['{"x":{"v":1,"kids":[{"v":2,"kids":[]}]}}'],
    ['{"x":{"v":1,"kids":[{"kids":[]}]}}'],
  ],
  [
    'two that refer to each other',
    '{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"b":{"$ref":"#/$defs/b"}}},"b":{"required":["n"],"properties":{"a":{"$ref":"#/$defs/a"}}}}}',
    ['{"b":{"n":1,"a":{"b":{"n":1}}}}'],
    ['{"b":{"n":1,"a":{"b":{}}}}'],
  ],
  ['a reference to itself', '{"properties":{"x":{"$ref":"#/properties/x"}}}', ['{"x":1}'], []],
  [
    'a part that is a document of its own',
    '{"properties":{"x":{"$id":"https://a.example/x","$ref":"#/$defs/n","$defs":{"n":{"type":"string"}}}},"$defs":{"n":{"type":"number"}}}',
    ['{"x":"a"}', '{"x":1}'],
    [],
  ],
  [
    'an anchor',
    '{"properties":{"x":{"$ref":"#n"}},"$defs":{"n":{"$anchor":"n","type":"number"}}}',
    ['{"x":1}', '{"x":"1"}'],
    [],
  ],
  [
    'an $id that is only a fragment',
    '{"properties":{"x":{"$id":"#/properties/x","$ref":"#/$defs/n"}},"$defs":{"n":{"type":"number"}}}',
    ['{"x":1}'],
    ['{"x":"1"}'],
  ],
  [
    'draft-04: exclusive as a switch',
    `{"$schema":"${DRAFT_4}","properties":{"x":{"minimum":1,"exclusiveMinimum":true,"maximum":3,"exclusiveMaximum":false}}}`,
    ['{"x":2}', '{"x":3}'],
    ['{"x":1}', '{"x":4}'],
  ],
  [
    'exclusive as a switch where it is none',
    '{"properties":{"x":{"minimum":1,"exclusiveMinimum":true}}}',
    ['{"x":1}'],
    ['{"x":0}'],
  ],
  ['draft-04 knows no const', `{"$schema":"${DRAFT_4}","properties":{"x":{"const":1}}}`, ['{"x":2}'], []],
  [
    'draft-07 knows no prefixItems',
    `{"$schema":"${DRAFT_7}","properties":{"x":{"prefixItems":[false]}}}`,
    ['{"x":[1]}'],
    [],
  ],
  ['2020-12 knows no dependencies', `{"$schema":"${DRAFT_2020}","dependencies":{"a":["b"]}}`, ['{"a":1}'], []],
  ['an $schema nobody knows', '{"$schema":"urn:mine","properties":{"x":{"const":1}}}', ['{"x":1}'], ['{"x":2}']],
  ['only $schema', `{"$schema":"${DRAFT_7}"}`, ['{}', '{"x":1}'], []],
  ['nothing', '{}', ['{}', '{"x":1}'], []],
  ['no schema at all', 'null', ['{}', '{"x":1}'], []],
];

describe.each(documentCases)('%s', (_title, schemaText, valid, invalid) => {
  test.each([...valid.map((args) => [args, 'valid'] as const), ...invalid.map((args) => [args, 'invalid'] as const)])(
    '%s is %s',
    (args, outcome) => {
      expect(validator.check(schemaText, JSON.parse(args)).outcome).toBe(outcome);
    },
  );
});
