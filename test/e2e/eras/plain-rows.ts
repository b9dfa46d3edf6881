import { expect } from 'vitest';
import type { Column } from './column.ts';

export type Row = readonly [name: string, run: (column: Column) => Promise<void>];

const TOOLS = [
  'echo',
  'meta',
  'progress',
  'burst',
  'log',
  'sample',
  'elicit',
  'elicit_url',
  'roots',
  'ask_all',
  'ask_twice',
  'ask_later',
  'sign_in',
  'wait',
  'release',
  'grow',
  'shrink',
  'touch',
  'exit',
  'nonce',
];
const TRACE = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=1' };

const textOf = (result: any): string => result.content[0].text;

/** One request, one answer. */
export const PLAIN_ROWS: readonly Row[] = [
  [
    'list: the tools of the upstream, each with its schemas',
    async ({ client, named }) => {
      const { tools } = await client.listTools();
      const names = tools.map(({ name }: any) => name);
      expect(names).toEqual(expect.arrayContaining(TOOLS.map(named)));
      const echo = tools.find(({ name }: any) => name === named('echo'));
      expect(echo).toMatchObject({
        description: 'eras: echo',
        inputSchema: { type: 'object' },
        outputSchema: { required: ['text'] },
      });
    },
  ],
  [
    'call: the result with its structured content',
    async ({ client, named }) => {
      const result = await client.call(named('echo'), { text: 'hällo' });
      expect(result).toMatchObject({
        content: [{ type: 'text', text: 'eras: hällo' }],
        structuredContent: { text: 'hällo' },
      });
    },
  ],
  [
    'call: an unknown tool is an error',
    async ({ client, named }) => {
      await expect(client.call(named('nothing'))).rejects.toMatchObject({ code: -32602 });
    },
  ],
  [
    'call: keys of _meta that nobody knows, and the trace context, arrive; what the eras say of clients stays in its era',
    async ({ client, named, upstreamEra }) => {
      const meta = { ...TRACE, 'example.com/key': { deep: [1] } };
      const { 'io.modelcontextprotocol/clientInfo': info, ...seen } = JSON.parse(
        textOf(await client.call(named('meta'), {}, { meta })),
      );
      if (upstreamEra === 'legacy') {
        expect({ info, ...seen }).toEqual(meta);
        return;
      }
      expect(info).toMatchObject({ name: client.name, version: '1.0.0' });
      expect(seen).toEqual({
        ...meta,
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': expect.objectContaining({
          sampling: {},
          elicitation: { form: {}, url: {} },
        }),
      });
    },
  ],
  [
    'resources: lists, templates, contents',
    async ({ client, shown }) => {
      const { resources } = await client.listResources();
      const expected = [shown('eras://one'), shown('eras://asking')];
      expect(resources.map(({ uri }: any) => uri)).toEqual(expect.arrayContaining(expected));
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }: any) => uriTemplate)).toContain(shown('eras://item/{id}'));
      const read = async (uri: string) => (await client.readResource(uri)).contents;
      // By the uri that clients see, and by the server's own, which may stand in a text.
      for (const own of ['eras://one', 'eras://item/7'])
        for (const uri of [shown(own), own]) expect(await read(uri)).toEqual([{ uri, text: `eras has ${own}` }]);
    },
  ],
  [
    'resources: one that there is not is an error in the words of the client’s era',
    async ({ client, upstreamEra }) => {
      const code = client.isModern || upstreamEra !== 'legacy' ? -32602 : -32002;
      await client.readResource('eras://nothing').then(
        () => expect.unreachable(),
        () => undefined,
      );
      const { error } = client.heard.findLast((message) => message.error !== undefined);
      expect(error).toMatchObject({ code, message: expect.stringMatching(/not found/i) });
    },
  ],
  [
    'prompts: list and contents',
    async ({ client, named }) => {
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }: any) => name)).toEqual(expect.arrayContaining([named('greet'), named('asking')]));
      const { messages } = await client.getPrompt(named('greet'), { who: 'Ada' });
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'eras greets Ada' } }]);
    },
  ],
  [
    'completion: of a prompt and of a template',
    async ({ client, named, shown }) => {
      const values = async (ref: object) => (await client.complete(ref, { name: 'who', value: 'A' })).completion.values;
      expect(await values({ type: 'ref/prompt', name: named('greet') })).toEqual(['eras:greet:A']);
      for (const uri of [shown('eras://item/{id}'), 'eras://item/{id}'])
        expect(await values({ type: 'ref/resource', uri })).toEqual(['eras:eras://item/{id}:A']);
    },
  ],
];
