import { expect, test } from 'vitest';
import { Batch, type BatchedCall } from '../../../src/audit/batch.ts';
import { EventQueue } from '../../../src/audit/event-queue.ts';
import type { EventStore, NewEvent } from '../../../src/core/stores/event-store.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { endedCall } from './ended-call.ts';

function callsOf(...names: readonly string[]): readonly BatchedCall[] {
  const batch = new Batch('off', new Masker());
  for (const name of names) batch.add(endedCall({ params: { name } }));
  return batch.calls;
}

/** A store whose every use goes as `use` says. */
function open(use: () => Promise<void> = async () => undefined) {
  const events: NewEvent[] = [];
  const sizes: number[] = [];
  const pruned: number[] = [];
  const logged: any[] = [];
  const store = {
    add: async (batch: readonly NewEvent[]) => {
      await use();
      sizes.push(batch.length);
      events.push(...batch);
      return batch.length;
    },
    expire: async (_kind: string, keepMs: number) => pruned.push(keepMs),
  } as unknown as EventStore;
  const queue = new EventQueue({
    store,
    close: async () => undefined,
    keepDays: 2,
    log: createLog({ level: 'info', destination: { write: (line) => logged.push(JSON.parse(line)) } }),
  });
  return { queue, events, sizes, pruned, logged };
}

const manyNames = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

test('calls become events', async () => {
  const { queue, events } = open();
  queue.add(callsOf('a'));
  await queue.close();
  expect(events).toEqual([
    {
      kind: 'audit',
      at: Date.UTC(2026, 10, 28, 12, 0, 0, 7),
      type: 'a',
      agent: 'agent',
      session: 's1',
      body: '{"method":"tools/call","provider":"up","level":"security","outcome":"ok","durationMs":12.3}',
    },
  ]);
});

test('the store is not touched where there were no calls', async () => {
  let uses = 0;
  const { queue, pruned } = open(async () => void uses++);
  await queue.close();
  expect([uses, pruned]).toEqual([0, []]);
});

test('calls are stored by themselves, some at a time, and old ones are removed', async () => {
  const { queue, events, sizes, pruned } = open();
  queue.add(callsOf(...manyNames(300)));
  await expect.poll(() => events.length, { timeout: 10_000 }).toBe(300);
  expect(sizes).toEqual([128, 128, 44]);
  expect(pruned).toEqual([2 * 86_400_000]);
  await queue.close();
});

test('what cannot be stored is reported once, and stored in its order when it can be', async () => {
  let isDown = true;
  const { queue, events, logged } = open(async () => {
    if (isDown) throw new Error('the disk is full');
  });
  queue.add(callsOf('a', 'b'));
  await expect.poll(() => logged.length, { timeout: 10_000 }).toBe(1);
  isDown = false;
  queue.add(callsOf('c'));
  await queue.close();
  expect(events.map(({ type }) => type)).toEqual(['a', 'b', 'c']);
  expect(logged.map(({ event }) => event)).toEqual(['audit-store']);
});

test('of too many calls the last are left out, and it is said how many', async () => {
  const { queue, events, logged } = open();
  queue.add(callsOf(...manyNames(17_000)));
  await queue.close();
  expect(events).toHaveLength(16_384);
  expect(events.at(-1)?.type).toBe('t16383');
  expect(logged).toMatchObject([{ event: 'audit-store', calls: 616 }]);
});

test('a store that is out of reach at the end is said to lack what waits', async () => {
  const { queue, logged } = open(async () => {
    throw new Error('not there');
  });
  queue.add(callsOf('a', 'b'));
  await queue.close();
  expect(logged.map(({ calls }) => calls)).toEqual([undefined, 2]);
});

test('what is being stored when the gateway stops is waited for', async () => {
  let release: () => void = () => undefined;
  const isUnderWay = { value: false };
  const { queue, events } = open(() => {
    isUnderWay.value = true;
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  queue.add(callsOf('a'));
  await expect.poll(() => isUnderWay.value, { timeout: 10_000 }).toBe(true);
  const closing = queue.close();
  release();
  await closing;
  expect(events).toHaveLength(1);
});
