import { afterEach, expect, test, vi } from 'vitest';
import type { EntryKind } from '../../../src/core/providers/provider.ts';
import { type Bytes, toBuffer } from '../../../src/wire/bytes.ts';
import type { NotificationMessage, RequestMessage } from '../../../src/wire/message.ts';
import { Asked, modernSetup, read } from './modern-setup.ts';

afterEach(() => void vi.useRealTimers());

/** A session after its handshake; `told` is what it got that belongs to no request. */
function ready() {
  const { host, sessions, provider } = modernSetup();
  const told: string[] = [];
  const session = sessions.open(host, {
    id: 's',
    transport: 'test',
    profile: undefined,
    folderRule: undefined,
    output: (bytes: Bytes) => told.push(toBuffer(bytes).toString()),
  });
  session.onMessage(read<NotificationMessage>('{"jsonrpc":"2.0","method":"notifications/initialized"}'), new Asked(0));
  const request = (method: string, params: object = {}) => {
    const asked = new Asked(1);
    session.onMessage(read<RequestMessage>(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })), asked);
    return asked;
  };
  return { host, session, told, request, provider };
}

const TOOLS: ReadonlySet<EntryKind> = new Set(['tool']);
const CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

test('a change that comes right after a list was made is told', async () => {
  const { host, session, told, request } = ready();
  const { catalogue } = host;
  const listResult = catalogue.listResult.bind(catalogue);
  catalogue.listResult = (...words) => {
    queueMicrotask(() => session.onCatalogueChange(TOOLS));
    return listResult(...words);
  };
  await request('tools/list').answered;
  expect(told).toEqual([CHANGED]);
});

test('a change while a list is being waited for is in the answer, and is not told', async () => {
  const { session, told, request } = ready();
  const asked = request('tools/list');
  session.onCatalogueChange(TOOLS);
  await asked.answered;
  expect(told).toEqual([]);
  session.onCatalogueChange(TOOLS);
  expect(told).toEqual([CHANGED]);
});

test('a session that has ended is told of no change that waits for its turn', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { session, told } = ready();
  for (let count = 0; count < 10; count++) session.onCatalogueChange(TOOLS);
  const before = told.length;
  expect([before > 0, vi.getTimerCount()]).toEqual([true, 1]);
  session.end();
  session.onCatalogueChange(TOOLS);
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(before);
});

test('a question of a call that has ended fails at once, and is sent to nobody', async () => {
  const { session, request, provider } = ready();
  const asked = request('tools/call', { name: 'tool' });
  session.onMessage(
    read<NotificationMessage>('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'),
    asked,
  );
  provider.last.elicit('are you there?');
  expect(provider.last.answers).toEqual(['CALL_CANCELLED: The call has ended']);
  expect(asked.events).toEqual([]);
});

test('a question to a session that has ended fails at once', () => {
  const { session, told } = ready();
  session.end();
  const failures: string[] = [];
  session.mailbox.ask({
    message: read<RequestMessage>('{"jsonrpc":"2.0","id":7,"method":"ping"}'),
    onAnswer: () => undefined,
    onFailure: ({ code }) => failures.push(code),
    onProgress: () => undefined,
  });
  expect([failures, told]).toEqual([['CALL_CANCELLED'], []]);
});

test('providers hear of the handshake once, of changed roots, and of the end once', () => {
  const { session, provider, host, request } = ready();
  const heard: string[] = [];
  const note = (what: string) => (id: string) => void heard.push(`${what} ${id}`);
  Object.assign(provider, {
    onSessionReady: note('ready'),
    onRootsChanged: note('roots'),
    onSessionEnded: note('ended'),
  });
  const notify = (method: string) =>
    session.onMessage(read<NotificationMessage>(JSON.stringify({ jsonrpc: '2.0', method })), new Asked(0));
  notify('notifications/initialized');
  notify('notifications/roots/list_changed');
  expect(heard).toEqual(['roots s']);
  const asked = request('tools/call', { name: 'tool' });
  session.end();
  session.end();
  notify('notifications/initialized');
  expect(heard).toEqual(['roots s', 'ended s']);
  expect([session.isReady, session.openCalls, host.quota.openCalls]).toEqual([false, 0, 0]);
  expect([provider.last.cancelled, asked.isAbandoned]).toEqual(['"the client has disconnected"', true]);
});

test('only a client with roots is asked for them after its handshake', () => {
  const { host, sessions, provider } = modernSetup();
  const heard: string[] = [];
  Object.assign(provider, { onSessionReady: (id: string) => heard.push(id) });
  for (const [id, capabilities] of [['with', { roots: {} }] as const, ['without', {}] as const]) {
    const session = sessions.open(host, {
      id,
      transport: 'test',
      profile: undefined,
      folderRule: undefined,
      output: () => undefined,
    });
    session.introduction.introduce('2025-11-25', { capabilities, clientInfo: {} });
    expect(session.isReady).toBe(false);
    for (let times = 0; times < 2; times++)
      session.onMessage(
        read<NotificationMessage>('{"jsonrpc":"2.0","method":"notifications/initialized"}'),
        new Asked(0),
      );
    expect(session.isReady).toBe(true);
  }
  expect(heard).toEqual(['with']);
});

test('a session that ends leaves the list of clients, and so does one that is sent away', () => {
  const { host, sessions } = modernSetup();
  const reasons: string[] = [];
  const open = (id: string) =>
    sessions.open(host, {
      id,
      transport: 'test',
      profile: undefined,
      folderRule: undefined,
      output: () => undefined,
      hangUp: (reason) => reasons.push(reason),
    });
  const [one, other] = [open('one'), open('other')];
  expect(sessions.get('one')).toBe(one.mailbox);
  one.end();
  other.hangUp('its profile is gone');
  expect([sessions.get('one'), sessions.get('other'), reasons]).toEqual([
    undefined,
    undefined,
    ['its profile is gone'],
  ]);
});

test.each<[string, object, string]>([
  ['by itself', {}, 's'],
  ['with all others without a session', { isBrief: true }, 'sessionless'],
  ['with all sessions of its principal', { isBrief: true, principal: { id: 'u1', name: 'Ann' } }, 'u1'],
  ['by itself, if its principal has no id', { principal: { id: '', name: 'Ann' } }, 's'],
])('the calls of a client are counted %s', (_how, options, payer) => {
  const { host, sessions } = modernSetup();
  const asked: (string | undefined)[] = [];
  const quota = { denial: (client: string | undefined) => void asked.push(client) };
  const session = sessions.open(
    { ...host, quota: quota as never },
    {
      id: 's',
      transport: 'test',
      profile: undefined,
      folderRule: undefined,
      output: () => undefined,
      ...options,
    },
  );
  session.denialOf('tools/call');
  expect(asked).toEqual([payer]);
});
