import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import {
  BIN,
  connectStdio,
  fixture,
  freshHome,
  linesOf,
  openServe,
  openStdio,
  temporaryFolder,
  upstreams,
  writeConfig,
} from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient, messagesOf } from '../../support/http/modern-http-client.ts';
import { endChild } from '../../support/processes.ts';

const RELATED = 'io.modelcontextprotocol/related-task';
const EXTENSION = 'io.modelcontextprotocol/tasks';
const KEY = 'io.modelcontextprotocol/';

const begin = (client: RawClient, name = 'a_work', more: object = {}) =>
  client.request('tools/call', { name, arguments: {}, task: { ttl: 60_000 }, ...more });

const state = (id: string, status = 'working') =>
  `{ "taskId":"${id}","status":"${status}", "createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":1.0,"extra":12345678901234567890}`;

describe('legacy peers', () => {
  async function open(capabilities: unknown = {}) {
    const config = upstreams({ a: fixture('legacy-tasks'), b: fixture('legacy-tasks') });
    const client = await connectStdio(config, { capabilities });
    await client.toolNames();
    return client;
  }

  test('a task is begun, asked for, cancelled: its id is unique, the rest as the server wrote it', async () => {
    const client = await open();
    const created = await client.request('tools/call', { name: 'a_work', task: {} }, '71');
    expect(created.text).toBe(`{"jsonrpc":"2.0","id":71,"result":{"_meta":{"x":1.0}, "task":${state('a/task-1')}}}`);
    const got = await client.request('tasks/get', { taskId: 'a/task-1' }, '72');
    expect(got.text).toBe(`{"jsonrpc":"2.0","id":72,"result":${state('a/task-1')}}`);
    const cancelled = await client.request('tasks/cancel', '{"taskId":"a\\/task-1"}', '73');
    expect(cancelled.text).toBe(`{"jsonrpc":"2.0","id":73,"result":${state('a/task-1', 'cancelled')}}`);
    const result = await client.request('tasks/result', { taskId: 'a/task-1' }, '74');
    expect(result.text).toBe(
      `{"jsonrpc":"2.0","id":74,"result":{"content":[],"taskId":"own","_meta":{"${RELATED}":{"taskId":"a/task-1"} ,"y":2.0}}}`,
    );
  });

  test('servers with equal ids are told apart', async () => {
    const client = await open();
    await begin(client, 'a_work');
    await begin(client, 'b_work');
    await client.callText('b_finish', { task: 'task-1' });
    const statusOf = async (taskId: string) => (await client.request('tasks/get', { taskId })).value.result.status;
    expect([await statusOf('a/task-1'), await statusOf('b/task-1')]).toEqual(['working', 'completed']);
  });

  test.each(['a/task-7', 'c/task-1', 'task-1', 'a', ''])('there is no task %j', async (taskId) => {
    const client = await open();
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect((await client.request(method, { taskId })).value.error.code).toBe(-32602);
  });

  test('the result is waited for as long as the task runs, and keeps nobody else waiting', async () => {
    const entry = { ...fixture('legacy-tasks'), maxConcurrency: 1, timeouts: { callMs: 1_000 } };
    const client = await connectStdio(upstreams({ a: entry }));
    await client.toolNames();
    await begin(client);
    const result = client.request('tasks/result', { taskId: 'a/task-1' });
    // Longer than the limit, on purpose: there is no event for "nothing has happened".
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await client.request('tasks/get', { taskId: 'a/task-1' })).value.result.status).toBe('working');
    await client.callText('a_finish', { task: 'task-1' });
    expect((await result).value.result._meta[RELATED]).toEqual({ taskId: 'a/task-1' });
  });

  test('its status, logs and progress arrive under its id, and progress under the token of the call', async () => {
    const client = await open();
    await begin(client, 'a_work', { _meta: { progressToken: 'mine' } });
    await client.callText('a_tell', { task: 'task-1' });
    await client.callText('a_progress', { task: 'task-1' });
    await client.callText('a_log', { task: 'task-1' });
    expect(client.notifications('notifications/tasks/status')[0]!.text).toContain(`"params":${state('a/task-1')}`);
    const meta = { [RELATED]: { taskId: 'a/task-1' } };
    expect(client.notifications('notifications/progress').map(({ value }) => value.params)).toEqual([
      { progressToken: 'mine', progress: 1, _meta: meta },
    ]);
    expect(client.notifications('notifications/message').map(({ value }) => value.params._meta)).toEqual([meta]);
  });

  test('a status that comes before the answer arrives, too', async () => {
    const client = await open();
    await begin(client, 'a_work', { arguments: { early: true } });
    expect(client.notifications('notifications/tasks/status')[0]!.value.params.taskId).toBe('a/task-1');
  });

  test('what a task asks names it in both directions', async () => {
    const client = await open({ elicitation: {} });
    await begin(client);
    let asked: any;
    client.answers.set('elicitation/create', (params) => {
      asked = params;
      return { action: 'accept', _meta: { [RELATED]: { taskId: 'a/task-1' } } };
    });
    const answer = JSON.parse(await client.callText('a_ask', { task: 'task-1' }));
    expect(asked._meta[RELATED]).toEqual({ taskId: 'a/task-1' });
    expect(answer.result).toEqual({ action: 'accept', _meta: { [RELATED]: { taskId: 'task-1' } } });
  });

  test('clients are told of tasks in the revision that has them, and tools keep what they say of them', async () => {
    const config = upstreams({ a: fixture('legacy-tasks') });
    const client = await openStdio(config);
    const { capabilities } = await client.initialize();
    expect(capabilities.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = (await client.request('tools/list')).value.result;
    expect(tools.find(({ name }: any) => name === 'a_work').execution).toEqual({ taskSupport: 'optional' });
    const older = await openStdio(config);
    expect((await older.initialize({}, '2025-06-18')).capabilities.tasks).toBeUndefined();
  });

  test('a server without tasks, or without cancelling, is not asked for it', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const config = upstreams({
      a: fixture('legacy-tasks', '--plain', `--log=${log}`),
      b: fixture('legacy-tasks', '--no-cancel'),
    });
    const client = await connectStdio(config);
    await client.toolNames();
    expect((await begin(client)).value.result.content[0].text).toContain('"task":{"ttl":60000}');
    expect((await client.request('tasks/get', { taskId: 'a/task-1' })).value.error.code).toBe(-32602);
    expect((await client.request('tasks/list')).value.result).toEqual({ tasks: [] });
    expect(linesOf(log).filter((line) => line.includes('"tasks/'))).toEqual([]);
    await begin(client, 'b_work');
    expect((await client.request('tasks/cancel', { taskId: 'b/task-1' })).value.error.code).toBe(-32601);
  });
});

test('a client made with the SDK runs a tool as a task', async () => {
  const client = new Client({ name: 'sdk', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
  const args = [BIN, 'stdio', '--config', upstreams({ a: fixture('legacy-tasks') })];
  const env = Object.fromEntries(Object.entries(freshHome()).map(([name, value]) => [name, value ?? '']));
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  onTestFinished(() => client.close());
  await client.listTools();
  const told: unknown[] = [];
  const options = { task: { ttl: 60_000 }, onprogress: ({ progress }: Progress) => told.push(progress) };
  const stream = client.experimental.tasks.callToolStream({ name: 'a_work' }, CallToolResultSchema, options);
  for await (const message of stream) {
    told.push(message.type === 'result' || message.type === 'error' ? message : message.task.taskId);
    if (message.type !== 'taskCreated') continue;
    for (const name of ['a_progress', 'a_ask', 'a_finish'])
      await client.callTool({ name, arguments: { task: 'task-1' } });
  }
  const isResult = { type: 'result', result: { _meta: { [RELATED]: { taskId: 'a/task-1' } } } };
  expect(told).toEqual(['a/task-1', 1, 'a/task-1', expect.objectContaining({ type: 'result' })]);
  expect(told.at(-1)).toMatchObject(isResult);
});

describe('legacy clients of one gateway', () => {
  async function openTwo() {
    const config = upstreams({ a: fixture('legacy-tasks'), b: fixture('legacy-tasks') });
    const env = freshHome();
    await openServe(config, env);
    const clients = [
      await connectStdio(config, { env, capabilities: { elicitation: {} } }),
      await connectStdio(config, { env, capabilities: { elicitation: {} } }),
    ] as const;
    for (const client of clients) await client.toolNames();
    return clients;
  }

  test('each lists its own tasks, and those that it has asked for', async () => {
    const [one, two] = await openTwo();
    await begin(one, 'a_work');
    await begin(two, 'a_work');
    await begin(one, 'b_work');
    await begin(one, 'a_work');
    const idsOf = async (client: RawClient) =>
      (await client.request('tasks/list')).value.result.tasks.map(({ taskId }: any) => taskId);
    expect(await idsOf(one)).toEqual(['a/task-1', 'a/task-3', 'b/task-1']);
    expect(await idsOf(two)).toEqual(['a/task-2']);
    await two.request('tasks/get', { taskId: 'b/task-1' });
    expect(await idsOf(two)).toEqual(['a/task-2', 'b/task-1']);
    const listed = await one.request('tasks/list', {}, '9');
    expect(listed.text).toContain(`{"tasks":[${state('a/task-1')},${state('a/task-3')},`);
    expect((await one.request('tasks/list', { cursor: '1' })).value.error.code).toBe(-32602);
  });

  test('each hears of its own tasks only, and is asked by them only, whoever has calls open', async () => {
    const [one, two] = await openTwo();
    await begin(one, 'a_work', { _meta: { progressToken: 1 } });
    await begin(two, 'a_work', { _meta: { progressToken: 1 } });
    // For its own task; it is open all the while.
    const open = two.request('tasks/result', { taskId: 'a/task-2' });
    for (const name of ['a_tell', 'a_progress', 'a_log']) await two.callText(name, { task: 'task-1' });
    one.answers.set('elicitation/create', () => ({ action: 'decline' }));
    expect(await two.callText('a_ask', { task: 'task-1' })).toContain('decline');
    await two.callText('a_tell', { task: 'task-2' });
    await two.callText('a_finish', { task: 'task-2' });
    await open;
    await one.request('ping');
    // Their lists may have come after their handshake.
    const heard = (client: RawClient) =>
      client.messages.flatMap(({ value: { method, params } }) =>
        method === undefined || method.endsWith('/list_changed')
          ? []
          : [`${method} ${params.taskId ?? params._meta[RELATED].taskId}`],
      );
    expect(heard(one)).toEqual([
      'notifications/tasks/status a/task-1',
      'notifications/progress a/task-1',
      'notifications/message a/task-1',
      'elicitation/create a/task-1',
    ]);
    expect(heard(two)).toEqual(['notifications/tasks/status a/task-2']);
  });
});

const envelope = (capabilities: object = { elicitation: {}, extensions: { [EXTENSION]: {} } }) => ({
  _meta: { [`${KEY}protocolVersion`]: '2026-07-28', [`${KEY}clientCapabilities`]: capabilities },
});

/** The fixture for the conformance suites as an entry of the config, and how it is reached. */
const OVER = {
  stdio: () => fixture('conformance', '--era=modern'),
  HTTP: async () => {
    const { command, args } = fixture('conformance', '--era=modern', '--http=0');
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => endChild(child));
    const [url] = await once(child.stdout, 'data');
    return { url: String(url).trim() };
  },
};

describe.each(['stdio', 'HTTP'] as const)('modern peers, over %s', (way) => {
  async function open() {
    const client = await openStdio(upstreams({ a: await OVER[way]() }));
    await expect.poll(async () => (await client.request('tools/list', envelope())).text).toContain('"a_');
    const ask = async (method: string, params: object = {}) =>
      (await client.request(method, { ...params, ...envelope() })).value;
    const start = async (name: string, args: object = {}): Promise<string> =>
      (await ask('tools/call', { name, arguments: args })).result.taskId;
    const until = async (taskId: string, status: string) => {
      await expect.poll(async () => (await ask('tasks/get', { taskId })).result.status).toBe(status);
      return (await ask('tasks/get', { taskId })).result;
    };
    return { client, ask, start, until };
  }

  test('the extension is advertised while a server has it', async () => {
    const { ask } = await open();
    expect((await ask('server/discover')).result.capabilities.extensions).toEqual({ [EXTENSION]: {} });
    const client = await openStdio(upstreams({ a: fixture('legacy-tasks'), m: fixture('modern') }));
    await client.request('tools/list', envelope());
    const { capabilities } = (await client.request('server/discover', envelope())).value.result;
    expect([capabilities.extensions, capabilities.tasks]).toEqual([undefined, undefined]);
  });

  test('a task is begun, asks, is answered and cancelled under its id', async () => {
    const { ask, start, until } = await open();
    const taskId = await start('a_confirm_delete', { filename: 'f' });
    expect(taskId).toMatch(/^a\/[0-9a-f-]{36}$/);
    const asking = await until(taskId, 'input_required');
    expect(asking).toMatchObject({ resultType: 'complete', taskId });
    const [key] = Object.keys(asking.inputRequests);
    const inputResponses = { [key!]: { action: 'accept', content: { confirm: true } } };
    expect((await ask('tasks/update', { taskId, inputResponses })).result.resultType).toBe('complete');
    expect((await until(taskId, 'completed')).result.content[0].text).toBe('Deleted f');
    const other = await start('a_slow_compute', { seconds: 60 });
    expect((await ask('tasks/cancel', { taskId: other })).result.resultType).toBe('complete');
    expect((await until(other, 'cancelled')).taskId).toBe(other);
  });

  test.each(['a/x', 'b/x', 'x', ''])('there is no task %j', async (taskId) => {
    const { ask } = await open();
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await ask(method, { taskId, inputResponses: {} })).error.code).toBe(-32602);
  });

  test('methods that the extension has given up are unknown', async () => {
    const { ask } = await open();
    for (const method of ['tasks/result', 'tasks/list'])
      expect((await ask(method, { taskId: 'a/x' })).error.code).toBe(-32601);
  });

  test('who does not declare the extension is told so', async () => {
    const { client, start } = await open();
    const taskId = await start('a_slow_compute', { seconds: 60 });
    const without = envelope({ extensions: {} });
    const answers = [
      await client.request('tasks/get', { taskId, ...without }),
      await client.request('tasks/update', { taskId: 'a/none', ...without }),
      await client.request('subscriptions/listen', { notifications: { taskIds: [taskId] }, ...without }),
    ];
    for (const { value } of answers)
      expect(value.error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
      });
  });

  test('a stream tells of the tasks that it was asked to, under their ids and its own', async () => {
    const { client, ask, start, until } = await open();
    const ids = [
      await start('a_confirm_delete', { filename: 'f' }),
      await start('a_confirm_delete', { filename: 'g' }),
    ];
    const keys: string[] = [];
    for (const id of ids) keys.push(Object.keys((await until(id, 'input_required')).inputRequests)[0]!);
    const listen = (taskIds: string[], idText: string) =>
      client.request('subscriptions/listen', { notifications: { taskIds }, ...envelope() }, idText).catch(() => 0);
    void listen([ids[0]!, 'b/x', 'x'], '"first"');
    void listen([ids[1]!], '"second"');
    const named = (method: string) => client.notifications(method).map(({ value }) => value.params);
    await expect.poll(() => named('notifications/subscriptions/acknowledged').length).toBe(2);
    expect(named('notifications/subscriptions/acknowledged').map(({ notifications }) => notifications)).toEqual([
      { taskIds: [ids[0]] },
      { taskIds: [ids[1]] },
    ]);
    for (const [index, taskId] of ids.entries()) {
      const answer = { action: 'accept', content: { confirm: true } };
      await ask('tasks/update', { taskId, inputResponses: { [keys[index]!]: answer } });
    }
    await expect.poll(() => named('notifications/tasks').length).toBe(4);
    const told = named('notifications/tasks').map(({ taskId, status, result, _meta }) => [
      _meta[`${KEY}subscriptionId`],
      taskId,
      status,
      result?.content[0].text,
    ]);
    expect(told).toEqual([
      ['first', ids[0], 'working', undefined],
      ['first', ids[0], 'completed', 'Deleted f'],
      ['second', ids[1], 'working', undefined],
      ['second', ids[1], 'completed', 'Deleted g'],
    ]);
  });
});

describe('clients with tokens', () => {
  const [alice, bob] = [tokenOf('alice'), tokenOf('bob')];

  async function serve(entry: object) {
    const server = { tokens: [alice.entry, bob.entry] };
    const config = writeConfig({ server, upstreams: { a: entry }, lists: { graceMs: 20_000 } });
    return { config, serving: await openServe(config) };
  }

  test('a legacy one cannot reach the task of another by its id', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const { serving, config } = await serve(fixture('legacy-tasks', `--log=${log}`));
    const open = async ({ headers }: typeof alice) => {
      const session = await HttpSession.open(serving.url, {}, '2025-11-25', headers);
      await session.toolNames();
      return async (method: string, params: object) =>
        JSON.parse((await session.post(session.request(method, params))).body);
    };
    const [one, other] = [await open(alice), await open(bob)];
    await one('tools/call', { name: 'a_work', arguments: {}, task: {} });
    const local = await connectStdio(config, { env: serving.env });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      const refusal = { code: -32602, message: 'Task not found' };
      expect((await other(method, { taskId: 'a/task-1' })).error).toEqual(refusal);
      expect((await local.request(method, { taskId: 'a/task-1' })).value.error).toEqual(refusal);
    }
    expect(linesOf(log).filter((line) => line.includes('"tasks/'))).toEqual([]);
    expect((await one('tasks/get', { taskId: 'a/task-1' })).result.status).toBe('working');
  });

  test('nor can a modern one, and no stream tells it of that', async () => {
    const { serving } = await serve(fixture('conformance', '--era=modern'));
    const client = new ModernHttpClient(serving.url, { capabilities: { extensions: { [EXTENSION]: {} } } });
    const ask = async (method: string, params: object, { headers }: typeof alice) =>
      (await client.post(method, params, { headers: { ...headers, 'mcp-name': params['taskId' as never] } })).json;
    const call = { name: 'a_slow_compute', arguments: { seconds: 60 } };
    const { taskId } = (await client.post('tools/call', call, { headers: alice.headers })).json.result;
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await ask(method, { taskId, inputResponses: {} }, bob);
      expect(error).toEqual({ code: -32602, message: 'Task not found' });
    }
    expect((await ask('tasks/get', { taskId }, alice)).result.status).toBe('working');
    for (const [who, ids] of [
      [bob, []],
      [alice, [taskId]],
    ] as const) {
      const stream = client.open('subscriptions/listen', { notifications: { taskIds: [taskId] } }, who);
      const first = await messagesOf(await stream.response).next();
      expect(first.value.params.notifications.taskIds).toEqual(ids);
      stream.leave();
    }
  });
});

describe('across eras', () => {
  test('a modern client has no tasks of a legacy server', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const config = upstreams({ a: fixture('legacy-tasks', `--log=${log}`) });
    const client = await openStdio(config);
    const { tools } = (await client.request('tools/list', envelope())).value.result;
    expect(tools.find(({ name }: any) => name === 'a_work')).not.toHaveProperty('execution');
    const called = await client.request('tools/call', { name: 'a_work', task: {}, ...envelope() });
    expect(called.value.result.content[0].text).toBe('work: {"name":"work"}');
    const got = await client.request('tasks/get', { taskId: 'a/task-1', ...envelope() });
    expect(got.value.error).toMatchObject({ code: -32602, message: 'Task not found' });
    expect(linesOf(log).filter((line) => line.includes('"tasks/'))).toEqual([]);
  });

  test('a legacy client has none of a modern server, whatever it declares', async () => {
    const config = upstreams({ a: fixture('conformance', '--era=modern'), m: fixture('modern') });
    const capabilities = { roots: {}, tasks: { list: {} }, extensions: { [EXTENSION]: {}, other: {} } };
    const client = await connectStdio(config, { capabilities });
    await client.toolNames();
    const called = await begin(client, 'a_slow_compute', { arguments: { seconds: 0 } });
    expect(called.value.result.content[0].text).toBe('Computed something in 0 s');
    const sent = JSON.parse(await client.callText('m_envelope'));
    expect(sent._meta[`${KEY}clientCapabilities`]).toEqual({ roots: {}, extensions: { other: {} } });
    expect((await client.request('tasks/get', { taskId: 'a/x' })).value.error.code).toBe(-32602);
  });
});
