import { expect, test } from 'vitest';
import type { Descriptor } from '../../../../src/core/providers/provider.ts';
import { schemaOf } from '../../../../src/policy/steps/tool-schemas.ts';

const tool = (json: string) => ({ kind: 'tool', text: Buffer.from(json).toString('latin1') }) as Descriptor;

test('each schema of a tool is given as the server wrote it, however often and in which order it is asked for', () => {
  const [input, output] = ['{ "title": "größe" }', '{"type":"object"}'];
  const both = tool(`{"name":"t","outputSchema":${output},"inputSchema":${input}}`);
  for (let times = 0; times < 2; times++) {
    expect(schemaOf(both, 'outputSchema')).toBe(output);
    expect(schemaOf(both, 'inputSchema')).toBe(input);
  }
});

test('a tool without a schema has none, and no other tool’s', () => {
  const [some, without] = [tool('{"name":"t","outputSchema":{}}'), tool('{"name":"t"}')];
  for (let times = 0; times < 2; times++) {
    expect(schemaOf(some, 'outputSchema')).toBe('{}');
    expect(schemaOf(without, 'outputSchema')).toBeUndefined();
    expect(schemaOf(some, 'inputSchema')).toBeUndefined();
  }
});
