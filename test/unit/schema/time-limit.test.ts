import { describe, expect, test } from 'vitest';
import { isTimeout, TimeLimit } from '../../../src/schema/time-limit.ts';

describe('TimeLimit', () => {
  test('ends a regular expression that hangs', () => {
    const limit = new TimeLimit(50);
    const hang = () => limit.run(() => /^(a+)+$/.test(`${'a'.repeat(40)}!`));
    expect(errorOf(hang)).toSatisfy(isTimeout);
  });

  test('is as good as new afterwards', () => {
    const limit = new TimeLimit(1000);
    const hang = () => {
      for (;;);
    };
    expect(errorOf(() => limit.run(hang))).toSatisfy(isTimeout);
    expect(limit.run(() => 'result')).toBe('result');
  });

  test('runs the work again if this process got no processor time', () => {
    const standstill = new Int32Array(new SharedArrayBuffer(4));
    let runs = 0;
    const work = () => {
      runs++;
      if (runs === 1) Atomics.wait(standstill, 0, 0, 400);
      return runs;
    };
    expect(new TimeLimit(200).run(work)).toBe(2);
  });

  test('gives up on work that uses the processor', () => {
    let runs = 0;
    const hang = () => {
      runs++;
      for (;;);
    };
    expect(errorOf(() => new TimeLimit(200).run(hang))).toSatisfy(isTimeout);
    expect(runs).toBeLessThan(5);
  });

  test('passes on what the work throws', () => {
    const failure = new Error('of the work');
    const work = () => {
      throw failure;
    };
    const error = errorOf(() => new TimeLimit(10_000).run(work));
    expect(error).toBe(failure);
    expect(isTimeout(error)).toBe(false);
  });
});

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
