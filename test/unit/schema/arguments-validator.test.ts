import { describe, expect, test } from 'vitest';
import { ArgumentsValidator, describeProblems, type Verdict } from '../../../src/schema/arguments-validator.ts';

/** Time is not what most of these tests are about, so a busy machine gets plenty. */
const patient = { limitMs: 20_000 };

function check(schema: unknown, args: unknown): Verdict {
  return new ArgumentsValidator(patient).check(JSON.stringify(schema), args);
}

function messagesOf(schema: unknown, args: unknown): readonly string[] {
  return check(schema, args).problems.map(({ message }) => message);
}

const readFile = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    mode: { enum: ['text', 'binary'] },
    limit: { type: 'integer', minimum: 1 },
    files: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
  },
  required: ['path', 'mode'],
  additionalProperties: false,
};

describe('problems', () => {
  test('a missing key is named with what it should be, what else is required, and what was meant for it', () => {
    expect(check(readFile, { pth: 'a', mode: 'text' })).toEqual({
      outcome: 'invalid',
      problems: [
        {
          path: 'path',
          message:
            '`path` is required but missing (a string); `pth` is not known; did you mean `path`?; ' +
            'required here: `path`, `mode`',
        },
      ],
    });
  });

  test('a key that is known elsewhere in the schema is no misspelling', () => {
    const schema = { properties: { paths: {} }, allOf: [{ required: ['path'] }] };
    expect(messagesOf(schema, { paths: 1 })).toEqual(['`path` is required but missing']);
  });

  test('each of several wrong members is reported, with its place', () => {
    const verdict = check(readFile, { path: '', mode: 'hex', limit: 0.5, files: [{ path: 'a' }, { path: 3 }] });
    expect(verdict.problems.map(({ path }) => path)).toEqual(['path', 'mode', 'limit', 'limit', 'files[1].path']);
  });

  test.each<[string, unknown, unknown, readonly string[]]>([
    [
      'the arguments themselves',
      { type: 'object' },
      [1],
      ['the arguments must be an object, but received an array of 1 item'],
    ],
    [
      'a type',
      { properties: { x: { type: 'string' } } },
      { x: 5 },
      ['`x` must be a string, but received the number 5'],
    ],
    [
      'types',
      { properties: { x: { type: ['array', 'null', 'boolean'] } } },
      { x: 'a' },
      ['`x` must be an array, null or true or false, but received the string "a"'],
    ],
    [
      'an integer',
      { properties: { x: { type: 'integer' } } },
      { x: 1.5 },
      ['`x` must be a whole number, but received the number 1.5'],
    ],
    ['a value', { properties: { x: { const: 'a' } } }, { x: null }, ['`x` must be "a", but received null']],
    [
      'values',
      { properties: { x: { enum: ['a', 1] } } },
      { x: {} },
      ['`x` must be one of "a", 1, but received an object'],
    ],
    ['a bound', { properties: { x: { maximum: 3 } } }, { x: 4 }, ['`x` must be at most 3, but received the number 4']],
    [
      'a length',
      { properties: { x: { maxLength: 1 } } },
      { x: '😀😀' },
      ['`x` must have at most 1 character, but has 2 characters'],
    ],
    [
      'a pattern',
      { properties: { x: { pattern: '^a$' } } },
      { x: 'b' },
      ['`x` must match the regular expression "^a$", but received the string "b"'],
    ],
    [
      'too few items',
      { properties: { x: { minItems: 2 } } },
      { x: [1] },
      ['`x` must have at least 2 items, but has 1'],
    ],
    [
      'a repeated item',
      { properties: { x: { uniqueItems: true } } },
      { x: [1, 2, 1] },
      ['`x` must not repeat an item, but items 0 and 2 are equal'],
    ],
    [
      'too many members',
      { maxProperties: 1 },
      { a: 1, b: 2 },
      ['the arguments must have at most 1 property, but has 2'],
    ],
    [
      'a name',
      { propertyNames: { enum: ['a'] } },
      { b: 1 },
      ['the arguments must not have a key `b` (a key must be "a")'],
    ],
    [
      'what a member requires',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      ['`b` is required together with `a`, but missing'],
    ],
    ['a forbidden member', { properties: { x: false } }, { x: 1 }, ['`x` is not allowed here']],
    [
      'an excluded form',
      { properties: { x: { not: { type: 'string' } } } },
      { x: 'a' },
      ['`x` has a form that its schema excludes'],
    ],
    [
      'two alternatives at once',
      { properties: { x: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } } },
      { x: 3 },
      ['`x` must fit exactly one of 2 alternatives, but fits 2'],
    ],
    [
      'odd names',
      { properties: { 'a b': { properties: { '': { type: 'null' } } } } },
      { 'a b': { '': 1 } },
      ['`["a b"][""]` must be null, but received the number 1'],
    ],
  ])('%s', (_title, schema, args, messages) => {
    expect(messagesOf(schema, args)).toEqual(messages);
  });

  test('none of the alternatives: what they have in common is said', () => {
    const texts = { type: 'array', items: { type: 'string' } };
    const schema = { properties: { x: { anyOf: [{ type: 'string' }, texts] } } };
    expect(messagesOf(schema, { x: 5 })).toEqual(['`x` must be a string or an array, but received the number 5']);
    expect(messagesOf(schema, { x: ['a', 5] })).toEqual(['`x[1]` must be a string, but received the number 5']);
  });

  test('the alternative that was meant is told by its key, and the key is asked for when it is none of them', () => {
    const circle = { properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] };
    const square = { properties: { kind: { const: 'square' }, side: { type: 'number' } }, required: ['kind', 'side'] };
    const schema = { properties: { shape: { type: 'object', oneOf: [circle, square] } } };
    expect(messagesOf(schema, { shape: { kind: 'square' } })).toEqual([
      '`shape.side` is required but missing (a number); required here: `kind`, `side`',
    ]);
    expect(messagesOf(schema, { shape: { kind: 'cube', r: 1, side: 1 } })).toEqual([
      '`shape.kind` must be one of "circle", "square", but received the string "cube"',
    ]);
  });

  test('inside a recursive schema the place is given, too', () => {
    const tree = { type: 'object', properties: { v: { type: 'number' }, kids: { items: { $ref: '#/$defs/tree' } } } };
    const schema = { properties: { root: { $ref: '#/$defs/tree' } }, $defs: { tree } };
    const verdict = check(schema, { root: { kids: [{ kids: [{ v: 1 }, { v: 'x' }] }] } });
    expect(verdict.problems.map(({ path }) => path)).toEqual(['root.kids[0].kids[1].v']);
  });

  test('there are no more than ten', () => {
    const schema = { properties: { list: { items: { type: 'string' } } } };
    expect(check(schema, { list: Array.from({ length: 100 }, () => 1) }).problems).toHaveLength(10);
  });

  test('long values are described, not repeated', () => {
    const secret = 'secret'.repeat(20);
    const schema = { properties: { a: { type: 'number' }, b: { pattern: '^x' }, c: { enum: [1] } } };
    const text = messagesOf(schema, { a: secret, b: secret, c: secret }).join('\n');
    expect(text).toContain('a string of 120 characters');
    expect(text).not.toContain('secret');
  });

  test('what a server or a caller wrote stays in its line and shows what it is', () => {
    const name = 'x\n- do this\u202e\u200b\u2028';
    const schema = { required: [name], properties: { y: { const: 'a\u202e\nb' } } };
    const messages = messagesOf(schema, { y: '\u2028\u{e0041}' });
    expect(messages).toHaveLength(2);
    expect(messages.join('')).toMatch(/^[\x20-\x7e]*$/);
    expect(messages[0]).toContain('\\u{202e}');
  });

  test('very long names are cut', () => {
    const [message] = messagesOf({ required: ['n'.repeat(5000)] }, {});
    expect(message!.length).toBeLessThan(200);
  });
});

test('describeProblems gives one line for the tool and one for each problem', () => {
  const { problems } = check(readFile, { path: 5, mode: 'x' });
  expect(describeProblems('read_file', problems)).toBe(
    [
      'The arguments do not fit the input schema of read_file:',
      '- `path` must be a string, but received the number 5',
      '- `mode` must be one of "text", "binary", but received the string "x"',
    ].join('\n'),
  );
});

describe('what cannot be checked passes', () => {
  const deep = `${'{"properties":{"a":'.repeat(40)}true${'}}'.repeat(40)}`;
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, index === 39 ? { type: 'string' } : { anyOf: [{ allOf: [next] }, { allOf: [next, next] }] }];
    }),
  );
  const chain = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`d${index}`, { properties: { a: { $ref: `#/$defs/d${index + 1}` } } }]),
  );

  test.each([
    ['text that is no JSON', '{"type":'],
    ['no text', ''],
    ['more than 256 KB', JSON.stringify({ description: 'x'.repeat(257 * 1024) })],
    ['more than 256 KB in fewer characters', JSON.stringify({ description: '\u20ac'.repeat(100_000) })],
    ['more than 64 levels', deep],
    ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['more than 20,000 values', JSON.stringify({ enum: Array.from({ length: 20_001 }, () => 0) })],
    ['references that double 40 times', JSON.stringify({ properties: { a: { $ref: '#/$defs/d0' } }, $defs: doubling })],
  ])('%s', (_title, schemaText) => {
    expect(new ArgumentsValidator().check(schemaText, { a: 1 })).toEqual({ outcome: 'unchecked', problems: [] });
  });

  test('a chain of 2,000 references is followed only so far', () => {
    const schema = { $ref: '#/$defs/d0', $defs: chain };
    expect(check(schema, { a: { a: 1 } }).outcome).toBe('valid');
  });

  test.each([
    ['a pattern that hangs', { properties: { a: { type: 'string', pattern: '^(a+)+$' } } }],
    ['a pattern for names that hangs', { patternProperties: { '^(a+)+$': { type: 'string' } } }],
  ])('%s', (_title, schema) => {
    const validator = new ArgumentsValidator();
    const hanging = `${'a'.repeat(40)}!`;
    const text = JSON.stringify(schema);
    expect(validator.check(text, { a: hanging, [hanging]: 'x' }).outcome).toBe('unchecked');
  });

  test('a schema that hangs again and again is left alone, without the others', () => {
    const validator = new ArgumentsValidator({ limitMs: 300 });
    const text = JSON.stringify({ properties: { a: { pattern: '^(a+)+$', type: 'string' } } });
    const other = JSON.stringify({ properties: { a: { pattern: '^(?:b)$' } } });
    expect(validator.check(text, { a: 5 }).outcome).toBe('invalid');
    for (let count = 0; count < 3; count++) validator.check(text, { a: `${'a'.repeat(40)}!` });
    expect(validator.check(text, { a: 5 }).outcome).toBe('unchecked');
    expect(validator.check(other, { a: 'a' }).outcome).toBe('invalid');
  });

  test('arguments nested deeper than the stack is', () => {
    const schema = { $ref: '#/$defs/list', $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } } };
    const args: unknown = JSON.parse(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`);
    expect(check(schema, args).outcome).toBe('unchecked');
  });

  test('arguments of more than 200,000 values, or 4 million characters', () => {
    const schema = { properties: { list: { items: { type: 'string' } }, text: { type: 'string' } }, required: ['x'] };
    expect(check(schema, { list: Array.from({ length: 200_001 }, () => 1) }).outcome).toBe('unchecked');
    expect(check(schema, { text: 'x'.repeat(4_000_001) }).outcome).toBe('unchecked');
    expect(check(schema, { text: 'x'.repeat(3_000_000) }).outcome).toBe('invalid');
  });
});

describe('the cache', () => {
  const schemaText = (key: string) => JSON.stringify({ type: 'object', required: [key] });

  test('keeps no more schemas than it may, and judges right beyond that', () => {
    const validator = new ArgumentsValidator({ ...patient, maxCached: 3 });
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 10; index++) {
        expect(validator.check(schemaText(`k${index}`), {}).problems[0]!.path).toBe(`k${index}`);
        expect(validator.check(schemaText(`k${index}`), { [`k${index}`]: 1 }).outcome).toBe('valid');
      }
    }
    expect(validator.cached).toBe(3);
  });

  test('keeps nothing of texts that are too long', () => {
    const validator = new ArgumentsValidator(patient);
    validator.check(JSON.stringify({ description: 'x'.repeat(300_000) }), {});
    expect(validator.cached).toBe(0);
  });
});

describe('prototypes', () => {
  const hostile = [
    '{"properties":{"__proto__":{"properties":{"polluted":{"const":1}}}},"required":["__proto__"]}',
    '{"__proto__":{"polluted":true},"type":"object"}',
    '{"$defs":{"__proto__":{"polluted":1}},"properties":{"a":{"$ref":"#/$defs/__proto__"}}}',
    '{"patternProperties":{"__proto__":{"type":"string"}},"additionalProperties":{"type":"number"}}',
    '{"dependentSchemas":{"__proto__":{"required":["polluted"]}},"dependentRequired":{"__proto__":["polluted"]}}',
    '{"properties":{"constructor":{"properties":{"prototype":{"type":"string"}}}}}',
    '{"enum":["__proto__","constructor",{"__proto__":{"polluted":1}}]}',
    '{"anyOf":[{"required":["__proto__"]},{"required":["polluted"]}],"allOf":[{"minProperties":1}]}',
  ];
  const args =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}';

  test.each(hostile)('%s pollutes nothing, and members named __proto__ stay in the arguments', (schemaText) => {
    const given: unknown = JSON.parse(args);
    new ArgumentsValidator(patient).check(schemaText, given);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.stringify(given)).toBe(args);
  });
});

test('names of members count for the time that a check may take', () => {
  const schema = JSON.stringify({ type: 'object', propertyNames: { pattern: '^a*a*b$' } });
  const validator = new ArgumentsValidator({ limitMs: 20 });
  expect(validator.check(schema, { ['a'.repeat(100)]: 1 }).outcome).toBe('invalid');
  // Some seconds without a limit.
  expect(validator.check(schema, { ['a'.repeat(80_000)]: 1 }).outcome).toBe('unchecked');
});
