import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  HEAD_START_MS,
  LONGEST_PLACE_MS,
  type StartReason,
  type StartTurn,
  StartTurns,
} from '../../../../src/upstream/starts/start-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Turns with their names, and those that were granted, in order. */
class Starts {
  readonly granted: string[] = [];
  isBusy = false;
  readonly turns: StartTurns;
  readonly #turns = new Map<string, StartTurn>();

  constructor(atOnce: number) {
    this.turns = new StartTurns({ atOnce: () => atOnce, isBusy: () => this.isBusy });
  }

  begin(name: string, reason: StartReason): void {
    const turn = this.turns.begin(reason);
    this.#turns.set(name, turn);
    void turn.granted.then(() => this.granted.push(name));
  }

  of(name: string): StartTurn {
    return this.#turns.get(name)!;
  }

  async after(ms = 0): Promise<readonly string[]> {
    await vi.advanceTimersByTimeAsync(ms);
    return this.granted;
  }
}

describe('starts', () => {
  test('are bounded, and go on as places become free', async () => {
    const starts = new Starts(2);
    for (const name of ['a', 'b', 'c', 'd']) starts.begin(name, 'unknown');
    expect(await starts.after()).toEqual(['a', 'b']);
    starts.of('b').end();
    starts.of('b').end();
    expect(await starts.after()).toEqual(['a', 'b', 'c']);
  });

  test('that take long keep no place', async () => {
    const starts = new Starts(1);
    for (const name of ['a', 'b']) starts.begin(name, 'unknown');
    expect(await starts.after(LONGEST_PLACE_MS - 1)).toEqual(['a']);
    expect(await starts.after(1)).toEqual(['a', 'b']);
  });

  test('that nobody waits for leave time for the first lists', async () => {
    const starts = new Starts(2);
    starts.begin('known', 'known');
    starts.begin('unknown', 'unknown');
    expect(await starts.after(HEAD_START_MS - 1)).toEqual(['unknown']);
    expect(await starts.after(1)).toEqual(['unknown', 'known']);
    starts.of('known').end();
    starts.begin('later', 'known');
    expect(await starts.after()).toEqual(['unknown', 'known', 'later']);
  });

  test('that somebody waits for come first, and have places of their own', async () => {
    const starts = new Starts(1);
    for (const name of ['a', 'b']) starts.begin(name, 'unknown');
    starts.begin('called', 'wanted');
    starts.begin('called too', 'wanted');
    expect(await starts.after()).toEqual(['a', 'called']);
    starts.of('a').end();
    expect(await starts.after()).toEqual(['a', 'called', 'called too']);
    starts.of('b').hurry();
    expect(await starts.after()).toHaveLength(3);
    starts.of('called').end();
    expect(await starts.after()).toEqual(['a', 'called', 'called too', 'b']);
  });

  test('that nobody waits for are fewer while calls run', async () => {
    const starts = new Starts(4);
    starts.isBusy = true;
    for (const name of ['a', 'b', 'c']) starts.begin(name, 'known');
    expect(await starts.after(HEAD_START_MS)).toEqual(['a', 'b']);
    starts.isBusy = false;
    starts.of('a').end();
    expect(await starts.after()).toEqual(['a', 'b', 'c']);
  });

  test('that are given up while they wait take no place', async () => {
    const starts = new Starts(1);
    for (const name of ['a', 'b', 'c']) starts.begin(name, 'unknown');
    starts.of('b').end();
    starts.of('a').end();
    expect(await starts.after()).toEqual(['a', 'b', 'c']);
  });

  test('all have their turn in the end, and never more than allowed at one time', async () => {
    const reason = fc.constantFrom<StartReason>('wanted', 'unknown', 'known');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(reason, { maxLength: 20 }), async (atOnce, reasons) => {
        const starts = new Starts(atOnce);
        for (const [index, one] of reasons.entries()) starts.begin(String(index), one);
        const done = new Set<string>();
        for (let round = 0; round <= reasons.length; round++) {
          const granted = await starts.after(HEAD_START_MS);
          const open = granted.filter((name) => !done.has(name));
          expect(open.length).toBeLessThanOrEqual(2 * atOnce);
          if (open[0] === undefined) break;
          done.add(open[0]);
          starts.of(open[0]).end();
        }
        expect(done.size).toBe(reasons.length);
      }),
      { numRuns: 50 },
    );
  });
});
