import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WantedChanges } from '../../../../../src/upstream/events/subscriptions/wanted-changes.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open() {
  const over: string[] = [];
  let applied = 0;
  const changes = new WantedChanges(() => {
    applied++;
    changes.begin();
  });
  const note = (name: string) => changes.note().then(() => over.push(name));
  return { changes, over, note, applied: () => applied };
}

test('a change is applied at once, and waited for until it is in effect', async () => {
  const { changes, over, note, applied } = open();
  const both = [note('a'), note('b')];
  await vi.advanceTimersByTimeAsync(0);
  expect([applied(), changes.isDue, over]).toEqual([2, false, []]);
  changes.release();
  await Promise.all(both);
  expect(over).toEqual(['a', 'b']);
  changes.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(over).toHaveLength(2);
});

test('the last of many changes is due until it is applied', async () => {
  const { changes, note, applied } = open();
  for (let count = 0; count < 10; count++) void note(`${count}`);
  expect([applied(), changes.isDue]).toEqual([4, true]);
  await vi.advanceTimersByTimeAsync(300);
  expect([applied(), changes.isDue]).toEqual([5, false]);
});

test('nothing is due, applied or waited for once it is cleared', async () => {
  const { changes, over, note, applied } = open();
  for (let count = 0; count < 6; count++) void note(`${count}`);
  changes.clear();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([applied(), changes.isDue, over.length, vi.getTimerCount()]).toEqual([4, false, 6, 0]);
});
