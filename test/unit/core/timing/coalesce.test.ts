import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coalesce } from '../../../../src/core/timing/coalesce.ts';

/** An operation that ends when it is told to, and keeps a diary. */
function operation() {
  const diary: string[] = [];
  const ends: ((fails: boolean) => void)[] = [];
  let begun = 0;
  const run = () =>
    new Promise<number>((resolve, reject) => {
      const number = ++begun;
      diary.push(`begin ${number}`);
      ends.push((fails) => {
        diary.push(`end ${number}`);
        if (fails) reject(new Error(`run ${number} failed`));
        else resolve(number);
      });
    });
  return {
    run,
    diary,
    begun: () => begun,
    isRunning: () => ends.length > 0,
    end: (fails: boolean) => ends.shift()?.(fails),
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('requests during a run cause exactly one more, which begins after it; each promise is that of a run begun after the request', async () => {
  /** `again` asks once more as soon as the run of this request has ended, before anybody else can do anything. */
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('request', 'request again') },
    { weight: 2, arbitrary: fc.constantFrom('end', 'fail', 'wait') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { run, diary, begun, isRunning, end } = operation();
      const request = coalesce(run);
      const results: Promise<void>[] = [];
      const ask = (again: boolean) => {
        const before = begun();
        const promise = request();
        const result = promise.then(
          (number) => expect(number).toBeGreaterThan(before),
          (error: Error) => expect(Number(/\d+/.exec(error.message))).toBeGreaterThan(before),
        );
        results.push(result);
        const askAgain = () => ask(false);
        if (again) void promise.then(askAgain, askAgain);
      };
      for (const next of steps) {
        if (next.startsWith('request')) ask(next === 'request again');
        else if (next === 'wait') await settle();
        else end(next === 'fail');
      }
      await settle();
      while (isRunning()) {
        end(false);
        await settle();
      }
      await Promise.all(results);
      // Runs follow each other and never overlap.
      expect(diary).toEqual(
        Array.from({ length: begun() }, (_, index) => [`begin ${index + 1}`, `end ${index + 1}`]).flat(),
      );
    }),
    { numRuns: 300 },
  );
});

describe('how often it runs', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [50, 2],
  ])('%i requests in one turn cost %i runs', async (requests, runs) => {
    const { run, begun, end } = operation();
    const request = coalesce(run);
    const all = Array.from({ length: requests }, request);
    for (let count = 0; count < 3; count++) {
      end(false);
      await settle();
    }
    expect(begun()).toBe(runs);
    expect(await Promise.all(all)).toEqual([1, ...Array.from({ length: requests - 1 }, () => 2)]);
  });

  test('a request that comes in the very turn in which a run ends joins the one that is due', async () => {
    const { run, diary, end } = operation();
    const request = coalesce(run);
    const late = request().then(() => request());
    const due = request();
    end(false);
    await settle();
    expect(diary).toEqual(['begin 1', 'end 1', 'begin 2']);
    end(false);
    expect([await late, await due]).toEqual([2, 2]);
  });

  test('a request while nothing runs begins at once, each time', async () => {
    const { run, begun, end } = operation();
    const request = coalesce(run);
    for (const count of [1, 2, 3]) {
      const result = request();
      expect(begun()).toBe(count);
      end(false);
      expect(await result).toBe(count);
    }
  });

  test('a failed run does not keep the next one from running', async () => {
    const { run, end } = operation();
    const request = coalesce(run);
    const [first, second] = [request(), request()];
    end(true);
    await expect(first).rejects.toThrow('run 1 failed');
    end(false);
    expect(await second).toBe(2);
  });
});
