import { describe, expect, test } from 'vitest';
import { scopeOf } from '../../../../src/core/access/permissions.ts';
import { BUILD, MESSAGES, METRICS, SESSION, startIdeBackend } from '../../../support/ide/ide-backend.ts';
import { ideSetup, OWN_BUILDS } from './tools-setup.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
const own = (number: number) => {
  const { id, repo, branch, status } = OWN_BUILDS[number - 1]!;
  return { id, repo, branch, status, startedAt: TIME, ...(status !== 'running' && { duration: '1.5s' }) };
};

/** A tool, its arguments, and its answer by the backend, and while that is silent; `own` where the gateway knows it. */
const TABLE: readonly (readonly [string, object, object, object])[] = [
  [
    'ide_chat_send',
    { sessionId: 's-1', message: 'hello' },
    { sent: true, sessionId: 's-1', timestamp: '2026-01-02T03:04:07Z', note: expect.stringContaining('chat:s-1') },
    { sent: true, sessionId: 's-1', timestamp: TIME },
  ],
  [
    'ide_chat_history',
    { sessionId: 's-1' },
    { sessionId: 's-1', messages: MESSAGES },
    { sessionId: 's-1', messages: [] },
  ],
  [
    'ide_chat_history',
    { sessionId: 's-1', limit: 1 },
    { sessionId: 's-1', messages: MESSAGES.slice(1) },
    { sessionId: 's-1', messages: [] },
  ],
  ['ide_session_list', {}, { sessions: [SESSION] }, { sessions: [] }],
  [
    'ide_session_create',
    { name: 'new' },
    { session: { ...SESSION, id: 's-2', name: 'new' } },
    { session: { id: '', name: 'new', status: 'creating', createdAt: TIME } },
  ],
  [
    'ide_plan_status',
    { sessionId: 's-1' },
    { sessionId: 's-1', status: 'running', steps: [{ name: 'a', status: 'done' }] },
    { sessionId: 's-1', status: 'unknown', steps: [] },
  ],
  [
    'ide_build_status',
    { buildId: 'b-1' },
    { build: BUILD },
    { build: { id: 'b-1', repo: '', branch: '', status: 'unknown' } },
  ],
  ['ide_build_list', { repo: 'core', limit: 5 }, { builds: [BUILD] }, { builds: [] }],
  ['ide_build_list', { limit: 1 }, { builds: [own(4)] }, { builds: [own(4)] }],
  [
    'ide_build_logs',
    { buildId: 'b-1', tail: 2 },
    { buildId: 'b-1', lines: ['two', 'three'] },
    { buildId: 'b-1', lines: [] },
  ],
  [
    'ide_dashboard_overview',
    {},
    {
      overview: { repos: 1, services: 2, activeSessions: 3, recentBuilds: 4, bridgeOnline: true },
      sources: { overview: 'IDE backend' },
    },
    {
      overview: { repos: 0, services: 2, activeSessions: 3, recentBuilds: 4, bridgeOnline: true },
      sources: expect.objectContaining({ services: 'servers behind this gateway' }),
    },
  ],
  [
    'ide_dashboard_activity',
    { limit: 5 },
    {
      events: [{ type: 'build', message: 'built', timestamp: '2026-01-02T03:04:05Z' }],
      sources: { events: 'IDE backend' },
    },
    { events: [], sources: { events: expect.stringContaining('calls of all clients') } },
  ],
  [
    'ide_dashboard_metrics',
    { period: '7d' },
    { period: '7d', metrics: METRICS, sources: { metrics: 'IDE backend' } },
    {
      period: '7d',
      metrics: {
        buildsTotal: 4,
        buildsSuccess: 2,
        buildsFailed: 1,
        avgBuildTime: '1.5s',
        agentSessions: 0,
        messagesTotal: 0,
        successRate: 2 / 3,
      },
      sources: expect.objectContaining({ buildsTotal: expect.stringContaining('4 builds') }),
    },
  ],
];

describe('with a backend', () => {
  test.each(TABLE)('%s %j', async (tool, args, answered, unanswered) => {
    const backend = await startIdeBackend();
    // Patient enough for a busy machine, or not patient at all.
    const [patient, hasty] = [60_000, 10].map((answerMs) => ideSetup({ url: backend.url, answerMs }));
    const call = patient!.call;
    for (const { isOnline } of [patient!, hasty!]) await expect.poll(isOnline).toBe(true);
    expect(await call(tool, args)).toEqual(answered);
    backend.behaviour = 'silent';
    const { pending, message, bridgeOnline, ...rest } = await hasty!.call(tool, args);
    expect(rest).toEqual(unanswered);
    expect({ pending, bridgeOnline }).toEqual({ pending: true, bridgeOnline: true });
    expect(message).toContain(tool === 'ide_chat_send' ? 'channel chat:s-1' : 'channel ide:');
    // The overview is always there.
    const failed = tool === 'ide_dashboard_overview' ? (unanswered as object) : { code: 'IDE_FAILED' };
    backend.behaviour = 'error';
    expect(await call(tool, args)).toMatchObject({ ...failed, message: expect.stringContaining('not today') });
    backend.behaviour = 'wrong';
    expect(await call(tool, args)).toMatchObject({ ...failed, message: expect.stringMatching(/malformed/) });
  });

  test('what it is sent', async () => {
    const backend = await startIdeBackend();
    const { call, isOnline } = ideSetup({ url: backend.url, answerMs: 60_000 });
    await expect.poll(isOnline).toBe(true);
    const before = backend.received.length;
    for (const [tool, args] of TABLE) await call(tool, args);
    const sent = backend.received.slice(before).map(({ timestamp: _timestamp, ...rest }) => rest);
    expect(sent).toEqual([
      { type: 'chat_send', channel: 'chat:s-1', sessionId: 's-1', data: 'hello' },
      { type: 'chat_history', sessionId: 's-1', data: { limit: 0 } },
      { type: 'chat_history', sessionId: 's-1', data: { limit: 1 } },
      { type: 'session_list' },
      { type: 'session_create', data: { name: 'new' } },
      { type: 'plan_status', sessionId: 's-1' },
      { type: 'build_status', data: { buildId: 'b-1' } },
      { type: 'build_list', data: { repo: 'core', limit: 5 } },
      { type: 'build_list', data: { repo: '', limit: 1 } },
      { type: 'build_logs', data: { buildId: 'b-1', tail: 2 } },
      { type: 'dashboard_overview' },
      { type: 'dashboard_activity', data: { limit: 5 } },
      { type: 'dashboard_metrics', data: { period: '7d' } },
    ]);
  });

  test('that is not connected, changes fail, and the rest comes from own sources', async () => {
    const { call } = ideSetup({ url: 'ws://127.0.0.1:9/ws' });
    for (const [tool, args] of TABLE) {
      const result = await call(tool, args);
      if (/send|create/.test(tool)) expect(result).toMatchObject({ code: 'IDE_OFFLINE' });
      else expect(result).toMatchObject({ bridgeOnline: false, message: expect.stringContaining('not connected') });
    }
    expect(await call('ide_build_list')).toMatchObject({ sources: { builds: expect.stringContaining('gateway') } });
    expect(await call('ide_build_logs', { buildId: 'own-build-1', tail: 1 })).toEqual({
      buildId: 'own-build-1',
      lines: ['line 9'],
    });
  });

  test('builds of the gateway are found beside those of the backend', async () => {
    const backend = await startIdeBackend();
    const { call, isOnline } = ideSetup({ url: backend.url, answerMs: 60_000 });
    await expect.poll(isOnline).toBe(true);
    expect(await call('ide_build_status', { buildId: 'own-build-1' })).toEqual({ build: own(1) });
    expect((await call('ide_build_list', {})).builds.map(({ id }: { id: string }) => id)).toEqual([
      'own-build-4',
      'own-build-3',
      'own-build-2',
      'own-build-1',
      'b-1',
    ]);
  });

  test('a client of some projects never reaches it', async () => {
    const backend = await startIdeBackend();
    const { call, isOnline } = ideSetup({ url: backend.url, answerMs: 60_000 });
    await expect.poll(isOnline).toBe(true);
    const before = backend.received.length;
    const scope = scopeOf({
      upstreams: 'all',
      workflows: 'all',
      tools: { allow: ['*'], deny: [] },
      projects: [['acme-*']],
    });
    const { session } = await call('ide_session_create', { name: 'x' }, { scope });
    expect(session.id).toBe('own-1');
    for (const [tool, args] of TABLE) await call(tool, args, { scope });
    expect(backend.received.length).toBe(before);
  });

  test('its reply, if it comes at once, is the reply of the call', async () => {
    const backend = await startIdeBackend();
    const { call, isOnline } = ideSetup({ url: backend.url, answerMs: 30_000 });
    await expect.poll(isOnline).toBe(true);
    backend.behaviour = 'silent';
    const answered = call('ide_chat_send', { sessionId: 's-9', message: 'x' });
    await expect.poll(() => backend.received.some(({ sessionId }) => sessionId === 's-9')).toBe(true);
    backend.push({ type: 'chat_message', sessionId: 's-9', data: { role: 'user', content: 'of somebody' } });
    backend.push({ type: 'chat_message', sessionId: 's-9', data: { role: 'assistant', content: 'done' } });
    expect(await answered).toMatchObject({ sent: true, reply: { role: 'assistant', content: 'done' } });
  });
});

describe('without a backend', () => {
  test('a chat', async () => {
    const { call } = ideSetup();
    const { session } = await call('ide_session_create', { name: 'plans' });
    expect(await call('ide_chat_send', { sessionId: session.id, message: 'hello' })).toMatchObject({
      sent: true,
      sessionId: session.id,
      reply: { content: 're: hello' },
    });
    expect(await call('ide_session_list')).toEqual({ sessions: [session] });
    expect(await call('ide_chat_history', { sessionId: session.id, limit: 1 })).toEqual({
      sessionId: session.id,
      messages: [{ role: 'assistant', content: 're: hello', timestamp: TIME, author: 'model' }],
    });
    expect(await call('ide_plan_status', { sessionId: session.id })).toEqual({
      sessionId: session.id,
      status: 'in_progress',
      steps: [{ name: 'first', status: 'done' }],
    });
    expect(await call('ide_chat_history', { sessionId: 'none' })).toMatchObject({ code: 'IDE_SESSION_NOT_FOUND' });
  });

  test('builds', async () => {
    const { call } = ideSetup();
    expect(await call('ide_build_status', { buildId: 'own-build-3' })).toEqual({ build: own(3) });
    expect(await call('ide_build_list', { repo: 'web', limit: 2 })).toEqual({ builds: [own(3), own(2)] });
    expect(await call('ide_build_logs', { buildId: 'own-build-1', tail: 1 })).toMatchObject({ lines: ['line 9'] });
    expect(await call('ide_build_status', { buildId: 'b-1' })).toMatchObject({ code: 'BUILD_NOT_FOUND' });
  });

  test('ide_build_start and ide_build_stop are there if the config names build commands', async () => {
    const { call } = ideSetup({}, ['web']);
    expect(await call('ide_build_start', { name: 'web' })).toEqual({ build: own(4) });
    expect(await call('ide_build_start', { name: 'rm' })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(await call('ide_build_stop', { buildId: 'own-build-1' })).toMatchObject({ build: own(1), success: false });
    expect(ideSetup().workflow.tools()).toHaveLength(11);
  });
});

test.each([
  ['ide_chat_send', { sessionId: 's', message: ' ' }],
  ['ide_chat_send', { sessionId: '', message: 'x' }],
  ['ide_chat_send', { sessionId: 's', message: 'x', more: 1 }],
  ['ide_chat_history', {}],
  ['ide_chat_history', { sessionId: 's', limit: -1 }],
  ['ide_chat_history', { sessionId: 's', limit: 1.5 }],
  ['ide_session_create', { name: '' }],
  ['ide_plan_status', { sessionId: 7 }],
  ['ide_build_status', { buildId: '' }],
  ['ide_build_list', { limit: 5_000 }],
  ['ide_build_logs', { buildId: 'b', tail: -1 }],
  ['ide_dashboard_activity', { limit: 1_000 }],
  ['ide_dashboard_metrics', { period: '2h' }],
  ['ide_dashboard_metrics', { period: '' }],
])('%s refuses %j', async (tool, args) => {
  expect(await ideSetup().call(tool, args)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
});

test('audit levels, and whose arguments are secret', () => {
  const tools = ideSetup({}, ['web']).workflow.tools();
  const named = (test: (tool: (typeof tools)[number]) => boolean) => tools.filter(test).map(({ name }) => name);
  expect(named(({ audit }) => audit === 'security')).toEqual([
    'ide_chat_send',
    'ide_session_create',
    'ide_build_start',
    'ide_build_stop',
  ]);
  expect(named(({ hasSecretArguments }) => hasSecretArguments === true)).toEqual(['ide_chat_send']);
});

test.each([
  [{ url: 'http://localhost/' }, 'ws://'],
  [{ url: 'ws://user:secret@localhost/' }, 'user'],
  [{ url: 'ws://localhost/?token=secret' }, 'query'],
  [{ token: 'secret' }, 'url'],
  [{ url: 'ws://localhost/', token: 'a b' }, 'space'],
])('options %j are refused', (options, words) => {
  expect(() => ideSetup(options)).toThrow(words);
});
