import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectStdio, writeConfig } from '../../support/gateway.ts';

const CAPTURE = path.resolve(process.env.VIADUCT_SHARED ?? '../shared', 'data/lists/go-ai-tools.json');

/** The tools of the seed that each workflow has. */
const WORKFLOWS: Readonly<Record<string, readonly string[]>> = {
  language: ['lang_detect', 'lang_list'],
  metrics: ['metrics_record', 'metrics_query'],
  files: [
    'file_read',
    'file_write',
    'file_edit',
    'file_delete',
    'file_rename',
    'file_exists',
    'dir_list',
    'dir_create',
  ],
  process: ['process_start', 'process_stop', 'process_kill', 'process_list', 'process_output', 'process_input'],
  live: ['ws_start', 'ws_info'],
};

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}

interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly annotations?: object;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

type Side = 'input' | 'output';

/**
 * Where one of our schemas says something else than that of the real system. Ours may have more members, as long as
 * nobody who knows the real ones only has to give them, and no "null" beside a type.
 */
function differences(real: Schema, ours: Schema | undefined, side: Side, place: string): string[] {
  if (ours === undefined) return [`${place} is missing`];
  const type = [real.type ?? []].flat().find((name) => name !== 'null');
  if (type === undefined) return [];
  if (ours.type !== type) return [`${place} is ${JSON.stringify(ours.type)}, not ${type}`];
  const members = Object.entries(real.properties ?? {});
  return [
    ...requirementDifferences(real, ours, side, place),
    ...members.flatMap(([name, member]) => differences(member, ours.properties?.[name], side, `${place}.${name}`)),
    ...(real.items === undefined ? [] : differences(real.items, ours.items, side, `${place}[]`)),
  ];
}

function requirementDifferences(real: Schema, ours: Schema, side: Side, place: string): string[] {
  const [theirs, own] = [new Set(real.required), new Set(ours.required)];
  const isMissing = (name: string) => !own.has(name);
  const isTooMuch = (name: string) => side === 'input' && !theirs.has(name);
  return [
    ...[...theirs].filter(isMissing).map((name) => `${place}.${name} is not required`),
    ...[...own].filter(isTooMuch).map((name) => `${place}.${name} is required`),
  ];
}

describe.skipIf(!existsSync(CAPTURE))('tools of the seed have the schemas of the real system', () => {
  test.each(Object.entries(WORKFLOWS))('workflow %s', async (workflow, names) => {
    const real = (JSON.parse(readFileSync(CAPTURE, 'utf8')) as { tools: Tool[] }).tools;
    const client = await connectStdio(writeConfig({ enabledWorkflows: [workflow] }));
    const listed = (await client.request('tools/list')).value.result.tools as Tool[];
    const found = names.flatMap((name) => {
      const theirs = real.find((tool) => tool.name === name)!;
      const ours = listed.find((tool) => tool.name === name);
      if (ours === undefined) return [`${name} is not listed`];
      expect(ours).toMatchObject({ title: expect.any(String), annotations: { readOnlyHint: expect.any(Boolean) } });
      expect(ours.inputSchema.additionalProperties).not.toBe(false);
      return [
        ...differences(theirs.inputSchema, ours.inputSchema, 'input', name),
        ...differences(theirs.outputSchema, ours.outputSchema, 'output', `${name}: result`),
      ];
    });
    expect(found).toEqual([]);
  });
});

describe('a difference between schemas is found', () => {
  const real: Schema = { type: 'object', properties: { a: { type: ['null', 'array'], items: { type: 'string' } } } };

  test.each<[Schema, Side, string[]]>([
    [{ type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }, 'input', []],
    [
      { type: 'object', properties: { a: { type: ['null', 'array'] } } },
      'input',
      ['t.a is ["null","array"], not array'],
    ],
    [{ type: 'object', properties: { a: { type: 'array', items: {} } } }, 'input', ['t.a[] is undefined, not string']],
    [{ type: 'object' }, 'input', ['t.a is missing']],
    [{ ...real, properties: {}, required: ['b'] }, 'output', ['t.a is missing']],
    [{ ...real, properties: {}, required: ['b'] }, 'input', ['t.b is required', 't.a is missing']],
  ])('%j as %s', (ours, side, found) => {
    expect(differences(real, ours, side, 't')).toEqual(found);
  });

  test('of what is always there', () => {
    expect(differences({ type: 'object', required: ['a'] }, { type: 'object' }, 'output', 't')).toEqual([
      't.a is not required',
    ]);
  });
});
