import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repairEntry } from '../../../../../src/upstream/lists/entries/entry-repair.ts';

const repairTool = (text: Buffer) => repairEntry('tool', text);

import { jsonTexts } from '../../../wire/arbitraries.ts';

function repaired(text: string): string {
  const result = repairTool(Buffer.from(text));
  return 'unusable' in result ? result.unusable : result.toString();
}

/** A tool with this input schema, or with these members beside a sound one. */
const withInput = (schema: string) => `{"name":"t","inputSchema":${schema}}`;
const withMember = (member: string) => `{"name":"t",${member}"inputSchema":{"type":"object"}}`;

describe('a tool with which nothing is wrong', () => {
  test.each([
    '{"name":"t","inputSchema":{"type":"object"}}',
    ' { "name" : "t" , "inputSchema" : { "type" : "object" , "properties" : { "a" : { } } , "required" : [ "a" ] } } ',
    '{"inputSchema":{"required":[],"type":"\\u006fbject","x":[1.0,9007199254740993]},"name":"t","é":null}',
    '{"name":"t","title":"T","description":"","annotations":{},"icons":[],"execution":{},"_meta":{"a":1},"inputSchema":{"type":"object"}}',
    '{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}',
    '{"name":"t","inputSchema":{"$schema":"x","type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":true}}}',
  ])('comes back as the very same bytes: %s', (text) => {
    const bytes = Buffer.from(text);
    expect(repairTool(bytes)).toBe(bytes);
  });
});

describe('a fault that is mended', () => {
  test.each([
    ['no inputSchema', '{"name":"t" }', '{"name":"t" ,"inputSchema":{"type":"object"}}'],
    ['an empty inputSchema', withInput('{ }'), withInput('{"type":"object"}')],
    [
      'no type',
      withInput('{ "properties":{"a":{}}, "x":1.0}'),
      withInput('{"type":"object", "properties":{"a":{}}, "x":1.0}'),
    ],
    [
      'true for a property',
      withInput('{"type":"object","properties":{"a": true,"b":{}}}'),
      withInput('{"type":"object","properties":{"a":{},"b":{}}}'),
    ],
    [
      'false for a property',
      withInput('{"type":"object","properties":{"a":false}}'),
      withInput('{"type":"object","properties":{"a":{"not":{}}}}'),
    ],
    [
      'null for a property',
      withInput('{"type":"object","properties":{"a":null}}'),
      withInput('{"type":"object","properties":{"a":{}}}'),
    ],
    ['a bad required', withInput('{"type":"object","required":"a","x":1}'), withInput('{"type":"object","x":1}')],
    [
      'a required of numbers',
      withInput('{"type":"object","required":[1],"x":1}'),
      withInput('{"type":"object","x":1}'),
    ],
    ['null for required', withInput('{"type":"object","x":1,"required":null}'), withInput('{"type":"object","x":1}')],
    ['only a bad required', withInput('{"required":true}'), withInput('{"type":"object"}')],
    ['null for the description', withMember('"description":null,'), '{"name":"t","inputSchema":{"type":"object"}}'],
    ['a number for the title', withMember('"title":1,"x": 2 ,'), '{"name":"t","x":2,"inputSchema":{"type":"object"}}'],
    ['null for annotations', withMember('"annotations":null,'), '{"name":"t","inputSchema":{"type":"object"}}'],
    ['an object for icons', withMember('"icons":{},'), '{"name":"t","inputSchema":{"type":"object"}}'],
    ['an array for _meta', withMember('"_meta":[],'), '{"name":"t","inputSchema":{"type":"object"}}'],
    ['null for execution', withMember('"execution":null,'), '{"name":"t","inputSchema":{"type":"object"}}'],
    ['null for outputSchema', withMember('"outputSchema":null,'), '{"name":"t","inputSchema":{"type":"object"}}'],
    [
      'an array outputSchema',
      withMember('"outputSchema":{"type":"array"},'),
      '{"name":"t","inputSchema":{"type":"object"}}',
    ],
    [
      'an outputSchema without type',
      withMember('"outputSchema":{"properties":{}},'),
      withMember('"outputSchema":{"type":"object","properties":{}},'),
    ],
  ])('%s', (_name, text, expected) => {
    expect(repaired(text)).toBe(expected);
    expect(() => JSON.parse(repaired(text))).not.toThrow();
  });

  test.each([
    ['null for a hint', '"annotations":{"title":null,"readOnlyHint":true},', '"annotations":{"readOnlyHint":true},'],
    ['text for a hint', '"annotations":{"destructiveHint":"true","x":1},', '"annotations":{"x":1},'],
    ['an icon without src', '"icons":[{"sizes":["1x1"]}],', ''],
    ['an unknown task support', '"execution":{"taskSupport":true},', ''],
  ])('%s, further down', (_name, member, expected) => {
    expect(repaired(withMember(member))).toBe(withMember(expected));
  });
});

describe('null and [] in a schema count as absent, at any depth', () => {
  test.each([
    ['null', '{"type":"object"}'],
    ['[]', '{"type":"object"}'],
    ['[ ]', '{"type":"object"}'],
    ['{"type":null}', '{"type":"object"}'],
    ['{"type":[]}', '{"type":"object"}'],
    ['{"type":""}', '{"type":"object"}'],
    ['{"type":["object"]}', '{"type":"object"}'],
    ['{"type":["object","null"],"x":1}', '{"type":"object","x":1}'],
    ['{"type":"object","properties":[]}', '{"type":"object","properties":{}}'],
    ['{"type":"object","properties":null}', '{"type":"object","properties":{}}'],
    ['{"type":"object","$defs":[],"x":1.0}', '{"type":"object","$defs":{},"x":1.0}'],
    ['{"type":"object","properties":{"a":[]}}', '{"type":"object","properties":{"a":{}}}'],
    [
      '{"type":"object","properties":{"a":{"type":"object","properties":[],"required":null,"items":null}}}',
      '{"type":"object","properties":{"a":{"type":"object","properties":{}}}}',
    ],
    [
      '{"type":"object","properties":{"a":{"anyOf":[[],{"properties":null}]}},"allOf":[]}',
      '{"type":"object","properties":{"a":{"anyOf":[{},{"properties":{}}]}}}',
    ],
    [
      '{"type":"object","$defs":{"a":{"items":{"not":[],"type":null,"x":[]}}}}',
      '{"type":"object","$defs":{"a":{"items":{"x":[]}}}}',
    ],
    [
      '{"type":"object","additionalProperties":[],"properties":{"é":{"type":"string"}}}',
      '{"type":"object","properties":{"é":{"type":"string"}}}',
    ],
  ])('%s', (schema, mended) => {
    const tool = JSON.parse(repaired(withInput(schema)));
    expect(tool).toEqual({ name: 't', inputSchema: JSON.parse(mended) });
    expect(repaired(withInput(schema))).toBe(withInput(mended));
    expect(ToolSchema.safeParse(tool).success).toBe(true);
  });

  test.each([
    '{"type":"object","properties":{"a":{"default":null,"enum":[null,[]],"const":[],"examples":[]}}}',
    '{"type":"object","properties":{"null":{"type":["string","null"]}},"required":[]}',
    '{"type":"object","properties":{"properties":{"type":"array","items":true}},"x":{"properties":[]}}',
  ])('what is a value, or no schema, stays: %s', (schema) => {
    expect(repaired(withInput(schema))).toBe(withInput(schema));
  });
});

describe('a tool that cannot be offered', () => {
  test.each([
    ['true', 'inputSchema is not an object'],
    ['"object"', 'inputSchema is not an object'],
    ['{"type":"string"}', 'inputSchema is not of type "object"'],
  ])('%s: %s', (schema, reason) => expect(repaired(withInput(schema))).toBe(reason));
});

describe('official clients', () => {
  const values = fc.constantFrom(
    'null',
    'true',
    '"x"',
    '1',
    '[]',
    '{}',
    '["a"]',
    '[1]',
    '{"type":"object"}',
    '{"title":null}',
  );
  const schemas = fc.oneof(
    values,
    fc
      .subarray(
        [
          '"type":"object"',
          '"type":"object"',
          '"required":["a"]',
          '"required":[null]',
          '"properties":{"a":{},"b":true}',
          '"properties":{}',
        ],
        { minLength: 1 },
      )
      .map((members) => `{${members.join(',')}}`),
  );
  const names = ['title', 'description', 'annotations', 'icons', 'execution', '_meta', 'other'];
  const particular = fc.constantFrom(
    '"annotations":{"readOnlyHint":true,"title":"x"}',
    '"annotations":{"readOnlyHint":"yes"}',
    '"annotations":{"idempotentHint":null}',
    '"icons":[{"src":"x","theme":"dark"}]',
    '"icons":[{"src":1}]',
    '"icons":[{"src":"x","sizes":"1x1"}]',
    '"execution":{"taskSupport":"optional"}',
    '"execution":{"taskSupport":"no"}',
  );
  const members = fc.oneof(
    fc.tuple(fc.constantFrom(...names), values).map(([name, value]) => `"${name}":${value}`),
    fc.tuple(fc.constantFrom('inputSchema', 'outputSchema'), schemas).map(([name, schema]) => `"${name}":${schema}`),
    particular,
    jsonTexts.map((json) => `"extra": ${json}`),
  );
  const tools = fc.array(members, { maxLength: 5 }).map((list) => `{${['"name":"t"', ...list].join(',')}}`);

  test('accept each tool that is offered; what they accept already is left as it is', () => {
    let offered = 0;
    fc.assert(
      fc.property(tools, (text) => {
        const bytes = Buffer.from(text);
        const result = repairTool(bytes);
        const acceptable = ToolSchema.safeParse(JSON.parse(text)).success;
        if ('unusable' in result) expect(acceptable).toBe(false);
        else {
          offered++;
          const tool: unknown = JSON.parse(result.toString());
          expect(ToolSchema.safeParse(tool).error?.issues).toBeUndefined();
          if (acceptable) expect(result).toBe(bytes);
        }
      }),
      { numRuns: 600 },
    );
    expect(offered).toBeGreaterThan(100);
  });
});
