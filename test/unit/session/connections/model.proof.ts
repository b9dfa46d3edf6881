import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { World } from './model-world.ts';

/** `VIADUCT_MODEL_STEPS=10000` makes it a long test, `VIADUCT_MODEL_SEED` repeats a run. */
const STEPS = Number(process.env.VIADUCT_MODEL_STEPS ?? 200);
const SEED = Number(process.env.VIADUCT_MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const CHECK_EVERY = 20;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns numbers that depend on the seed alone (mulberry32). */
function chooser(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  };
}

const ROWS = [
  ...(['gateway', 'session', 'folder', 'auto'] as const).flatMap((share) =>
    (['legacy', 'modern'] as const).map((era) => ({ share, era, asks: false })),
  ),
  // A modern server never asks by itself.
  { share: 'auto', era: 'legacy', asks: true } as const,
];

describe('clients that come and go, processes that end, configs that change', () => {
  test.each(ROWS)(
    'share: $share, $era upstream that asks ($asks): each client has the list and the notices that it is owed',
    async ({ share, era, asks }) => {
      const world = new World({ share, era, asks, choose: chooser(SEED) });
      let step = 0;
      try {
        for (; step < STEPS; step++) {
          world.step();
          await world.pass();
          if (step % CHECK_EVERY === CHECK_EVERY - 1) await world.check();
        }
        await world.end();
      } catch (error) {
        expect.fail(`VIADUCT_MODEL_SEED=${SEED}, step ${step}: ${(error as Error).stack}`);
      }
    },
    30 * 60_000,
  );
});
