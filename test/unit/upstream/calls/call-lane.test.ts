import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallLane } from '../../../../src/upstream/calls/call-lane.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A lane with its work: which pieces have begun, and how to end them. */
function open(limit: number) {
  const lane = new CallLane(limit);
  const begun: number[] = [];
  const running = new Map<number, () => void>();
  let most = 0;
  let arrived = 0;
  /** `ends` is when the work ends: at once, or when it is told to. */
  const arrive = (ends: 'at once' | 'when told') => {
    const number = arrived++;
    const begin = (done: () => void) => {
      begun.push(number);
      most = Math.max(most, running.size + 1);
      if (ends === 'at once') done();
      else running.set(number, done);
    };
    lane.run({ begin });
  };
  const end = (which: number) => {
    const [number, done] = [...running][which % Math.max(1, running.size)] ?? [];
    if (number === undefined || done === undefined) return;
    running.delete(number);
    done();
  };
  return { lane, arrive, end, begun, running, most: () => most, arrived: () => arrived };
}

describe('a lane', () => {
  test('keeps to its limit and to the order of arrival, and lets nothing wait for ever', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('at once', 'when told', 'when told') },
      { weight: 3, arbitrary: fc.nat({ max: 5 }) },
      { weight: 1, arbitrary: fc.constant('turn') },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (limit, steps) => {
        const { arrive, end, begun, running, most, arrived } = open(limit);
        for (const next of steps) {
          if (next === 'at once' || next === 'when told') arrive(next);
          else if (typeof next === 'number') end(next);
          else await settle();
          // Nobody waits in vain: what is not running or over waits only for room.
          if (next === 'turn' && begun.length < arrived()) expect(running.size).toBe(limit);
        }
        for (await settle(); running.size > 0; await settle()) end(0);
        expect(begun).toEqual(Array.from({ length: arrived() }, (_, index) => index));
        expect(most()).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 300 },
    );
  });

  test('starts work in the very turn in which it arrives while there is room', () => {
    const { arrive, begun } = open(2);
    for (const ends of ['at once', 'when told', 'at once', 'when told'] as const) arrive(ends);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  test('uses its whole limit while some work runs since before there was a queue', async () => {
    const { arrive, end, begun, running } = open(3);
    for (let count = 0; count < 8; count++) arrive('when told');
    expect(begun).toEqual([0, 1, 2]);
    end(0);
    await settle();
    end(0);
    end(0);
    await settle();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    expect(running.size).toBe(3);
  });

  test('does not queue again while there is room, though work of before still runs', async () => {
    const { arrive, end, begun, running } = open(2);
    for (let count = 0; count < 3; count++) arrive('when told');
    end(1);
    await settle();
    expect([...running.keys()]).toEqual([0, 2]);
    end(1);
    await settle();
    arrive('when told');
    expect(begun).toEqual([0, 1, 2, 3]);
    arrive('when told');
    await settle();
    expect(begun).toHaveLength(4);
  });

  test('keeps to a lower limit as soon as enough work has ended, and to a higher one at once', async () => {
    const { lane, arrive, end, begun, running } = open(3);
    for (let count = 0; count < 5; count++) arrive('when told');
    lane.setLimit(1);
    for (const left of [2, 1]) {
      end(0);
      await settle();
      expect([running.size, begun.length]).toEqual([left, 3]);
    }
    end(0);
    await settle();
    expect(begun).toEqual([0, 1, 2, 3]);
    lane.setLimit(2);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  test('a limit that is lowered while nothing waits counts what runs already', async () => {
    const { lane, arrive, end, begun } = open(3);
    for (let count = 0; count < 3; count++) arrive('when told');
    lane.setLimit(2);
    arrive('when told');
    end(0);
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    end(0);
    await settle();
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  test('work that waits can leave, and work that runs cannot', async () => {
    const lane = new CallLane(1);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const run = (name: string) =>
      lane.run({
        begin: (done) => {
          begun.push(name);
          ends.push(done);
        },
      });
    expect(run('a')).toBeUndefined();
    const [leaveB, leaveC] = [run('b')!, run('c')!];
    leaveB();
    ends[0]!();
    await settle();
    leaveC();
    run('d');
    await settle();
    expect(begun).toEqual(['a', 'c']);
    ends[1]!();
    await settle();
    expect(begun).toEqual(['a', 'c', 'd']);
  });

  test('a thousand pieces that end at once do not fill the stack', async () => {
    const { arrive, end, begun } = open(1);
    arrive('when told');
    for (let count = 0; count < 5_000; count++) arrive('at once');
    end(0);
    await expect.poll(() => begun.length).toBe(5_001);
  });
});
