import { expect, test } from 'vitest';
import { LoopTurn } from '../../../../src/core/timing/loop-turn.ts';
import { WorkTurns } from '../../../../src/core/timing/work-turns.ts';

/** Turns of the event loop in which time passes only as the test says. */
function open() {
  let now = 0;
  const takeMs = (ms: number) => {
    now += ms;
  };
  return { turn: new LoopTurn(() => now), takeMs };
}

test('a turn is over after some milliseconds, and the next one begins anew', async () => {
  const { turn, takeMs } = open();
  expect(turn.isOver).toBe(false);
  takeMs(4);
  expect(turn.isOver).toBe(false);
  takeMs(1);
  expect([turn.isOver, turn.isOver]).toEqual([true, true]);
  await turn.next();
  expect(turn.isOver).toBe(false);
});

test('a turn ends even if nobody waits for the next one', async () => {
  const { turn, takeMs } = open();
  expect(turn.isOver).toBe(false);
  await new Promise(setImmediate);
  takeMs(100);
  expect(turn.isOver).toBe(false);
});

test('work that waits goes on in order, one slice in each turn', async () => {
  const { turn, takeMs } = open();
  const done: string[] = [];
  let turns = 0;
  const work = async (name: string) => {
    for (const piece of [1, 2]) {
      if (turn.isOver) await turn.next();
      takeMs(5);
      done.push(`${turns}: ${name}${piece}`);
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(work));
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await all;
  isDone = true;
  expect(done).toEqual(['0: a1', '0: a2', '1: b1', '2: c1', '3: b2', '4: c2']);
});

test('pieces of work that begin in one turn have one share of it together', async () => {
  const { turn, takeMs } = open();
  const begun: number[] = [];
  const work = async (index: number) => {
    const turns = new WorkTurns(undefined, turn);
    await turns.begin();
    begun.push(index);
    takeMs(3);
    turns.end();
  };
  const all: Promise<void>[] = [];
  for (let index = 0; index < 10; index++) {
    all.push(work(index));
    // Answers come one after the other, and each is worked on before the next one.
    for (let tick = 0; tick < 5; tick++) await Promise.resolve();
  }
  expect(begun).toEqual([0, 1]);
  await Promise.all(all);
  expect(begun).toEqual(Array.from({ length: 10 }, (_, index) => index));
});

test('the time of each piece is counted, without the time between', async () => {
  const pieces: number[] = [];
  const turns = new WorkTurns((ms) => pieces.push(ms));
  await turns.begin();
  await turns.pass();
  turns.end();
  expect(pieces).toHaveLength(2);
  for (const ms of pieces) expect(ms).toBeGreaterThanOrEqual(0);
});
