import { expect } from 'vitest';
import type { Label, Stage } from './stage.ts';
import { textsOf } from './stage.ts';

/** A kind of pointer: how a client gets one of an upstream, and what it leads to. */
export type PointerRow = readonly [kind: string, run: (stage: Stage, label: Label) => Promise<void>];

const APP = 'ui://app/main.html';

/** Reads a pointer of an upstream: what comes is that upstream's, under the very uri that was asked for. */
async function expectOwn({ client }: Stage, label: Label, pointer: unknown, own: string): Promise<void> {
  const answer = await client.request('resources/read', { uri: pointer });
  expect({ pointer, texts: textsOf(answer) }).toEqual({ pointer, texts: [`${label} has ${own}`, APP] });
  expect(answer.result.contents[0].uri).toBe(pointer);
  expect(answer.result.contents[1].uri).toBe(own === APP ? pointer : `ui://${label}/app/main.html`);
}

async function toolOf({ client }: Stage, name: string): Promise<any> {
  const { result } = await client.request('tools/list');
  return result.tools.find((tool: any) => tool.name === name);
}

const metaPointers = (_meta: any): unknown[] => [
  _meta.ui.resourceUri,
  _meta['ui/resourceUri'],
  _meta['openai/outputTemplate'],
];

async function expectMeta(stage: Stage, label: Label, _meta: any): Promise<void> {
  const pointers = metaPointers(_meta);
  expect(pointers).toEqual(Array(3).fill(`ui://${label}/app/main.html`));
  await expectOwn(stage, label, pointers[0], APP);
}

/** Blocks in pairs: a link, and an embedded resource with the same uri. The names have the own uris. */
async function expectBlocks(stage: Stage, label: Label, blocks: readonly any[]): Promise<void> {
  const links = blocks.filter(({ type }) => type === 'resource_link');
  const resources = blocks.filter(({ type }) => type === 'resource').map(({ resource }) => resource);
  expect(links.map(({ uri }) => uri)).toEqual(resources.map(({ uri }) => uri));
  for (const [index, { uri, name, icons }] of links.entries()) {
    expect(icons).toEqual([{ src: 'https://example.com/icon.png' }]);
    expect(resources[index].text).toBe(`${label} has ${name}`);
    expect(metaPointers(resources[index]._meta)).toEqual(Array(3).fill(`ui://${label}/app/main.html`));
    await expectOwn(stage, label, uri, name);
  }
}

/** The table of docs/internals/COMPONENTS.md, a row each. */
export const POINTER_ROWS: readonly PointerRow[] = [
  [
    'app of a tool, in all three keys of `_meta`',
    async (stage, label) => {
      await expectMeta(stage, label, (await toolOf(stage, `${label}_show`))._meta);
    },
  ],
  [
    'app of a result, in all three keys of `_meta`',
    async (stage, label) => {
      const { result } = await stage.client.call(`${label}_show`);
      expect(result.content).toEqual([{ type: 'text', text: `${label} shows` }]);
      await expectMeta(stage, label, result._meta);
    },
  ],
  [
    'resource_link and embedded resource in a result, listed and unlisted',
    async (stage, label) => {
      const { result } = await stage.client.call(`${label}_links`);
      expect(result.content).toHaveLength(24);
      expect(result.structuredContent).toEqual({ uri: APP });
      await expectBlocks(stage, label, result.content);
    },
  ],
  [
    'resource_link and embedded resource in a prompt',
    async (stage, label) => {
      const { result } = await stage.client.request('prompts/get', { name: `${label}_p` });
      await expectBlocks(
        stage,
        label,
        result.messages.map(({ content }: any) => content),
      );
    },
  ],
  [
    'resource_link and embedded resource in a sampling message',
    async (stage, label) => {
      const from = stage.client.asked.length;
      await stage.client.call(`${label}_sample`);
      const [{ messages }] = stage.client.asked.slice(from);
      await expectOwn(stage, label, messages[0].content.uri, APP);
      await expectOwn(stage, label, messages[1].content[0].resource.uri, 'memo://one');
      await expectOwn(stage, label, messages[1].content[1].content[0].uri, 'file:///notes.txt');
    },
  ],
  [
    'app of an elicitation',
    async (stage, label) => {
      const from = stage.client.asked.length;
      await stage.client.call(`${label}_elicit`);
      const [{ message, _meta }] = stage.client.asked.slice(from);
      expect(message).toBe(APP);
      await expectOwn(stage, label, _meta.ui.resourceUri, APP);
    },
  ],
  [
    'uri of a listed resource, and of its contents',
    async (stage, label) => {
      const { result } = await stage.client.request('resources/list');
      const offset = result.resources.length / 2;
      const ours = label === 'a' ? result.resources.slice(0, offset) : result.resources.slice(offset);
      expect(ours).toHaveLength(8);
      for (const { uri, name, icons } of ours) {
        expect(icons).toEqual([{ src: name }]);
        await expectOwn(stage, label, uri, name);
      }
    },
  ],
  [
    'uriTemplate: what it makes, and what it completes',
    async (stage, label) => {
      const { result } = await stage.client.request('resources/templates/list');
      const ours = label === 'a' ? result.resourceTemplates.slice(0, 3) : result.resourceTemplates.slice(3);
      for (const { uriTemplate, name } of ours) {
        const filled = (template: string) => template.replace(/\{\w+\}/, 'x%20y');
        await expectOwn(stage, label, filled(uriTemplate), filled(name));
        for (const [ref, own] of [
          [uriTemplate, name],
          [filled(uriTemplate), filled(name)],
        ]) {
          const params = { ref: { type: 'ref/resource', uri: ref }, argument: { name: 'x', value: '' } };
          const { result: completed } = await stage.client.request('completion/complete', params);
          expect(completed.completion.values).toEqual([`${label} completes ${own}`]);
        }
      }
    },
  ],
  [
    '`data.uri` of an error',
    async (stage, label) => {
      const uri = `memo://${label}/missing`;
      const { error } = await stage.client.request('resources/read', { uri });
      expect(error).toMatchObject({ message: 'memo://missing not found', data: { uri } });
      const failed = await stage.client.call(`${label}_fail`);
      expect(failed.error).toMatchObject({ message: APP, data: { uri: `ui://${label}/app/main.html` } });
    },
  ],
  [
    'resource updated, of listed and unlisted resources',
    async ({ client }, label) => {
      const { result } = await client.request('resources/list');
      const half = result.resources.length / 2;
      const listed = (of: Label, own: string) =>
        (of === 'a' ? result.resources.slice(0, half) : result.resources.slice(half)).find(
          ({ name }: any) => name === own,
        ).uri;
      const resources: readonly (readonly [own: string, uri: (of: Label) => string])[] = [
        ['memo://one', (of) => listed(of, 'memo://one')],
        ['file:///notes.txt', (of) => listed(of, 'file:///notes.txt')],
        ['memo://item/9', (of) => `memo://${of}/item/9`],
        ['file:///watched', (of) => `viaduct://${of}/file:///watched`],
      ];
      const other = label === 'a' ? 'b' : 'a';
      const count = (uri: string) => client.updates().filter((told) => told === uri).length;
      for (const [own, uri] of resources) {
        await client.subscribe(uri(label));
        const others = count(uri(other));
        const before = count(uri(label));
        // A stream of changes of a modern upstream may have to be opened first.
        await expect
          .poll(async () => {
            await client.call(`${label}_touch`, { uri: own });
            return count(uri(label));
          })
          .toBeGreaterThan(before);
        expect(count(uri(other))).toBe(others);
      }
    },
  ],
  [
    'skills: entries, files and directories',
    async (stage, label) => {
      const { client } = stage;
      const { result } = await client.request('skills/list');
      const ours = result.skills.filter(({ frontmatter }: any) => frontmatter.description.startsWith(label));
      expect(ours.map(({ uri }: any) => uri)).toEqual([
        `skill://${label}/refunds/SKILL.md`,
        `skill://${label}/taxes/SKILL.md`,
      ]);
      for (const entry of ours) {
        const { name, description } = entry.frontmatter;
        expect(description).toBe(`${label} says skill://${name}/SKILL.md`);
        const files = entry.resources.map(({ uri }: any) => uri);
        expect(files).toEqual([entry.uri, `skill://${label}/${name}/templates/a.md`]);
        for (const uri of files) await expectOwn(stage, label, uri, uri.replace(`//${label}/`, '//'));
        expect((await client.request('skills/get', { uri: entry.uri })).result.skill).toEqual(entry);
        const uri = `skill://${label}/${name}/templates`;
        const directory = await client.request('resources/directory/read', { uri, cursor: 'c' });
        expect(directory.result).toMatchObject({ resources: [{ uri: `${uri}/a.md`, description: label }] });
      }
      const unknown = await client.request('skills/get', { uri: `skill://${label}/no/such` });
      expect(unknown.error).toMatchObject({ code: -32602, data: { uri: `skill://${label}/no/such` } });
    },
  ],
];
