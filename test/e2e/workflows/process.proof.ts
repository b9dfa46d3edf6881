import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { killWithProcesses } from '../../../scripts/faults/long/process-trees.ts';
import { Scene } from '../../../scripts/faults/scene.ts';
import { CLIENT_KINDS, type ClientKind, connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import { BIN, freshHome, openServe, startServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { isAlive } from '../../support/processes.ts';

function configIn(folder: string, options: object = {}, more: object = {}): string {
  const config = {
    enabledWorkflows: ['process'],
    workspace: { root: folder },
    workflows: { process: options },
    ...more,
  };
  return writeConfig(config, folder);
}

async function clientOf(kind: ClientKind, where: Parameters<typeof connectClient>[2]): Promise<EraClient> {
  const client = await connectClient(kind, 'tester', where);
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

async function stdioClient(kind: ClientKind, config: string): Promise<EraClient> {
  const args = [BIN, 'stdio', '--config', config];
  return clientOf(kind, { command: process.execPath, args, env: freshHome() as Record<string, string> });
}

/** What a tool answers, or the words of its failure. */
async function call(client: EraClient, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { structuredContent, content, isError } = await client.call(name, args);
  if (isError === true) return content[0].text as string;
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  return structuredContent;
}

/** The calls of the seed's text, one after the other: the tool, its arguments, and what it answers. */
const CALLS: readonly (readonly [string, object, unknown])[] = [
  ['process_list', {}, { processes: [], total: 0 }],
  ['process_start', { command: '' }, expect.stringContaining('command')],
  ['process_start', {}, expect.stringContaining('command')],
  [
    'process_start',
    { command: 'sh', args: ['-c', 'echo "$GREETING"; cat; exit 3'], env: ['GREETING=hi there'] },
    {
      id: 'proc-1',
      pid: expect.any(Number),
      command: 'sh',
      args: ['-c', 'echo "$GREETING"; cat; exit 3'],
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
    },
  ],
  [
    'process_list',
    { running_only: true },
    {
      processes: [
        {
          id: 'proc-1',
          command: 'sh',
          args: expect.any(Array),
          dir: expect.any(String),
          status: 'running',
          pid: expect.any(Number),
          exitCode: 0,
          startedAt: expect.any(String),
          duration: expect.any(Number),
        },
      ],
      total: 1,
    },
  ],
  ['process_input', { id: 'proc-1', input: '' }, expect.stringContaining('must not be empty')],
  ['process_input', { id: 'proc-9', input: 'x' }, expect.stringContaining('no process proc-9')],
  ['process_input', { id: 'proc-1', input: 'typed' }, { id: 'proc-1', success: true, message: expect.any(String) }],
  [
    'process_input',
    { id: 'proc-1', input: '\n', close: true },
    { id: 'proc-1', success: true, message: expect.any(String) },
  ],
  ['until it has ended', { id: 'proc-1' }, { status: 'exited', exitCode: 3 }],
  [
    'process_output',
    { id: 'proc-1' },
    {
      id: 'proc-1',
      output: 'hi there\ntyped\n',
      offset: 0,
      nextOffset: 15,
      dropped: 0,
      status: 'exited',
    },
  ],
  [
    'process_output',
    { id: 'proc-1', offset: 9, limit: 5 },
    expect.objectContaining({ output: 'typed', offset: 9, nextOffset: 14 }),
  ],
  ['process_output', { id: 'proc-9' }, expect.stringContaining('no process proc-9')],
  ['process_input', { id: 'proc-1', input: 'x' }, expect.stringContaining('ended with exit code 3')],
  ['process_stop', { id: 'proc-1' }, { id: 'proc-1', success: false, message: expect.any(String) }],
  ['process_start', { command: 'sleep', args: ['300'] }, expect.objectContaining({ id: 'proc-2' })],
  ['process_stop', { id: 'proc-2' }, { id: 'proc-2', success: true, message: 'proc-2 was ended by SIGTERM' }],
  ['process_start', { command: 'sleep', args: ['300'] }, expect.objectContaining({ id: 'proc-3' })],
  ['process_kill', { id: 'proc-3' }, { id: 'proc-3', success: true, message: 'proc-3 was ended by SIGKILL' }],
  ['until it has ended', { id: 'proc-3' }, { status: 'killed', exitCode: -1 }],
  ['process_kill', { id: 'proc-9' }, expect.stringContaining('no process proc-9')],
  ['process_list', { running_only: true }, { processes: [], total: 0 }],
];

test.each(CLIENT_KINDS)('the calls of the seed, by a client %s', async (kind) => {
  const client = await stdioClient(kind, configIn(temporaryFolder()));
  const infoOf = async (id: unknown) =>
    (await call(client, 'process_list')).processes.find((info: { id: unknown }) => info.id === id);
  for (const [name, args, expected] of CALLS) {
    if (name.startsWith('process_')) expect(await call(client, name, { ...args })).toEqual(expected);
    else await expect.poll(() => infoOf((args as { id: string }).id)).toMatchObject(expected as object);
  }
});

test.each(['v1', 'v2 pinned'] as const)('a client %s hears of the output as a resource', async (kind) => {
  const client = await stdioClient(kind, configIn(temporaryFolder()));
  const uri = 'process://proc-1/output';
  await call(client, 'process_start', { command: 'cat' });
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates).toMatchObject([{ uriTemplate: 'process://{id}/output', mimeType: 'text/plain' }]);
  expect((await client.listResources()).resources).toEqual([]);
  await client.subscribe(uri);
  const updates = () => client.heard.filter(({ method }) => method === 'notifications/resources/updated');
  await expect
    .poll(async () => {
      await call(client, 'process_input', { id: 'proc-1', input: 'x' });
      return updates().length;
    })
    .toBeGreaterThan(0);
  expect(updates()[0].params.uri).toBe(uri);
  await expect.poll(async () => (await client.readResource(uri)).contents[0].text).toMatch(/^x+$/);
});

describe('whose a process is', () => {
  test('only its session knows of it, and it ends with it', async () => {
    const { url } = await openServe(configIn(temporaryFolder()));
    const [first, second] = [await clientOf('v1', { url }), await clientOf('v1', { url })];
    const { id, pid } = await call(first, 'process_start', { command: 'sleep', args: ['300'] });
    expect(await call(second, 'process_list')).toEqual({ processes: [], total: 0 });
    expect(await call(second, 'process_kill', { id })).toContain('no process');
    await expect(second.readResource(`process://${id}/output`)).rejects.toThrow();
    expect(isAlive(pid)).toBe(true);
    await first.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test('all have them where the config says so, until the gateway ends', async () => {
    const { url, child } = await startServe(configIn(temporaryFolder(), { share: 'gateway' }));
    const [first, second] = [await clientOf('v1', { url }), await clientOf('v2 pinned', { url })];
    const { id, pid } = await call(first, 'process_start', { command: 'sleep', args: ['300'] });
    expect((await second.listResources()).resources).toMatchObject([{ uri: `process://${id}/output` }]);
    await first.close();
    expect(await call(second, 'process_list')).toMatchObject({ total: 1 });
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    expect(isAlive(pid)).toBe(false);
  });
});

test('processes go on when the config changes elsewhere, and end when their own options do', async () => {
  const folder = realpathSync(temporaryFolder());
  const config = configIn(folder);
  const { url } = await openServe(config);
  const client = await clientOf('v1', { url });
  const { pid } = await call(client, 'process_start', { command: 'sleep', args: ['300'] });
  const rewrite = (options: object, more: object) =>
    writeFileSync(
      config,
      JSON.stringify({
        schemaVersion: 1,
        enabledWorkflows: ['process', 'gateway'],
        workspace: { root: folder },
        workflows: { process: options },
        ...more,
      }),
    );
  rewrite({}, { limits: { frameBytes: 5_000_000 } });
  await expect
    .poll(async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name))
    .toContain('viaduct_status');
  expect(isAlive(pid)).toBe(true);
  expect(await call(client, 'process_list')).toMatchObject({ total: 1 });
  rewrite({ deny: ['sleep'] }, {});
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await call(client, 'process_start', { command: path.join('/bin', 'sleep') })).toContain('may not be started');
  expect(await call(client, 'process_start', { command: 'true' })).toMatchObject({ id: 'proc-2' });
});

test.skipIf(process.platform !== 'linux')('nothing that was started outlives a gateway that is killed', async () => {
  const scene = new Scene();
  onTestFinished(() => scene.close());
  const { processes, survivors } = await killWithProcesses(scene, 24);
  expect({ processes, survivors }).toEqual({ processes: 36, survivors: [] });
});
