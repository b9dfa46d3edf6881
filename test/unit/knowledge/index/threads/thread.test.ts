import { expect, test } from 'vitest';
import { Thread } from '../../../../../src/knowledge/index/threads/thread.ts';
import { atEnd } from '../../../../support/shared.ts';

const program = new URL('../../../../support/knowledge/looping-worker.mjs', import.meta.url);

function threadOf(stuckMs: number): Thread {
  const thread = new Thread({
    role: 'parse',
    data: () => undefined,
    maxMegabytes: 64,
    idleMs: 60_000,
    stuckMs,
    program,
  });
  atEnd(() => thread.close());
  return thread;
}

test('a worker that loops for ever is ended, and the next call has a new one', async () => {
  const thread = threadOf(2_000);
  expect(await thread.call('first', [])).toBe('first');
  const calls = ['loop', 'behind'].map((method) => thread.call(method, []));
  for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected');
    expect(reason.message).toContain('it did nothing for 2 s');
  }
  expect(await thread.call('next', [])).toBe('next');
});
