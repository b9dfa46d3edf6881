import { describe, expect, test } from 'vitest';
import { ClientRoots } from '../../../../src/core/folders/client-roots.ts';
import type { Caller, ClientFacts, ProviderCall } from '../../../../src/core/providers/provider.ts';
import { PoolCalls, type PoolCallsHost } from '../../../../src/upstream/sharing/pool-calls.ts';
import type { Upstream } from '../../../../src/upstream/upstream.ts';
import { callOf, KeepingCaller, taskCallOf } from '../calls.ts';
import { entryOf } from '../entries.ts';

class Client extends KeepingCaller {
  override readonly client: ClientFacts;

  constructor(sessionId: string, facts: Partial<ClientFacts> = {}) {
    super(sessionId);
    this.client = { ...new KeepingCaller(sessionId).client, ...facts };
  }
}

/** A pool that has a process for each of these places, and room for so many more. */
function open({ places = [] as string[], room = 0, isSplit = true, busy = [] as string[], state = 'idle' } = {}) {
  const log: string[] = [];
  const processOf = (place: string) =>
    ({
      shown: { state: { name: state } },
      start: () => log.push('start'),
      setLogLevel: (_id: string, level: string) => log.push(level),
      onSessionReady: (id: string) => log.push(`ready ${id}`),
      call: (_call: ProviderCall) => {
        log.push(`call ${place}`);
        return { cancel: () => undefined };
      },
    }) as unknown as Upstream;
  const known = new Map(places.map((place) => [place, processOf(place)]));
  const members: PoolCallsHost['members'] = {
    at: (place: string) => known.get(place),
    isFree: (place: string) => !busy.includes(place),
    claim: (place: string, _caller: Caller) => {
      if (known.size - places.length >= room) return undefined;
      known.set(place, processOf(place));
      return known.get(place);
    },
  };
  const calls = new PoolCalls({
    entry: entryOf({ share: 'session' }),
    members,
    roots: new ClientRoots(() => undefined),
    logLevels: new Map([['A', 'debug']]),
    isSplit: () => isSplit,
  });
  return { calls, log };
}

const modern = (clientId: string) => ({ clientId, era: 'modern' }) as const;

describe('a call goes to', () => {
  test('the process of its client, where it has one', () => {
    const { calls, log } = open({ places: ['A'] });
    calls.call(callOf('one', '{}', new Client('A', { clientId: 'A' })));
    expect(log).toEqual(['call A']);
  });

  test('a process that is begun for it, which hears what the client wanted before', () => {
    const { calls, log } = open({ room: 1 });
    calls.call(callOf('one', '{}', new Client('A', { clientId: 'A' })));
    expect(log).toEqual(['debug', 'start', 'ready A', 'call A']);
  });

  test('a process that was begun before, and is not begun again', () => {
    const { calls, log } = open({ room: 1, state: 'crash-loop' });
    calls.call(callOf('one', '{}', new Client('B', { clientId: 'B' })));
    expect(log).toEqual(['ready B', 'call B']);
  });

  test.each([
    ['the first process that waits for no client', { busy: ['A', 'A 1'], room: 1 }, 'call A 2'],
    ['the first process where there is no room for another', { places: ['A'], busy: ['A'] }, 'call A'],
    ['the one process of all while they share one', { places: ['A'], busy: ['A'], isSplit: false }, 'call A'],
  ])('%s, where its client makes each call under another session', (_what, pool, last) => {
    const { calls, log } = open(pool);
    calls.call(callOf('one', '{}', new Client('session', modern('A'))));
    expect(log.at(-1)).toBe(last);
  });

  test('the process of its client where that client has one session, though it waits', () => {
    const { calls, log } = open({ places: ['A'], busy: ['A'], room: 1 });
    calls.call(callOf('one', '{}', new Client('A', modern('A'))));
    expect(log).toEqual(['call A']);
  });
});

describe('a call is refused', () => {
  const refusalOf = (pool: Parameters<typeof open>[0], make: (caller: Caller) => ProviderCall, caller: Client) => {
    const { calls, log } = open(pool);
    calls.call(make(caller));
    return [caller.failures.map(({ code }) => code), log];
  };
  const ofTool = (caller: Caller) => callOf('one', '{}', caller);
  const ofTask = (caller: Caller) => taskCallOf('tasks/get', 'id', caller);

  test('that asks for a task of a process that its client does not have', () => {
    expect(refusalOf({ room: 1 }, ofTask, new Client('A', { clientId: 'A' }))).toEqual([['UNKNOWN_TASK'], []]);
  });

  test('that sends nothing but itself', () => {
    const caller = new Client('A', { clientId: 'A', isSessionless: true });
    expect(refusalOf({ room: 1 }, ofTool, caller)).toEqual([['SESSION_NEEDED'], []]);
  });

  test('that finds no room', () => {
    expect(refusalOf({ room: 0 }, ofTool, new Client('A', { clientId: 'A' }))).toEqual([['OVERLOADED'], []]);
  });
});
