import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parameterHeaders, parameterValue } from '../../../../src/era/http/parameter-headers.ts';

function declared(schema: unknown) {
  const text = Buffer.from(typeof schema === 'string' ? schema : JSON.stringify(schema));
  return parameterHeaders(text, { start: 0, end: text.length });
}

const marked = (more: object = {}) => ({ type: 'string', 'x-mcp-header': 'Region', ...more });

test('declarations are found at any depth of properties', () => {
  const schema = {
    type: 'object',
    properties: {
      region: marked(),
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      where: { type: 'object', properties: { deep: { type: 'boolean', 'x-mcp-header': 'a.b!' } } },
      plain: { type: 'number' },
    },
  };
  expect(declared(schema)).toEqual([
    { header: 'Mcp-Param-Region', path: ['region'], type: 'string' },
    { header: 'Mcp-Param-Count', path: ['count'], type: 'integer' },
    { header: 'Mcp-Param-a.b!', path: ['where', 'deep'], type: 'boolean' },
  ]);
});

test('properties that are only called so are none', () => {
  const properties = { 'x-mcp-header': { type: 'string' }, properties: { type: 'string' } };
  expect(declared({ type: 'object', properties, required: ['x-mcp-header'] })).toEqual([]);
});

test('a property may have any name', () => {
  const schema = `{"properties":{"__proto__":{"type":"string","x-mcp-header":"P"},"":{"type":"string","x-mcp-header":"E"}}}`;
  expect(declared(schema)).toEqual([
    { header: 'Mcp-Param-P', path: ['__proto__'], type: 'string' },
    { header: 'Mcp-Param-E', path: [''], type: 'string' },
  ]);
});

test('a declaration that is spelt with escapes is one', () => {
  const schema = `{"properties":{"a":{"type":"string","x\\u002dmcp-header":"A"}}}`;
  expect(declared(schema)).toEqual([{ header: 'Mcp-Param-A', path: ['a'], type: 'string' }]);
});

test('data in a schema is not read as schemas', () => {
  const data = { 'x-mcp-header': 'No' };
  const schema = { properties: { a: { default: data, const: data, enum: [data], examples: [data] } } };
  expect(declared(schema)).toEqual([]);
});

describe('a declaration is against the rules', () => {
  test.each<[string, unknown]>([
    ['with an empty name', marked({ 'x-mcp-header': '' })],
    ['with a blank', marked({ 'x-mcp-header': 'My Region' })],
    ['with a colon', marked({ 'x-mcp-header': 'Region:Primary' })],
    ['with a letter that is not ASCII', marked({ 'x-mcp-header': 'Région' })],
    ['with a control character', marked({ 'x-mcp-header': 'Region\t1' })],
    ['with a line feed at its end', marked({ 'x-mcp-header': 'Region\n' })],
    ['with a name that is no text', marked({ 'x-mcp-header': 7 })],
    ['on a number', marked({ type: 'number' })],
    ['on an object', marked({ type: 'object' })],
    ['on an array', marked({ type: 'array' })],
    ['on null', marked({ type: 'null' })],
    ['on several types', marked({ type: ['string', 'null'] })],
    ['on no type', marked({ type: undefined })],
    ['in items', { type: 'array', items: marked() }],
    ['in items of items', { type: 'array', prefixItems: [{ items: marked() }] }],
    ['in oneOf', { oneOf: [marked()] }],
    ['in anyOf, below properties', { anyOf: [{ properties: { b: marked() } }] }],
    ['in not', { not: marked() }],
    ['in if', { if: { properties: { b: marked() } } }],
    ['in additionalProperties', { additionalProperties: marked() }],
    ['in patternProperties', { patternProperties: { '^x': marked() } }],
    ['in a keyword that nobody knows', { 'x-more': { deep: marked() } }],
  ])('%s', (_what, property) => {
    expect(declared({ type: 'object', properties: { a: property } })).toEqual({ problem: expect.any(String) });
  });

  test.each<[string, object]>([
    ['on the whole schema', { type: 'string', 'x-mcp-header': 'Root' }],
    ['in $defs', { $defs: { a: marked() }, properties: { b: { $ref: '#/$defs/a' } } }],
    ['in allOf', { allOf: [{ properties: { a: marked() } }] }],
    ['twice', { properties: { a: marked(), b: marked() } }],
    ['twice, in other letters', { properties: { a: marked(), b: marked({ 'x-mcp-header': 'rEGION' }) } }],
  ])('%s', (_what, schema) => {
    expect(declared({ type: 'object', ...schema })).toEqual({ problem: expect.any(String) });
  });

  test('and the reason says where', () => {
    const deep = { properties: { where: { properties: { at: marked({ type: 'number' }) } } } };
    expect(declared(deep)).toEqual({
      problem: 'x-mcp-header at where.at: its property must be of the type string, integer or boolean',
    });
  });
});

describe('parameterValue', () => {
  const read = (args: string, ...path: string[]) => {
    const text = Buffer.from(args);
    return parameterValue(text, { start: 0, end: text.length }, path);
  };

  test.each([
    ['"us"', 'us'],
    ['""', ''],
    ['"\\u00e9\\n"', 'é\n'],
    ['"€"', '€'],
    ['true', 'true'],
    ['false', 'false'],
    ['42', '42'],
    ['-7', '-7'],
    ['42.0', '42'],
    ['1e3', '1000'],
    ['-0', '0'],
    ['9007199254740991', '9007199254740991'],
    ['9007199254740992', undefined],
    ['1e400', undefined],
    ['null', undefined],
    ['{"a":1}', undefined],
    ['["x"]', undefined],
  ])('%s is %j', (token, value) => expect(read(`{"a": ${token} }`, 'a')).toBe(value));

  test('is found below other arguments', () => expect(read('{"a":{"b":{"c":1}}}', 'a', 'b', 'c')).toBe('1'));

  test('is absent where the way to it ends', () => {
    expect(read('{}', 'a')).toBeUndefined();
    expect(read('{"a":"b"}', 'a', 'b')).toBeUndefined();
    expect(read('{"a":[{"b":1}]}', 'a', '0')).toBeUndefined();
    expect(read('{}', '__proto__', 'constructor')).toBeUndefined();
    expect(parameterValue(Buffer.from(''), undefined, ['a'])).toBeUndefined();
  });

  test('of several members with one name the last one counts, as in JSON.parse', () => {
    expect(read('{"a":1,"a":2}', 'a')).toBe('2');
  });
});

test('no schema makes the search throw', () => {
  const key = fc.constantFrom('x-mcp-header', 'properties', 'items', 'type', '$defs', 'anyOf', 'a', 'default');
  const leaf = fc.constantFrom('string', 'integer', 'number', 'Region', '', null, true, 1);
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.dictionary(key, tie('schema'), { maxKeys: 5 }),
      fc.array(tie('schema'), { maxLength: 3 }),
    ),
  }));
  fc.assert(
    fc.property(schema, (any) => {
      const found = declared(JSON.stringify(any));
      if ('problem' in found) return;
      const names = found.map(({ header }) => header.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});
