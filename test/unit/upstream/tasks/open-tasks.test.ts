import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OpenTasks } from '../../../../src/upstream/tasks/open-tasks.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** Notes so many tasks; the server says of those in `over` that they have ended. */
function open(count: number, over: ReadonlySet<string> = new Set()) {
  const tasks = new OpenTasks();
  for (let index = 0; index < count; index++) tasks.note(`t${index}`, false);
  const asked: string[] = [];
  const ask = async () => {
    tasks.ask((ownId) => {
      asked.push(ownId);
      return Promise.resolve(over.has(ownId));
    });
    await Promise.resolve();
  };
  return { tasks, asked, ask };
}

test('a task is open until a message says that it is over', () => {
  const { tasks } = open(2);
  tasks.note('t0', true);
  tasks.note('unknown', true);
  expect(tasks.size).toBe(1);
  tasks.clear();
  expect(tasks.size).toBe(0);
});

test('a task is open until the server says so when it is asked', async () => {
  const { tasks, ask } = open(3, new Set(['t1']));
  await ask();
  expect(tasks.size).toBe(2);
});

test('the server is asked every five seconds', async () => {
  const { asked, ask } = open(1);
  await ask();
  vi.advanceTimersByTime(4_999);
  await ask();
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await ask();
  expect(asked).toHaveLength(2);
});

test('of many tasks some are asked about each time, all in turn', async () => {
  const { asked, ask } = open(50);
  for (let round = 1; round <= 3; round++) {
    await ask();
    expect(asked).toHaveLength(20 * round);
    vi.advanceTimersByTime(5_000);
  }
  expect(new Set(asked).size).toBe(50);
});

test('of very many tasks the oldest are forgotten', () => {
  expect(open(1_001).tasks.size).toBe(1_000);
});
