import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseExactJson } from '../../../src/core/json/exact-json.ts';
import { type RawClient, spawnClient } from '../../support/clients/raw-client.ts';
import {
  BIN,
  freshHome,
  openServe,
  type Serving,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';
import { startPostgres } from '../../support/stores/postgres.ts';

type Environment = Record<string, string>;

const CONFIG = { enabledWorkflows: ['checkpoint'] };
const MODERN = '2026-07-28';

/** A project whose id stands in a file of ide-bridge's, as its users have it. */
function projectFolder(projectId = 'acme-billing'): string {
  const folder = path.join(temporaryFolder(), projectId);
  mkdirSync(folder);
  writeFileSync(path.join(folder, '.ide-bridge.yaml'), `project_id: ${projectId}\n`);
  return folder;
}

interface Place {
  readonly config: string;
  readonly env: Environment;
  readonly folder: string;
}

function newPlace(options: object = {}, more: object = {}): Place {
  const folder = projectFolder();
  const workspace = { clientFolders: [folder, '/Users/alice/code'] };
  const config = writeConfig({ ...CONFIG, workspace, workflows: { checkpoint: options }, ...more });
  return { config, env: freshHome() as Environment, folder };
}

type AnyClient = ClientV1 | ClientV2;
interface Way {
  readonly name: string;
  readonly connect: (place: Place, serving: Serving | undefined) => Promise<AnyClient>;
}

const IMPLEMENTATION = { name: 'seed-client', version: '1.0.0' };
const stdio = ({ config, env, folder }: Place) => ({
  command: process.execPath,
  args: [BIN, 'stdio', '--config', config],
  env,
  cwd: folder,
});
const urlOf = ({ folder }: Place, serving: Serving | undefined) =>
  new URL(`${serving!.url}?cwd=${encodeURIComponent(folder)}`);
const v2 = (mode: 'legacy' | { pin: string }) => new ClientV2(IMPLEMENTATION, { versionNegotiation: { mode } });

async function connected(client: AnyClient, transport: object): Promise<AnyClient> {
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return client;
}

const WAYS: readonly Way[] = [
  { name: 'SDK v1 over stdio', connect: (place) => connected(new ClientV1(IMPLEMENTATION), new StdioV1(stdio(place))) },
  {
    name: 'SDK v1 over HTTP',
    connect: (place, serving) => connected(new ClientV1(IMPLEMENTATION), new HttpV1(urlOf(place, serving))),
  },
  { name: 'SDK v2 over stdio', connect: (place) => connected(v2('legacy'), new StdioV2(stdio(place))) },
  {
    name: 'SDK v2 over HTTP',
    connect: (place, serving) => connected(v2('legacy'), new HttpV2(urlOf(place, serving))),
  },
  {
    name: 'SDK v2 of 2026-07-28 over stdio',
    connect: (place) => connected(v2({ pin: MODERN }), new StdioV2(stdio(place))),
  },
  {
    name: 'SDK v2 of 2026-07-28 over HTTP',
    connect: (place, serving) => connected(v2({ pin: MODERN }), new HttpV2(urlOf(place, serving))),
  },
];

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Calls a tool and gives its structured result, which its text must say too. */
async function call(client: AnyClient, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const result = (await client.callTool({ name, arguments: args })) as any;
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

describe('the examples of the seed document, word for word', () => {
  test.each(WAYS)('$name', async ({ name, connect }) => {
    const place = newPlace();
    const serving = name.includes('HTTP') ? await openServe(place.config, place.env) : undefined;
    const client = await connect(place, serving);
    // The SDK checks results against the output schemas of tools that it has listed.
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['save_checkpoint', 'load_checkpoint', 'append_decision', 'append_todo', 'list_projects']),
    );
    expect(
      await call(client, 'save_checkpoint', {
        source_ide: 'cursor',
        bundle_patch: {
          plan_steps: ['Refactor auth module', 'Add tests'],
          decisions: [{ id: 'd1', text: 'Use JWT', rationale: 'Stateless' }],
          todos: [{ id: 't1', text: 'Write migration script', status: 'open' }],
        },
      }),
    ).toEqual({ saved: true, bundle_id: 'bnd_1', updated_at: expect.stringMatching(ISO) });
    const { bundle } = await call(client, 'load_checkpoint', { project_id: 'acme-billing' });
    expect(bundle).toMatchObject({
      project_id: 'acme-billing',
      last_source_ide: 'cursor',
      updated_at: expect.stringMatching(ISO),
      plan_steps: ['Refactor auth module', 'Add tests'],
      decisions: [{ id: 'd1', text: 'Use JWT', rationale: 'Stateless' }],
      todos: [{ id: 't1', text: 'Write migration script', status: 'open' }],
    });
    expect(
      await call(client, 'append_decision', {
        text: 'Reject bcrypt in favor of argon2id',
        rationale: 'argon2id is the current OWASP recommendation and supports memory-hard hashing',
      }),
    ).toEqual({ ok: true, decision_id: 'd2' });
    expect(
      await call(client, 'append_todo', {
        text: 'Add argon2id dependency and update password hashing in auth.ts',
        status: 'open',
      }),
    ).toEqual({ ok: true, todo_id: 't2' });
    expect(await call(client, 'list_projects', {})).toEqual({
      projects: [{ project_id: 'acme-billing', last_source_ide: 'cursor', updated_at: expect.stringMatching(ISO) }],
    });
    expect(await call(client, 'get_project_id', { cwd: '/Users/alice/code/acme-billing' })).toMatchObject({
      project_id: expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
      resolved_from: expect.stringMatching(/^(explicit|git|path)$/),
    });
    expect(await call(client, 'get_project_id', { cwd: place.folder })).toMatchObject({
      project_id: 'acme-billing',
      resolved_from: 'explicit',
    });
  });
});

interface Started {
  readonly client: RawClient;
  readonly exited: Promise<unknown>;
  end(): void;
}

/** `viaduct stdio` in a project's folder, with a client of this name. */
async function stdioIn(place: Place, name: string, capabilities: object = {}): Promise<Started> {
  const words = `cd '${place.folder}' && exec '${process.execPath}' '${BIN}' stdio --config '${place.config}'`;
  const { client, child } = spawnClient('/bin/sh', ['-c', words], place.env);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await client.initialize(capabilities, '2025-11-25', name);
  return { client, exited, end: () => void child.kill('SIGTERM') };
}

const structured = async (client: RawClient, name: string, args: object = {}) =>
  (await client.call(name, args)).structuredContent;

const SAVE = { source_ide: 'claude-code', bundle_patch: { todos: [{ id: 't1', text: 'first' }] } };
const TURNS = Array.from({ length: 3 }, (_, index) => ({ role: 'user', content: `turn ${index}` }));

describe('between processes', () => {
  test('what one agent saves, another loads, as much as it can use, and hears of the next save', async () => {
    const place = newPlace();
    const a = await stdioIn(place, 'claude-code');
    const b = await stdioIn(place, 'kiro');
    const conversation = { fidelity: 'L3', summary: 'Half done', last_n_turns: TURNS };
    await structured(a.client, 'save_checkpoint', { ...SAVE, bundle_patch: { ...SAVE.bundle_patch, conversation } });
    const loaded = await structured(b.client, 'load_checkpoint');
    expect(loaded.bundle).toMatchObject({ last_source_ide: 'claude-code', todos: [{ id: 't1', text: 'first' }] });
    expect(loaded.bundle.conversation).toEqual({ fidelity: 'L1', summary: 'Half done' });
    expect(loaded.fidelity).toMatchObject({ delivered: 'L1', left_out: ['conversation.last_n_turns'] });
    expect((await structured(a.client, 'load_checkpoint')).bundle.conversation.last_n_turns).toEqual(TURNS);

    await b.client.request('resources/subscribe', { uri: 'checkpoint://acme-billing' });
    await structured(a.client, 'append_decision', { text: 'the next one' });
    const told = await b.client.waitFor(({ value }) => value.method === 'notifications/resources/updated');
    expect(told.value.params).toEqual({ uri: 'checkpoint://acme-billing' });
    const read = await b.client.request('resources/read', { uri: 'checkpoint://acme-billing' });
    expect(JSON.parse(read.value.result.contents[0].text).bundle.decisions).toMatchObject([{ text: 'the next one' }]);
  });

  test('a project of another process is listed as a resource', async () => {
    const place = newPlace();
    const a = await stdioIn(place, 'a');
    const b = await stdioIn(place, 'b');
    const uris = async () =>
      (await b.client.request('resources/list')).value.result.resources.map((resource: any) => resource.uri);
    expect(await uris()).toEqual([]);
    await structured(a.client, 'save_checkpoint', SAVE);
    await b.client.waitFor(({ value }) => value.method === 'notifications/resources/list_changed');
    expect(await uris()).toEqual(['checkpoint://acme-billing']);
  });

  test.each(['SQLite', 'PostgreSQL'])('60 decisions that three processes record at once in %s are 60', async (kind) => {
    const server = kind === 'PostgreSQL' ? await startPostgres() : undefined;
    if (kind === 'PostgreSQL' && server === undefined) return;
    if (server !== undefined) onTestFinished(() => server.stop());
    const place = newPlace({}, server === undefined ? {} : { database: await server.newDatabase() });
    const clients = await Promise.all(['a', 'b', 'c'].map((name) => stdioIn(place, name)));
    const appended = await Promise.all(
      clients.flatMap(({ client }, process) =>
        Array.from({ length: 20 }, (_, index) =>
          structured(client, 'append_decision', { text: `decision ${process} ${index}` }),
        ),
      ),
    );
    expect(appended.every(({ ok }) => ok)).toBe(true);
    expect(new Set(appended.map(({ decision_id }) => decision_id)).size).toBe(60);
    const { bundle } = await structured(clients[0]!.client, 'load_checkpoint');
    expect(new Set(bundle.decisions.map(({ text }: any) => text)).size).toBe(60);
  });

  test('what waits is written when the gateway stops', async () => {
    const place = newPlace();
    const a = await stdioIn(place, 'claude-code');
    expect(await structured(a.client, 'save_checkpoint', SAVE)).toMatchObject({ saved: true });
    const second = { ...SAVE, bundle_patch: { todos: [{ id: 't2', text: 'second' }] } };
    expect(await structured(a.client, 'save_checkpoint', second)).toEqual({ saved: false, reason: 'debounced' });
    a.end();
    await a.exited;
    const { stdout } = await viaduct(['checkpoint', 'export', 'acme-billing', '-c', place.config], place.env);
    expect(JSON.parse(stdout).todos).toMatchObject([{ id: 't1' }, { id: 't2', text: 'second' }]);
  });
});

describe('the folder of a client', () => {
  test('is told by `viaduct stdio` to the gateway that runs', async () => {
    const place = newPlace();
    await openServe(place.config, place.env);
    const { client } = await stdioIn(place, 'attached');
    await structured(client, 'save_checkpoint', SAVE);
    expect((await structured(client, 'list_projects')).projects).toMatchObject([{ project_id: 'acme-billing' }]);
  });

  test('is what its roots say rather than where it was started, and it is asked once', async () => {
    const place = newPlace();
    const other = projectFolder('other-project');
    const { client } = await stdioIn(place, 'rooted', { roots: {} });
    let asked = 0;
    client.answers.set('roots/list', () => {
      asked++;
      return { roots: [{ uri: `file://${other}` }] };
    });
    await structured(client, 'save_checkpoint', SAVE);
    await structured(client, 'append_todo', { text: 'more' });
    expect((await structured(client, 'list_projects')).projects).toMatchObject([{ project_id: 'other-project' }]);
    expect(asked).toBe(1);
    const here = { name: 'append_todo', arguments: { text: 'here' }, _meta: { 'viaduct/cwd': place.folder } };
    await client.request('tools/call', here);
    expect((await structured(client, 'list_projects')).projects).toMatchObject([
      { project_id: 'acme-billing' },
      { project_id: 'other-project' },
    ]);
  });

  test('is in the header of a modern request', async () => {
    const place = newPlace();
    const { url } = await openServe(place.config, place.env);
    const requestInit = { headers: { 'X-Viaduct-Cwd': encodeURIComponent(place.folder) } };
    const client = await connected(v2({ pin: MODERN }), new HttpV2(new URL(url), { requestInit }));
    expect(await call(client, 'save_checkpoint', SAVE)).toMatchObject({ saved: true });
    expect((await call(client, 'list_projects')).projects).toMatchObject([{ project_id: 'acme-billing' }]);
  });

  test('that nobody knows is asked for by an error', async () => {
    const place = newPlace();
    const { url } = await openServe(place.config, place.env);
    const client = await connected(v2('legacy'), new HttpV2(new URL(url)));
    await expect(client.callTool({ name: 'save_checkpoint', arguments: SAVE })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('project_id'),
    });
  });
});

test('a modern client hears of a save on its stream of changes', async () => {
  const place = newPlace();
  const serving = await openServe(place.config, place.env);
  const listening = (await connected(v2({ pin: MODERN }), new HttpV2(urlOf(place, serving)))) as ClientV2;
  const heard: unknown[] = [];
  listening.setNotificationHandler('notifications/resources/updated', (notification: any) => {
    heard.push(notification.params.uri);
  });
  await listening.listen({ resourceSubscriptions: ['checkpoint://acme-billing'] });
  const { client } = await stdioIn(
    { ...place, env: freshHome({ VIADUCT_HOME: place.env.VIADUCT_HOME }) as Environment },
    'a',
  );
  await structured(client, 'save_checkpoint', SAVE);
  await expect.poll(() => heard).toEqual(['checkpoint://acme-billing']);
});

test('the prompt is a briefing, and its argument can be completed', async () => {
  const place = newPlace();
  const { client } = await stdioIn(place, 'kiro');
  await structured(client, 'save_checkpoint', SAVE);
  const { value } = await client.request('prompts/get', { name: 'resume_checkpoint', arguments: {} });
  expect(value.result.messages[0].content.text).toContain('first');
  const ref = { type: 'ref/prompt', name: 'resume_checkpoint' };
  const argument = { name: 'project_id', value: 'ac' };
  const completed = await client.request('completion/complete', { ref, argument });
  expect(completed.value.result.completion.values).toEqual(['acme-billing']);
});

describe('deleting a project', () => {
  test.each([
    [{ action: 'accept', content: { delete: true } }, { deleted: true }, 0],
    [{ action: 'accept', content: { delete: false } }, { deleted: false, reason: 'declined' }, 1],
    [{ action: 'decline' }, { deleted: false, reason: 'declined' }, 1],
  ])('asks the user: %o', async (answer, result, left) => {
    const { client } = await stdioIn(newPlace(), 'asker', { elicitation: {} });
    await structured(client, 'save_checkpoint', SAVE);
    client.answers.set('elicitation/create', () => answer);
    expect(await structured(client, 'delete_project', { project_id: 'acme-billing' })).toEqual(result);
    expect((await structured(client, 'list_projects')).projects).toHaveLength(left);
  });

  test('needs a confirmation where the client cannot ask', async () => {
    const { client } = await stdioIn(newPlace(), 'mute');
    await structured(client, 'save_checkpoint', SAVE);
    const refused = await client.call('delete_project', { project_id: 'acme-billing' });
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining('confirm') });
    expect(await structured(client, 'delete_project', { project_id: 'acme-billing', confirm: true })).toEqual({
      deleted: true,
    });
  });
});

test.each(['SQLite', 'PostgreSQL'])(
  'whole numbers of any size come back as they were written, from %s',
  async (kind) => {
    const server = kind === 'PostgreSQL' ? await startPostgres() : undefined;
    if (kind === 'PostgreSQL' && server === undefined) return;
    if (server !== undefined) onTestFinished(() => server.stop());
    const place = newPlace({}, server === undefined ? {} : { database: await server.newDatabase() });
    const { client } = await stdioIn(place, 'claude-code');
    const save = (large: string) =>
      client.request(
        'tools/call',
        `{"name":"save_checkpoint","arguments":{"source_ide":"x","bundle_patch":{"metadata":{"id":${large}},"todos":[{"id":"t","text":"t","row":-${large}}]}}}`,
      );
    const LARGE = '12345678901234567890';
    await save(LARGE);
    await save('9007199254740993');
    const load = (args: string) =>
      client.request('tools/call', `{"name":"load_checkpoint","arguments":{${args}}}`).then(({ text }) => text);
    // In the text and in the structured content.
    expect((await load('')).match(/-?9007199254740993/g)!.sort()).toEqual([
      '-9007199254740993',
      '-9007199254740993',
      '9007199254740993',
      '9007199254740993',
    ]);
    const read = await client.request('resources/read', { uri: 'checkpoint://acme-billing' });
    expect(read.text).toContain('-9007199254740993');
    const checkpoint = (...words: string[]) => viaduct(['checkpoint', ...words, '--config', place.config], place.env);
    expect((await checkpoint('export', 'acme-billing', '--revision', '1')).stdout).toContain(`-${LARGE}`);
    const { changes } = parseExactJson((await checkpoint('diff', 'acme-billing', '--json')).stdout) as {
      changes: object[];
    };
    expect(changes).toContainEqual({
      path: 'metadata.id',
      change: 'changed',
      before: BigInt(LARGE),
      after: 9007199254740993n,
    });
  },
);

test('arguments that do not fit are refused with their names', async () => {
  const { client } = await stdioIn(newPlace(), 'raw');
  const message = async (tool: string, args: object) => {
    const { error } = await client.call(tool, args);
    expect(error.code).toBe(-32602);
    return error.message as string;
  };
  const source = 'missing or empty required string arg: source_ide';
  expect(await message('save_checkpoint', { bundle_patch: {} })).toBe(source);
  expect(await message('save_checkpoint', { source_ide: '', bundle_patch: {} })).toBe(source);
  expect(await message('save_checkpoint', { source_ide: 7, bundle_patch: {} })).toBe(source);
  const patch = 'missing or empty required object arg: bundle_patch';
  expect(await message('save_checkpoint', { source_ide: 'x' })).toBe(patch);
  expect(await message('append_decision', {})).toBe('missing or empty required string arg: text');
  expect(await message('get_project_id', {})).toBe('missing or empty required string arg: cwd');
  expect(await message('get_project_id', { cwd: 'here' })).toBe('invalid arg: cwd: must be an absolute path');
  expect(await message('append_todo', { text: 'x', status: 'maybe' })).toMatch(/^invalid arg: status: /);
  expect(await message('load_checkpoint', { project_id: 'a/b' })).toMatch(/^invalid arg: project_id: must match/);
});
