import { describe, expect, test } from 'vitest';
import type { ProviderTasks, TaskWatcher } from '../../../src/core/providers/provider.ts';
import type { NotificationMessage } from '../../../src/wire/message.ts';
import { modernSetup, read } from './modern-setup.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const STAMP = 'io.modelcontextprotocol/subscriptionId';
const KNOWING = { capabilities: { extensions: { [EXTENSION]: {} } } };

/** A gateway whose provider runs tasks, and tells of them once the test lets it. */
function setup() {
  const base = modernSetup();
  const watched: [string, TaskWatcher][] = [];
  let ready: (willTell: boolean) => void = () => undefined;
  const isReady = new Promise<boolean>((resolve) => {
    ready = resolve;
  });
  const tasks: ProviderTasks = {
    offered: 'modern',
    watch: (ownId, watcher) => {
      watched.push([ownId, watcher]);
      return isReady;
    },
    list: () => Promise.resolve([]),
    work: () => [],
  };
  Object.assign(base.provider, { tasks });
  const listen = (taskIds: unknown, sender: object = KNOWING) =>
    base.request('subscriptions/listen', { notifications: { taskIds } }, sender);
  return { ...base, watched, ready, listen };
}

const status = (taskId: string, meta = '') =>
  read<NotificationMessage>(
    `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"${taskId}"${meta},"status":"working"}}`,
  );

describe('a request about a task', () => {
  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s goes to whose task it is', async (method) => {
    const { request, provider } = setup();
    const asked = request(method, { taskId: 'held/own/id', inputResponses: { a: 7 } }, KNOWING);
    expect([provider.last.call.ownName, provider.last.call.ownToken]).toEqual(['own/id', '"own/id"']);
    provider.last.answer('x');
    expect(await asked.answered).toMatchObject({ result: { resultType: 'complete' } });
  });

  test.each(['other/id', 'id', ''])('finds no task %j', async (taskId) => {
    const { request, provider } = setup();
    expect(await request('tasks/get', { taskId }, KNOWING).answered).toMatchObject({
      error: { code: -32602, message: 'Task not found' },
    });
    expect(provider.calls).toEqual([]);
  });

  test('needs the extension, whatever it asks for', async () => {
    const { request, listen } = setup();
    for (const asked of [request('tasks/get', {}), request('tasks/cancel', { taskId: 'held/x' }), listen([], {})]) {
      expect(await asked.answered).toMatchObject({
        error: { code: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } },
      });
      expect(asked.status).toBe(400);
    }
  });

  test('needs an id', async () => {
    expect(await setup().request('tasks/get', {}, KNOWING).answered).toMatchObject({ error: { code: -32602 } });
  });
});

test.each([
  ['modern', { extensions: { [EXTENSION]: {} } }],
  ['legacy', {}],
  [undefined, {}],
])('a provider with %s tasks is advertised with %j', async (offered, extensions) => {
  const { request, provider } = modernSetup();
  Object.assign(provider, { tasks: { offered } });
  const { result } = (await request('server/discover', {}).answered) as any;
  expect(result.capabilities).toMatchObject(extensions);
  expect('extensions' in result.capabilities).toBe('extensions' in extensions);
});

describe('a stream that is to tell of tasks', () => {
  test('is acknowledged when nothing is missed any more, and what came before follows', async () => {
    const { listen, watched, ready, sessions } = setup();
    const asked = listen(['held/a', 'other/b', 'c']);
    const { sessionId, clientId } = watched[0]![1];
    expect([watched.map(([ownId]) => ownId), clientId]).toEqual([['a'], 'http']);
    sessions.get(sessionId)!.onTaskChanged(status('held/a'));
    expect(asked.events).toEqual([]);
    ready(true);
    await expect.poll(() => asked.events.length).toBe(2);
    sessions.get(sessionId)!.onTaskChanged(status('held/a', ',"_meta":{"k":1}'));
    expect(asked.events.map(({ params }) => params)).toEqual([
      { _meta: { [STAMP]: asked.id }, notifications: { taskIds: ['held/a'] } },
      { _meta: { [STAMP]: asked.id }, taskId: 'held/a', status: 'working' },
      { _meta: { [STAMP]: asked.id, k: 1 }, taskId: 'held/a', status: 'working' },
    ]);
  });

  test('does not promise what its upstream does not tell', async () => {
    const { listen, ready } = setup();
    const asked = listen(['held/a']);
    ready(false);
    await expect.poll(() => asked.events.length).toBe(1);
    expect(asked.events[0]!.params).toMatchObject({ notifications: { taskIds: [] } });
  });

  test('that is closed meanwhile says nothing', async () => {
    const { listen, watched, ready, sessions } = setup();
    const asked = listen(['held/a']);
    asked.open?.cancel();
    ready(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked.events, asked.isAbandoned, sessions.get(watched[0]![1].sessionId)]).toEqual([[], true, undefined]);
  });

  test.each(['x', [7], Array.from({ length: 1_001 }, () => 'held/a')])('is refused with %j', async (taskIds) => {
    expect(await setup().listen(taskIds).answered).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('taskIds') },
    });
  });
});
