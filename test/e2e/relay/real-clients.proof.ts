import path from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BIN, fixture, freshHome, type Serving, startServe, viaduct, writeConfig } from '../../support/gateway.ts';

const BRIDGE_TOOLS = ['xcode_tools_bridge_status', 'xcode_tools_bridge_sync'];
const IMPLEMENTATION = { name: 'real-client', version: '1.0.0' };

type AnyClient = ClientV1 | ClientV2;

interface Way {
  readonly name: string;
  readonly connect: (serving: Serving, config: string) => Promise<AnyClient>;
}

const stdioParameters = (serving: Serving, config: string) => ({
  command: process.execPath,
  args: [BIN, 'stdio', '--config', config],
  env: { ...(serving.env as Record<string, string>) },
});

const WAYS: Way[] = [
  {
    name: 'SDK v1 over stdio',
    async connect(serving, config) {
      const client = new ClientV1(IMPLEMENTATION);
      await client.connect(new StdioV1(stdioParameters(serving, config)));
      return client;
    },
  },
  {
    name: 'SDK v1 over HTTP',
    async connect(serving) {
      const client = new ClientV1(IMPLEMENTATION);
      await client.connect(new HttpV1(new URL(serving.url)) as never);
      return client;
    },
  },
  {
    name: 'SDK v2 over stdio',
    async connect(serving, config) {
      const client = new ClientV2(IMPLEMENTATION);
      await client.connect(new StdioV2(stdioParameters(serving, config)));
      return client;
    },
  },
  {
    name: 'SDK v2 over HTTP',
    async connect(serving) {
      const client = new ClientV2(IMPLEMENTATION);
      await client.connect(new HttpV2(new URL(serving.url)));
      return client;
    },
  },
];

/** The example config as it is shipped, with what its servers write kept out of the repository. */
function exampleConfig(): string {
  return path.resolve('config.example.yaml');
}

describe('the example config, as `npm start` serves it', () => {
  let serving: Serving;

  beforeAll(async () => {
    // Without a gateway and without a cache the lists of a first run may be late: this is the run that npm start makes.
    const env = { ...process.env };
    await viaduct(['tools', '--config', exampleConfig()], env);
  });

  test.each(WAYS)(
    '$name lists the tools of three real servers and of the bridge, and calls them',
    async ({ connect }) => {
      serving = await startServe(exampleConfig(), { ...process.env });
      const client = await connect(serving, exampleConfig());
      onTestFinished(() => client.close());
      await expect.poll(async () => (await client.listTools()).tools.length).toBeGreaterThan(35);
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining([...BRIDGE_TOOLS, 'everything_echo', 'filesystem_read_text_file', 'memory_read_graph']),
      );
      const text = async (name: string, args: Record<string, unknown>) => {
        const result = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
        return result.content[0]!.text;
      };
      expect(await text('everything_echo', { message: 'hello' })).toBe('Echo: hello');
      expect(await text('filesystem_read_text_file', { path: 'notes.txt' })).toContain('second line');
      expect(JSON.parse(await text('xcode_tools_bridge_status', {}))).toMatchObject({ workflowEnabled: true });
      expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
      const { resources } = await client.listResources();
      expect((await client.readResource({ uri: resources[0]!.uri })).contents.length).toBeGreaterThan(0);
    },
  );

  test('progress of a real server reaches a real client', async () => {
    const client = new ClientV1(IMPLEMENTATION);
    const env = { ...(freshHome() as Record<string, string>), VIADUCT_HOME: process.env.VIADUCT_HOME! };
    await client.connect(
      new StdioV1({ command: process.execPath, args: [BIN, 'stdio', '--config', exampleConfig()], env }),
    );
    onTestFinished(() => client.close());
    const seen: number[] = [];
    const params = { name: 'everything_trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } };
    await client.callTool(params, undefined, { onprogress: ({ progress }) => seen.push(progress) });
    // This SDK drops progress that it reads in one piece with the answer.
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([1, 2, 3].slice(0, seen.length));
  });

  test('sampling, elicitation and roots of a real server reach a real client', async () => {
    const client = new ClientV1(IMPLEMENTATION, { capabilities: { sampling: {}, elicitation: {}, roots: {} } });
    const { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } = await import(
      '@modelcontextprotocol/sdk/types.js'
    );
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'sampled!' },
    }));
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' }));
    client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: [{ uri: 'file:///from-the-client', name: 'r' }],
    }));
    const env = { ...(process.env as Record<string, string>) };
    await client.connect(
      new StdioV1({ command: process.execPath, args: [BIN, 'stdio', '--config', exampleConfig()], env }),
    );
    onTestFinished(() => client.close());
    const text = async (name: string, args: Record<string, unknown> = {}) =>
      JSON.stringify(((await client.callTool({ name, arguments: args })) as { content: unknown[] }).content);
    expect(await text('everything_trigger-sampling-request', { prompt: 'x', maxTokens: 10 })).toContain('sampled!');
    expect(await text('everything_trigger-elicitation-request')).toContain('declined');
    await expect.poll(() => text('everything_get-roots-list')).toContain('file:///from-the-client');
  });
});

test('a server made with SDK v2 behind the gateway, a client made with SDK v2 in front of it', async () => {
  const config = writeConfig({ upstreams: { v2: fixture('sdk-v2') } });
  const client = new ClientV2(IMPLEMENTATION);
  await client.connect(
    new StdioV2({
      command: process.execPath,
      args: [BIN, 'stdio', '--config', config],
      env: freshHome() as Record<string, string>,
    }),
  );
  onTestFinished(() => client.close());
  await expect.poll(async () => (await client.listTools()).tools.map(({ name }) => name)).toEqual(['v2_add']);
  expect(await client.callTool({ name: 'v2_add', arguments: { a: 2, b: 3 } })).toMatchObject({
    structuredContent: { sum: 5 },
  });
});
