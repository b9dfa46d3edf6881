import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClientFacts, Era } from '../../../../src/core/providers/provider.ts';
import { UpstreamPool } from '../../../../src/upstream/sharing/upstream-pool.ts';
import { callOf, KeepingCaller, taskCallOf } from '../calls.ts';
import { entryOf } from '../entries.ts';
import { fakeTime, realTime } from '../fake-time.ts';
import { optionsOf } from './memory-pool.ts';

beforeEach(fakeTime);
afterEach(realTime);

/** A client that makes each call under another session. */
class ClientOf extends KeepingCaller {
  override readonly client: ClientFacts;

  constructor(clientId: string, era: Era, sessionId: string) {
    super(sessionId);
    this.client = {
      era,
      clientId,
      capabilities: '{}',
      clientInfo: undefined,
      logLevel: undefined,
      folderRule: undefined,
    };
  }
}

/** The command does not exist: whose process it would be shows all the same. */
function open() {
  const entry = entryOf({ command: 'no-such-command', share: 'session', restart: 'on-demand' });
  const upstream = new UpstreamPool(optionsOf(entry));
  let calls = 0;
  const call = (clientId: string, era: Era, sessionId = `session-${++calls}`) =>
    upstream.call(callOf('t', '{}', new ClientOf(clientId, era, sessionId)));
  return { upstream, call, processes: () => upstream.status().sessions };
}

test('the calls of one modern client share a process, which ends ten minutes after the last of them', async () => {
  const { upstream, call, processes } = open();
  for (const clientId of ['a', 'b', 'a']) call(clientId, 'modern').cancel();
  expect(processes()).toBe(2);
  upstream.onSessionEnded('session-1');
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  call('a', 'modern').cancel();
  expect(processes()).toBe(2);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(processes()).toBe(1);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(processes()).toBe(0);
});

test("a legacy client's process ends with its session and not before", async () => {
  const { upstream, call, processes } = open();
  call('a', 'legacy', 'a').cancel();
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(processes()).toBe(1);
  upstream.onSessionEnded('a');
  expect(processes()).toBe(0);
});

test('a client without a process has no tasks there, and gets none by asking', async () => {
  const { upstream, processes } = open();
  const caller = new ClientOf('a', 'modern', 'a');
  upstream.call(taskCallOf('tasks/get', 'id', caller));
  expect(caller.failures.map(({ code }) => code)).toEqual(['UNKNOWN_TASK']);
  expect(await upstream.tasks.watch('id', { sessionId: 's', clientId: 'a' })).toBe(false);
  expect(await upstream.tasks.list('a')).toEqual([]);
  expect([upstream.tasks.offered, processes()]).toEqual([undefined, 0]);
});
