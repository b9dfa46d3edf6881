import { describe, expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { FULL_PERMISSIONS } from '../../../src/core/access/permissions.ts';
import type { Provider } from '../../../src/core/providers/provider.ts';
import { Sessions } from '../../../src/session/sessions.ts';
import type { NotificationMessage } from '../../../src/wire/message.ts';
import { Asked, HeldProvider, modernSetup, read } from './modern-setup.ts';

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const NO_EXCHANGE = {
  reply: () => undefined,
  send: () => undefined,
  sendIfRoom: () => undefined,
  abandon: () => undefined,
};

/** Sessions after their handshake: one for each list of upstreams that it may see. */
function ready(...seen: readonly (readonly string[])[]) {
  const sessions = new Sessions();
  const catalogue = new Catalogue({ maxNameLength: () => 64 });
  const { host } = modernSetup();
  const all = seen.map((upstreams, index) => {
    const view = catalogue.openView({ ...FULL_PERMISSIONS, upstreams }, () => undefined);
    const options = {
      id: `s${index}`,
      transport: 'test',
      profile: 'p',
      folderRule: undefined,
      output: () => undefined,
    };
    const session = sessions.open({ ...host, catalogue: view }, options);
    session.onMessage(read<NotificationMessage>(INITIALIZED), NO_EXCHANGE);
    return session;
  });
  return { sessions, all };
}

const upstream = (id: string) => ({ kind: 'upstream', id }) as const;

test('an upstream that asks outside of calls reaches the only client that may see it, never one that may not', () => {
  const { sessions, all } = ready(['a'], ['b']);
  expect(sessions.sole(upstream('a'))).toBe(all[0]!.mailbox);
  expect(sessions.sole(upstream('b'))).toBe(all[1]!.mailbox);
  expect(sessions.sole(upstream('c'))).toBeUndefined();
});

test('a client counts from the end of its handshake to its own end', () => {
  const { sessions, all } = ready(['a']);
  const options = { id: 'new', transport: 'test', profile: 'p', folderRule: undefined, output: () => undefined };
  const late = sessions.open(all[0]!.host, options);
  expect(sessions.sole(upstream('a'))).toBe(all[0]!.mailbox);
  late.onMessage(read<NotificationMessage>(INITIALIZED), NO_EXCHANGE);
  expect(sessions.sole(upstream('a'))).toBeUndefined();
  all[0]!.end();
  expect(sessions.sole(upstream('a'))).toBe(late.mailbox);
});

test('where several may see it, none of them is meant', () => {
  expect(ready(['a'], ['a', 'b']).sessions.sole(upstream('a'))).toBeUndefined();
});

test('only the clients of a view hear that its lists have changed, and only theirs is given up', () => {
  const { sessions, all } = ready(['a'], ['b']);
  const [one, other] = all as [(typeof all)[number], (typeof all)[number]];
  const heard: string[] = [];
  for (const { id, lists } of all) Object.assign(lists, { onChange: () => heard.push(id) });
  sessions.onCatalogueChange(one.host.catalogue, new Set(['tool']));
  expect(heard).toEqual(['s0']);
  const ended: string[] = [];
  const provider = { onSessionEnded: (id: string) => ended.push(id) } as unknown as Provider;
  sessions.onHidden(other.host.catalogue, [provider, {} as Provider]);
  expect([ended, sessions.clientsOf(one.host.catalogue)]).toEqual([['s1'], [one]]);
});

test('streams of changes are clients of their view too', () => {
  const { host, sessions, request } = modernSetup();
  const other = new Catalogue({ maxNameLength: () => 64 }).openView(undefined, () => undefined);
  const stream = request('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const ended: string[] = [];
  const provider = { onSessionEnded: (id: string) => ended.push(id) } as unknown as Provider;
  sessions.onHidden(other, [provider]);
  sessions.onCatalogueChange(other, new Set(['tool']));
  expect([ended, stream.events.length]).toEqual([[], 1]);
  sessions.onHidden(host.catalogue, [provider]);
  expect([ended[0], ended.length]).toEqual(['http', 2]);
  sessions.endListeners();
  expect(stream.replies).toBe(1);
});

test('what clients declare counts once they have introduced themselves', () => {
  const { sessions, all } = ready(['a'], ['b']);
  expect(sessions.passed()).toEqual([]);
  all[1]!.introduction.introduce('2025-11-25', { capabilities: {}, clientInfo: {} });
  expect(sessions.passed()).toHaveLength(1);
});

test('new providers hear what each client wants to hear', () => {
  const { host, sessions, provider, request, catalogue } = modernSetup();
  const options = { id: 's', transport: 'test', profile: undefined, folderRule: undefined, output: () => undefined };
  const session = sessions.open(host, options);
  session.logLevel.set('error');
  request('subscriptions/listen', { notifications: { resourceSubscriptions: ['x://a'] } });
  provider.last.answer('yes');
  const subscribed = () => provider.calls.map(({ call }) => call.text.message.method);
  session.onMessage(
    read('{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x://b"}}'),
    new Asked(1),
  );
  provider.last.answer('yes');
  expect(subscribed()).toHaveLength(2);
  const told: string[] = [];
  const next = new HeldProvider();
  Object.assign(next, { setLogLevel: (id: string, level: string) => told.push(`${id} ${level}`) });
  catalogue.setProviders([next]);
  sessions.onProvidersChanged();
  expect(told).toEqual(['s error']);
  expect(next.calls.map(({ call }) => call.text.message.method)).toEqual([
    'resources/subscribe',
    'resources/subscribe',
  ]);
  expect(new Set(next.calls.map(({ call }) => call.ownName))).toEqual(new Set(['x://a', 'x://b']));
});

describe('a resource that a client has subscribed to, whose provider was replaced', () => {
  /** A session and a stream of changes, both with a subscription of a provider that another has replaced. */
  function replaced() {
    const { host, sessions, provider, request, catalogue } = modernSetup();
    const options = { id: 's', transport: 'test', profile: undefined, folderRule: undefined, output: () => undefined };
    const session = sessions.open(host, options);
    session.onMessage(read<NotificationMessage>(INITIALIZED), NO_EXCHANGE);
    const stream = request('subscriptions/listen', { notifications: { resourceSubscriptions: ['x://stream'] } });
    provider.last.answer('yes');
    session.onMessage(
      read('{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x://session"}}'),
      new Asked(1),
    );
    provider.last.answer('yes');
    const next = new HeldProvider();
    catalogue.setProviders([next]);
    return { host, sessions, session, stream, next };
  }

  test('is asked for again when the lists of the view change', () => {
    const { host, sessions, next } = replaced();
    sessions.onCatalogueChange(host.catalogue, new Set(['resource']));
    expect(new Set(next.calls.map(({ call }) => call.ownName))).toEqual(new Set(['x://stream', 'x://session']));
  });

  test('is not asked for any more once the client has gone', () => {
    const { sessions, session, stream, next } = replaced();
    sessions.onProvidersChanged();
    session.end();
    stream.open?.cancel();
    expect(next.calls.map(({ cancelled }) => cancelled)).toEqual(['no reason', 'no reason']);
  });
});

test('a warning of the gateway reaches each session that takes log messages', () => {
  const { host, sessions } = modernSetup();
  const told: string[] = [];
  for (const id of ['a', 'b']) {
    const options = { id, transport: 'test', profile: undefined, folderRule: undefined };
    const session = sessions.open(host, {
      ...options,
      output: (bytes) => told.push(`${id} ${JSON.parse(bytes.toString()).params.data as string}`),
    });
    session.onMessage(read<NotificationMessage>(INITIALIZED), NO_EXCHANGE);
  }
  sessions.warn('the disk is full');
  expect(told).toEqual(['a the disk is full', 'b the disk is full']);
});
