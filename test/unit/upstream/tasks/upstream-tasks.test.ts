import { describe, expect, test } from 'vitest';
import type { ClientDirectory, ClientSession, ProviderCall } from '../../../../src/core/providers/provider.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import type { Link } from '../../../../src/upstream/connection/link.ts';
import { CallTracker } from '../../../../src/upstream/events/asks/call-tracker.ts';
import type { NoticedCall } from '../../../../src/upstream/tasks/task-notices.ts';
import { UpstreamTasks } from '../../../../src/upstream/tasks/upstream-tasks.ts';
import { type CallText, readCallText } from '../../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type NotificationMessage, type RequestMessage, readMessage } from '../../../../src/wire/message.ts';
import { errorReply, resultReply } from '../../../../src/wire/reply.ts';
import { callOf, KeepingCaller, taskCallOf } from '../calls.ts';

const messageOf = (value: object) => readMessage(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...value }))));
const CAPABILITIES = {
  legacy: { tasks: { list: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

/** The tasks of an upstream to which nothing is really sent: the test answers calls, and speaks for the upstream. */
function open(era: 'legacy' | 'modern' = 'legacy') {
  const told: string[] = [];
  const sent: ProviderCall[] = [];
  let leftOut = 0;
  let watchedChanged = 0;
  const session = (sessionId: string) =>
    ({
      sessionId,
      onTaskChanged: ({ frame }) => told.push(`${sessionId} ${frame.text.toString()}`),
    }) as Partial<ClientSession> as ClientSession;
  const tracker = new CallTracker<NoticedCall>();
  const tasks = new UpstreamTasks({
    upstream: 'up',
    directory: { get: session, sole: () => undefined } as Partial<ClientDirectory> as ClientDirectory,
    log: createLog({ level: 'silent' }),
    listMs: 1_000,
    tracker,
    send: (call) => {
      const requestId = sent.push(call);
      tracker.onSent(
        { requestId, call, sessionId: call.caller.sessionId, owner: call.caller.sessionId, mayGoOn: false },
        -1,
      );
      return { requestId, cancel: () => undefined };
    },
    onWatchedChanged: async () => {
      watchedChanged++;
      return true;
    },
    onLeftOut: () => leftOut++,
  });
  const facts = {
    era,
    protocolVersion: '2025-11-25',
    capabilities: CAPABILITIES[era],
    serverInfo: {},
    instructions: undefined,
  } as const;
  tasks.attach({ request: () => Promise.reject(new Error('no answer')) } as unknown as Link, facts);
  const status = (taskId: string, state = 'working') =>
    tasks.take(
      messageOf({ method: 'notifications/tasks/status', params: { taskId, status: state } }) as NotificationMessage,
    );
  return { tasks, told, sent, status, leftOut: () => leftOut, watchedChanged: () => watchedChanged };
}

/** A call of a tool that asks for a task. */
function beginOf(caller: KeepingCaller): ProviderCall {
  const params = { name: 't', arguments: {}, task: {}, _meta: { progressToken: 'mine' } };
  const text = readCallText(messageOf({ id: 1, method: 'tools/call', params }) as RequestMessage) as CallText;
  return { text, ownName: 't', ownToken: '"t"', caller };
}

const begun = (taskId: string) => resultReply({ task: { taskId, status: 'working' } });
const textOf = (reply: { withId(id: string): unknown }) => String(reply.withId('1'));

describe('a call', () => {
  test('that has nothing to do with tasks is sent as it is', () => {
    const { tasks, sent } = open();
    const call = callOf('t');
    tasks.call(call);
    expect(sent[0]).toBe(call);
  });

  test('that begins a task is answered with its public id, and its client hears of it from then on', () => {
    const { tasks, told, sent, status } = open();
    const caller = new KeepingCaller('A');
    tasks.call(beginOf(caller));
    sent[0]!.caller.onReply(begun('x'));
    expect(textOf(caller.replies[0]!)).toContain('"taskId":"up/x"');
    expect(status('x')).toBeUndefined();
    expect(told).toEqual([expect.stringMatching(/^A .*"taskId":"up\/x"/)]);
  });

  test('about a task makes its client one that hears of it, unless it is refused', () => {
    const { tasks, told, sent, status } = open();
    tasks.call(taskCallOf('tasks/get', 'x', new KeepingCaller('A')));
    tasks.call(taskCallOf('tasks/get', 'x', new KeepingCaller('B')));
    sent[0]!.caller.onReply(resultReply({ taskId: 'x', status: 'working' }));
    sent[1]!.caller.onReply(errorReply({ code: 1, message: 'no' }));
    status('x');
    expect(told.map((line) => line[0])).toEqual(['A']);
  });

  test('about a task of somebody else does not reach it', () => {
    const { tasks, sent } = open();
    const withPrincipal = (principal: string) => {
      const caller = new KeepingCaller(principal);
      Object.assign(caller.client, { principal });
      return caller;
    };
    tasks.call(beginOf(withPrincipal('a')));
    sent[0]!.caller.onReply(begun('x'));
    const other = withPrincipal('b');
    tasks.call(taskCallOf('tasks/get', 'x', other));
    expect([sent.length, other.failures.map(({ code }) => code)]).toEqual([1, ['UNKNOWN_TASK']]);
    tasks.call(taskCallOf('tasks/get', 'x', withPrincipal('a')));
    expect(sent).toHaveLength(2);
  });
});

describe('work that must not end with the last client', () => {
  /** An upstream with the tasks `x` and `y`, which run. */
  function withTwo() {
    const opened = open();
    for (const [index, id] of ['x', 'y'].entries()) {
      opened.tasks.call(beginOf(new KeepingCaller('A')));
      opened.sent[index]!.caller.onReply(begun(id));
    }
    return opened;
  }

  test('are the tasks that run', () => {
    const { tasks, status } = withTwo();
    tasks.onSessionEnded('A');
    expect(tasks.work()).toEqual(['2 tasks of up']);
    status('x', 'completed');
    expect(tasks.work()).toEqual(['a task of up']);
    tasks.detach();
    expect(tasks.work()).toEqual([]);
  });

  test('is no task whose end a client was told', () => {
    const { tasks, sent } = withTwo();
    tasks.call(taskCallOf('tasks/get', 'x', new KeepingCaller('A')));
    sent[2]!.caller.onReply(resultReply({ taskId: 'x', status: 'failed' }));
    tasks.call(taskCallOf('tasks/result', 'y', new KeepingCaller('A')));
    sent[3]!.caller.onReply(resultReply({ content: [] }));
    expect(tasks.work()).toEqual([]);
  });
});

describe('progress after the answer', () => {
  const progress = (token: number) =>
    messageOf({
      method: 'notifications/progress',
      params: { progressToken: token, progress: 1 },
    }) as NotificationMessage;

  test('reaches the client under its own token until the task is over', () => {
    const { tasks, told, sent } = open();
    const caller = new KeepingCaller('A');
    tasks.call(beginOf(caller));
    expect(tasks.notices.takeLateProgress(1, progress(1))).toBe(false);
    sent[0]!.caller.onReply(begun('x'));
    expect(tasks.notices.takeLateProgress(1, progress(1))).toBe(true);
    expect(told).toEqual([expect.stringContaining('"progressToken":"mine"')]);
    tasks.call(taskCallOf('tasks/result', 'x', caller));
    sent[1]!.caller.onReply(resultReply({}));
    expect(tasks.notices.takeLateProgress(1, progress(1))).toBe(false);
  });

  test.each([
    ['the connection', (tasks: UpstreamTasks) => tasks.detach()],
    ['the session', (tasks: UpstreamTasks) => tasks.onSessionEnded('A')],
  ])('ends with %s', (_what, end) => {
    const { tasks, sent } = open();
    tasks.call(beginOf(new KeepingCaller('A')));
    sent[0]!.caller.onReply(begun('x'));
    end(tasks);
    expect(tasks.notices.takeLateProgress(1, progress(1))).toBe(false);
  });
});

describe('what an upstream tells', () => {
  test('of a task before the call is answered that begins it, goes to the only call that can have', () => {
    const { tasks, status } = open();
    const heard: string[] = [];
    const caller = new KeepingCaller('A');
    caller.onNotification = (...[message]: [message?: NotificationMessage]) =>
      void heard.push(message!.frame.text.toString());
    tasks.call(beginOf(caller));
    expect(status('x')).toBeUndefined();
    expect(heard).toEqual([expect.stringContaining('"taskId":"up/x"')]);
    tasks.call(beginOf(new KeepingCaller('B')));
    status('y');
    expect(heard).toHaveLength(1);
  });

  test('without a task, or by other rules, is for others to pass on', () => {
    const { tasks } = open();
    const plain = messageOf({ method: 'notifications/message', params: {} }) as NotificationMessage;
    expect(tasks.take(plain)).toBe(plain);
    const meta = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } };
    const listed = messageOf({ method: 'notifications/tools/list_changed', params: meta }) as NotificationMessage;
    expect(tasks.take(listed)?.frame.text.toString()).toContain('"taskId":"up/x"');
  });

  test('in a flood is left out and counted', () => {
    const { sent, tasks, told, status, leftOut } = open();
    tasks.call(beginOf(new KeepingCaller('A')));
    sent[0]!.caller.onReply(begun('x'));
    for (let count = 0; count < 1_500; count++) status('x');
    expect(told.length).toBeGreaterThanOrEqual(1_000);
    expect(told.length + leftOut()).toBe(1_500);
    expect(leftOut()).toBeGreaterThan(0);
  });
});

test('a stream of changes hears of the tasks that it watches, until it ends', async () => {
  const { tasks, told, status, watchedChanged } = open('modern');
  expect(await tasks.watch('x', { sessionId: 'S', clientId: 'c', principal: undefined })).toBe(true);
  expect([tasks.watchedIds(), watchedChanged()]).toEqual([['x'], 1]);
  tasks.take(messageOf({ method: 'notifications/tasks', params: { taskId: 'x' } }) as NotificationMessage);
  expect(told).toEqual([expect.stringMatching(/^S /)]);
  tasks.onSessionEnded('S');
  tasks.onSessionEnded('S');
  expect([tasks.watchedIds(), watchedChanged()]).toEqual([[], 2]);
  status('x');
  expect(told).toHaveLength(1);
});

test('tasks are offered while there is a connection to an upstream that has them', async () => {
  const { tasks } = open();
  expect(tasks.offered).toBe('legacy');
  expect(await tasks.watch('x', { sessionId: 'S', clientId: 'c', principal: undefined })).toBe(false);
  const cancelled = await tasks.ownAnswer(taskCallOf('tasks/cancel', 'x', new KeepingCaller('A')));
  expect(textOf(cancelled!)).toContain('it cannot cancel tasks');
  expect(tasks.ownAnswer(taskCallOf('tasks/get', 'x', new KeepingCaller('A')))).toBeUndefined();
  expect(tasks.ownAnswer(callOf('t'))).toBeUndefined();
  tasks.detach();
  expect(tasks.offered).toBeUndefined();
});

test('what a legacy upstream asks because of a task is for the client that has begun it', () => {
  const { tasks, sent } = open();
  tasks.call(beginOf(new KeepingCaller('A')));
  sent[0]!.caller.onReply(begun('x'));
  const params = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } };
  const ask = tasks.askOf(messageOf({ id: 9, method: 'elicitation/create', params }) as RequestMessage)!;
  expect([ask.ownId, ask.sessionId]).toEqual(['x', 'A']);
  expect(ask.message.frame.text.toString()).toContain('"taskId":"up/x"');
  expect(tasks.askOf(messageOf({ id: 9, method: 'elicitation/create', params: {} }) as RequestMessage)).toBeUndefined();
});

describe('the list of the tasks of a client', () => {
  /** An upstream with two tasks, one of which the client A has asked for; and how often it is asked for its list. */
  function listing(era: 'legacy' | 'modern', capabilities: Readonly<Record<string, unknown>>) {
    const { tasks, sent } = open();
    tasks.call(taskCallOf('tasks/get', 'one', new KeepingCaller('A')));
    sent[0]!.caller.onReply(resultReply({ taskId: 'one', status: 'working' }));
    let asked = 0;
    const request = () => {
      asked++;
      const result = { tasks: ['one', 'two'].map((taskId) => ({ taskId, status: 'working' })) };
      return Promise.resolve(messageOf({ id: 1, result }));
    };
    const about = { protocolVersion: '2025-11-25', serverInfo: {}, instructions: undefined } as const;
    tasks.attach({ request } as unknown as Link, { ...about, era, capabilities });
    return { tasks, asked: () => asked };
  }

  test('has those in which it takes an interest', async () => {
    const { tasks, asked } = listing('legacy', CAPABILITIES.legacy);
    const listed = await tasks.list('A');
    expect(listed.map((json) => (JSON.parse(json) as { taskId: string }).taskId)).toEqual(['up/one']);
    expect([await tasks.list('B'), asked()]).toEqual([[], 1]);
    tasks.onSessionEnded('A');
    expect([await tasks.list('A'), asked()]).toEqual([[], 1]);
  });

  test.each([
    ['is modern', 'modern' as const, CAPABILITIES.legacy],
    ['cannot list them', 'legacy' as const, { tasks: {} }],
  ])('is empty where the upstream %s, which is not asked', async (_what, era, capabilities) => {
    const { tasks, asked } = listing(era, capabilities);
    expect([await tasks.list('A'), asked()]).toEqual([[], 0]);
  });

  test('is empty without a connection', async () => {
    const { tasks, asked } = listing('legacy', CAPABILITIES.legacy);
    tasks.detach();
    expect([await tasks.list('A'), asked()]).toEqual([[], 0]);
  });
});
