import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { UpstreamPool } from '../../../../src/upstream/sharing/upstream-pool.ts';
import { UpstreamTasks } from '../../../../src/upstream/tasks/upstream-tasks.ts';
import { Upstream } from '../../../../src/upstream/upstream.ts';
import { callOf, KeepingCaller } from '../calls.ts';
import { entryOf } from '../entries.ts';
import { fakeTime, realTime } from '../fake-time.ts';
import { optionsOf } from './memory-pool.ts';

beforeEach(fakeTime);
afterEach(realTime);

class Client extends KeepingCaller {
  override readonly client = { ...new KeepingCaller('').client, clientId: this.sessionId };
}

/** A pool with a process for each of the clients a and b. */
function open(share: 'session' | 'gateway' = 'session') {
  const options = optionsOf(entryOf({ command: 'no-such-command', share, restart: 'on-demand' }));
  const pool = new UpstreamPool(options);
  const call = (clientId: string) => pool.call(callOf('t', '{}', new Client(clientId))).cancel();
  for (const clientId of ['a', 'b']) call(clientId);
  return { pool, call, options };
}

/** Replaces a method of all processes, and returns how often it is called on how many of them. */
function watch(method: keyof Upstream, result?: unknown) {
  const spy = vi.spyOn(Upstream.prototype, method as 'onPinsChanged').mockReturnValue(result as undefined);
  onTestFinished(() => spy.mockRestore());
  return { calls: () => spy.mock.calls as unknown[][], processes: () => new Set(spy.mock.contexts).size };
}

describe('a pool tells all of its processes', () => {
  test.each<[keyof Upstream, (pool: UpstreamPool) => unknown, unknown[]]>([
    ['onPinsChanged', (pool) => pool.onPinsChanged(), []],
    ['onRulesChanged', (pool) => pool.onRulesChanged(), []],
    ['onCredentialsChanged', (pool) => pool.onCredentialsChanged(), []],
    ['onOutputMisfit', (pool) => pool.onOutputMisfit('tool', 'problem'), ['tool', 'problem']],
    ['onSessionEnded', (pool) => pool.onSessionEnded('call-1'), ['call-1']],
    ['disconnect', (pool) => pool.disconnect('why'), ['why']],
  ])('%s', (method, tell, words) => {
    const { pool } = open();
    const { calls, processes } = watch(method);
    void tell(pool);
    expect([calls(), processes()]).toEqual([[words, words], 2]);
  });

  test.each<['onCredentialsChanged' | 'disconnect', (pool: UpstreamPool) => Promise<void>]>([
    ['onCredentialsChanged', (pool) => pool.onCredentialsChanged()],
    ['disconnect', (pool) => pool.disconnect('why')],
  ])('%s, and waits for them', async (method, tell) => {
    const { pool } = open();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    watch(method, finished);
    let isDone = false;
    const done = tell(pool).then(() => {
      isDone = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(isDone).toBe(false);
    finish();
    await done;
  });
});

describe('a pool tells the processes of a client only', () => {
  test.each<[keyof Upstream, (pool: UpstreamPool) => unknown, unknown[]]>([
    ['setLogLevel', (pool) => pool.setLogLevel('a', 'debug'), ['a', 'debug']],
    ['onSessionReady', (pool) => pool.onSessionReady('a'), ['a']],
    ['onRootsChanged', (pool) => pool.onRootsChanged('a'), ['a']],
  ])('%s', (method, tell, words) => {
    const { pool } = open();
    const { calls } = watch(method);
    tell(pool);
    expect(calls()).toEqual([words]);
  });
});

describe('the log level that a client wants', () => {
  test('is told to a process that is begun for it later, until the client has gone', () => {
    const { pool, call } = open();
    const { calls } = watch('setLogLevel');
    pool.setLogLevel('later', 'debug');
    expect(calls()).toEqual([]);
    call('later');
    expect(calls()).toEqual([['later', 'debug']]);
    pool.onSessionEnded('later');
    call('later');
    expect(calls()).toHaveLength(1);
  });
});

describe('a task', () => {
  const watcher = { clientId: 'a' } as never;

  test.each([true, false])('is watched by the processes of its client: known there is %s', async (isKnown) => {
    const spy = vi.spyOn(UpstreamTasks.prototype, 'watch').mockResolvedValue(isKnown);
    onTestFinished(() => spy.mockRestore());
    const { pool } = open();
    expect(await pool.tasks.watch?.('t', watcher)).toBe(isKnown);
    expect(spy.mock.calls).toEqual([['t', watcher]]);
  });
});

test('all clients share one process until the server has asked one of them something', () => {
  const entry = entryOf({ command: 'no-such-command', share: 'auto', restart: 'on-demand' });
  const options = optionsOf(entry);
  const pool = new UpstreamPool(options);
  const call = (clientId: string) => pool.call(callOf('t', '{}', new Client(clientId))).cancel();
  call('a');
  expect(pool.status().sessions).toBeUndefined();
  options.asking.note(true);
  call('b');
  expect(pool.status().sessions).toBe(2);
});
