import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GatewayError } from '../../../../src/core/errors.ts';
import { ImpossibleError } from '../../../../src/core/impossible-error.ts';
import type { StdioEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { Connection } from '../../../../src/upstream/connection/connection.ts';
import { StartTurns } from '../../../../src/upstream/starts/start-turns.ts';
import { NeedsAuthError } from '../../../../src/upstream/transports/transport.ts';
import { entryOf } from '../entries.ts';
import { FakeServer } from './fake-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

function open(changes: Partial<StdioEntry> = {}, starts?: StartTurns) {
  const server = new FakeServer();
  const options = { ...server.options(entryOf({ era: 'legacy', ...changes })), starts };
  const connection = new Connection(options, server.owner);
  return { server, connection };
}

async function connect(changes: Partial<StdioEntry> = {}) {
  const opened = open(changes);
  opened.connection.want(true);
  await settle();
  opened.server.last.greet();
  await settle();
  opened.connection.onListed();
  const { server } = opened;
  const failures: string[] = [];
  const answers: unknown[] = [];
  /** Sends a call and returns its id. */
  const call = () =>
    opened.connection.link!.send(
      {
        idleMs: 10_000,
        isCancellable: true,
        onResponse: (message) => answers.push(message),
        onFailure: ({ code }) => failures.push(code),
      },
      (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call"}`,
    );
  return { ...opened, peer: server.last, failures, answers, call };
}

describe('a connection', () => {
  test('is there from the handshake on, and its owner hears of that first', async () => {
    const { server, connection } = open();
    connection.want(true);
    await settle();
    expect([connection.link, connection.state.name]).toEqual([undefined, 'starting']);
    server.last.greet();
    await settle();
    expect(connection.link?.era).toBe('legacy');
    expect([connection.pid, connection.starts]).toEqual([1, 1]);
    expect(server.told).toEqual(['starting', 'connected legacy']);
    connection.onUnlisted('no tools');
    connection.onListed();
    expect(server.told.slice(2)).toEqual(['waiting', 'ready']);
  });

  test('that is lost fails what waits, tells its owner, and is made again after a while', async () => {
    const { server, connection, peer, failures, call } = await connect();
    call();
    peer.events.onClosed('it has a secret');
    expect(failures).toEqual(['UPSTREAM_EXITED']);
    expect([connection.link, connection.pid]).toEqual([undefined, undefined]);
    expect(server.told.slice(3)).toEqual(['disconnected it has a *** true', 'backoff']);
    await settle(2_000);
    expect([server.peers.length, connection.starts]).toEqual([2, 2]);
  });

  test('that was replaced is heard no more', async () => {
    const { server, connection, peer } = await connect();
    connection.renew('others use it');
    const before = [...server.told];
    peer.hear({ method: 'notifications/message', params: {} });
    peer.hear({ id: 1, method: 'roots/list' });
    peer.events.onMissed?.();
    peer.events.onClosed('it ended');
    peer.events.onRequestFailed(1, { code: 'UPSTREAM_NEEDS_AUTH', reason: 'x', effect: 'none', status: 401 });
    expect(server.told).toEqual(before);
    await settle();
    expect(server.peers).toHaveLength(2);
    expect(connection.state.name).toBe('starting');
  });

  test('that is there is heard', async () => {
    const { server, peer } = await connect();
    peer.hear({ method: 'notifications/message', params: {} });
    peer.hear({ id: 1, method: 'roots/list' });
    peer.events.onMissed?.();
    peer.events.onStderr('a line');
    expect(server.told.slice(3)).toEqual([
      'notification notifications/message',
      'ask roots/list',
      'missed',
      'stderr a line',
    ]);
  });

  test('is made again only when the process before is gone', async () => {
    const { server, connection, peer } = await connect();
    let gone: (() => void) | undefined;
    peer.closing = new Promise((resolve) => {
      gone = resolve;
    });
    connection.renew('others use it');
    await settle(1_000);
    expect([peer.isClosed, server.peers.length]).toEqual([true, 1]);
    gone!();
    await settle();
    expect(server.peers).toHaveLength(2);
  });

  test('is stopped while it is being made: what is opened after that is closed', async () => {
    const { server, connection } = open();
    connection.want(true);
    await settle();
    const stopped = connection.stop('by hand', true);
    server.last.greet();
    await stopped;
    await settle();
    expect([server.last.isClosed, connection.state.name]).toEqual([true, 'stopped']);
    expect(server.told).toEqual(['starting', 'stopping', 'stopped']);
  });

  test('passes on that somebody has logged in', async () => {
    const { connection, peer } = await connect();
    connection.onCredentialsChanged();
    expect(peer.credentialsChanges).toBe(1);
  });
});

describe('a connection whose session has expired', () => {
  test('lets what is open run out while the next one is made', async () => {
    const { server, connection, peer, failures, answers, call } = await connect();
    peer.mayFinish = true;
    const id = call();
    peer.events.onClosed('its session has expired', 'expired');
    await settle();
    expect([server.peers.length, peer.isClosed, failures]).toEqual([2, false, []]);
    peer.hear({ id, result: {} });
    await settle();
    expect([answers.length, peer.isClosed]).toEqual([1, true]);
    expect(connection.state.name).toBe('starting');
  });

  test('fails what is open when the upstream is stopped', async () => {
    const { connection, peer, failures, call } = await connect();
    peer.mayFinish = true;
    call();
    peer.events.onClosed('its session has expired', 'expired');
    await connection.stop('the gateway stops', true);
    await settle();
    expect([failures, peer.isClosed]).toEqual([['UPSTREAM_EXITED'], true]);
  });

  test('fails what is open when its peer is gone after all', async () => {
    const { peer, failures, call } = await connect();
    peer.mayFinish = true;
    call();
    peer.events.onClosed('its session has expired', 'expired');
    peer.events.onClosed('it ended');
    expect(failures).toEqual(['UPSTREAM_EXITED']);
  });

  test('fails what is open where nothing more can come', async () => {
    const { peer, failures, call } = await connect();
    call();
    peer.events.onClosed('its session has expired', 'expired');
    await settle();
    expect([failures, peer.isClosed]).toEqual([['UPSTREAM_EXITED'], true]);
  });
});

describe('a server that does not let us in', () => {
  const refusal = (status: number) =>
    ({ code: 'UPSTREAM_NEEDS_AUTH', reason: 'log in', effect: 'none', status }) as const;

  test.each([
    [401, 'needs-auth'],
    [403, 'ready'],
  ])('with %i for one call leaves a connection that is %s', async (status, state) => {
    const { connection, peer, failures, call } = await connect();
    peer.events.onRequestFailed(call(), refusal(status));
    expect([failures, connection.state.name]).toEqual([['UPSTREAM_NEEDS_AUTH'], state]);
  });

  test('with 403 for the handshake needs a login', async () => {
    const { server, connection } = open();
    connection.want(true);
    await settle();
    server.last.events.onRequestFailed(1, refusal(403));
    expect(connection.state.name).toBe('needs-auth');
  });
});

describe('what cannot be opened', () => {
  test.each([
    [new NeedsAuthError('log in'), 'needs-auth'],
    [new ImpossibleError('no such command'), 'failed'],
    [new Error('it is busy'), 'backoff'],
  ])('because of %s is %s', async (problem, state) => {
    const { server, connection } = open();
    server.problem = problem;
    connection.want(true);
    await settle();
    expect(connection.state).toMatchObject({ name: state, reason: problem.message });
  });

  test('because its answer is none has failed', async () => {
    const { server, connection } = open();
    connection.want(true);
    await settle();
    server.last.hear({ id: server.last.sent[0]!.id, error: { code: 1, message: 'no' } });
    await settle();
    expect(connection.state.name).toBe('failed');
  });
});

describe('a process that ends when it is asked for its era', () => {
  const ask = async (changes: Partial<StdioEntry> = {}) => {
    const { server, connection } = open({ era: 'auto', ...changes });
    connection.want(true);
    await settle();
    server.last.wasReached = true;
    expect(server.last.methods).toEqual(['server/discover']);
    server.last.events.onClosed('it ended');
    await settle();
    return { server, connection };
  };

  test('is started anew and not asked, and that is no loss', async () => {
    const { server, connection } = await ask();
    expect([server.peers.length, connection.state.name]).toEqual([2, 'starting']);
    expect(server.last.methods).toEqual(['initialize']);
    expect(server.told).toEqual(['starting']);
  });

  test('is left alone where only people start it, and the reason says what to do', async () => {
    const { server, connection } = await ask({ restart: 'never' });
    expect(server.peers).toHaveLength(1);
    expect(connection.state).toMatchObject({ name: 'stopped', reason: expect.stringContaining('"era: legacy"') });
  });

  test('and was never reached has not minded the question', async () => {
    const { server, connection } = open({ era: 'auto' });
    connection.want(true);
    await settle();
    server.last.events.onClosed('it ended');
    expect(connection.state.name).toBe('backoff');
  });
});

describe('a peer that hangs', () => {
  test.each([
    ['always', true],
    ['never', false],
  ] as const)('is replaced unless only people start it: %s', async (restart, isReplaced) => {
    const { server, call } = await connect({ restart });
    call();
    await settle(16_000);
    expect(server.told.some((told) => told.startsWith('disconnected it hangs'))).toBe(isReplaced);
  });
});

describe('the turn of a start', () => {
  const others = () => {
    const starts = new StartTurns({ atOnce: () => 1, isBusy: () => false });
    return { starts, first: starts.begin('unknown') };
  };

  test('is waited for, unless somebody waits for the connection', async () => {
    const { starts, first } = others();
    const { server, connection } = open({}, starts);
    connection.want(true, false);
    await settle();
    expect([server.peers.length, connection.starts]).toEqual([0, 0]);
    connection.want(false);
    await settle();
    expect(server.peers).toHaveLength(1);
    first.end();
  });

  test('ends with the handshake', async () => {
    const { starts, first } = others();
    first.end();
    const { server, connection } = open({}, starts);
    connection.want(true, false);
    await settle();
    const next = starts.begin('unknown');
    let isGranted = false;
    void next.granted.then(() => {
      isGranted = true;
    });
    await settle();
    expect(isGranted).toBe(false);
    server.last.greet();
    await settle();
    expect(isGranted).toBe(true);
  });

  test('ends when the upstream is stopped first, and nothing is started', async () => {
    const { starts, first } = others();
    const { server, connection } = open({}, starts);
    connection.want(true, false);
    await settle();
    await connection.stop('by hand', true);
    first.end();
    await settle(10_000);
    expect(server.peers).toEqual([]);
  });
});

describe('a call that waits while its connection ends', () => {
  /** Returns why the call fails. */
  async function endedBy(end: (opened: Awaited<ReturnType<typeof connect>>) => unknown, changes?: Partial<StdioEntry>) {
    const opened = await connect(changes);
    const failures: GatewayError[] = [];
    opened.connection.link!.send(
      { onResponse: () => undefined, onFailure: (error) => void failures.push(error) },
      (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call"}`,
    );
    await end(opened);
    await settle();
    expect(failures).toHaveLength(1);
    return failures[0]!;
  }
  type Opened = Awaited<ReturnType<typeof connect>>;
  const lose = ({ peer }: Opened) => peer.events.onClosed('gone');

  test('learns after which pause there will be one again', async () => {
    const { code, detail } = await endedBy(lose);
    expect(code).toBe('UPSTREAM_EXITED');
    expect(detail.retryAfterMs).toBeGreaterThanOrEqual(200);
    expect(detail.retryAfterMs).toBeLessThanOrEqual(250);
  });

  test('learns that the next call makes one', async () => {
    expect((await endedBy(lose, { restart: 'on-demand' })).detail.retryAfterMs).toBe(0);
  });

  test.each<[string, (opened: Opened) => unknown, Partial<StdioEntry>]>([
    ['somebody must make one', lose, { restart: 'never' }],
    ['somebody has stopped it', ({ connection }) => connection.stop('by hand', true), { restart: 'on-demand' }],
  ])('learns of no time where %s', async (_what, end, changes) => {
    expect((await endedBy(end, changes)).detail.retryAfterMs).toBeUndefined();
  });
});

test('a connection that is stopped during a pause leaves no timer behind', async () => {
  const { connection, server, peer } = await connect();
  peer.events.onClosed('gone');
  expect(connection.state.name).toBe('backoff');
  expect(vi.getTimerCount()).toBe(1);
  void connection.stop('enough', false);
  await settle(60_000);
  expect([vi.getTimerCount(), server.peers.length, connection.state.name]).toEqual([0, 1, 'stopped']);
});
