import { expect, test } from 'vitest';
import { awaitSettled } from '../../../../src/commands/status/await-settled.ts';

const entry = (key: string, restart: 'always' | 'on-demand' | 'never' = 'always', ms = 30_000) => ({
  key,
  restart,
  timeouts: { connectMs: ms, listMs: 0 },
});

/** Waits on answers that come one after the other, the last one for ever; gives how many were asked for, and what was told. */
async function wait(answers: readonly Record<string, string>[], entries: ReturnType<typeof entry>[]) {
  const told: string[] = [];
  let asked = 0;
  const ask = async () => {
    const states = answers[Math.min(asked, answers.length - 1)]!;
    asked += 1;
    return Object.entries(states).map(([key, state]) => ({ key, state }));
  };
  await awaitSettled({ ask, entries, tell: (line) => told.push(line) });
  return { asked, told };
}

test('nobody waits where nothing is being started', async () => {
  expect(await wait([{ a: 'ready', b: 'failed', c: 'backoff', d: 'needs-auth' }], [entry('a')])).toEqual({
    asked: 1,
    told: [],
  });
});

test('the wait ends when the last one is ready, or has failed', async () => {
  const states = [
    { a: 'starting', b: 'idle' },
    { a: 'ready', b: 'starting' },
    { a: 'ready', b: 'crash-loop' },
  ];
  const { asked, told } = await wait(states, [entry('a'), entry('b')]);
  expect(asked).toBe(3);
  expect(told).toEqual([expect.stringContaining('Waiting for a, b (30 s at most)')]);
});

test('one that is started only when it is needed is not waited for', async () => {
  expect((await wait([{ a: 'idle' }], [entry('a', 'on-demand')])).asked).toBe(1);
});

test('what does not settle is waited for as long as it may take to start', async () => {
  const { told } = await wait([{ a: 'starting' }], [entry('a', 'always', 250)]);
  expect(told).toHaveLength(1);
});

test('of many, some are named', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const starting = Object.fromEntries(names.map((name) => [name, 'starting']));
  const { told } = await wait(
    [starting, {}],
    names.map((name) => entry(name)),
  );
  expect(told[0]).toContain('a, b, c, d, e and 2 more');
});
