import { expect, test, vi } from 'vitest';
import { ProviderWaits } from '../../../src/catalogue/provider-waits.ts';
import type { Provider } from '../../../src/core/providers/provider.ts';

function provider(says: { known?: boolean; declares?: boolean } = {}) {
  return {
    isKnown: () => says.known === true,
    declared: () => (says.declares === true ? [] : undefined),
  } as unknown as Provider;
}

/** Tells whether a promise has resolved, after all that follows from what was done so far. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  return over;
}

test('waits until all providers are known, and looks again when told to', async () => {
  const waits = new ProviderWaits();
  const [one, two] = [{ known: false }, { known: false }];
  const all = [provider(one), provider(two)];
  const known = waits.whenKnown(60_000, () => all);
  one.known = true;
  waits.check();
  expect(await isOver(known)).toBe(false);
  two.known = true;
  expect(await isOver(known)).toBe(false);
  waits.check();
  expect(await isOver(known)).toBe(true);
});

test('what is declared is enough for those who wait for that only', async () => {
  const waits = new ProviderWaits();
  const all = [provider({ declares: true }), provider({ known: true })];
  expect(await isOver(waits.whenDeclared(60_000, () => all))).toBe(true);
  const known = waits.whenKnown(60_000, () => all);
  expect(await isOver(known)).toBe(false);
});

test('a provider that was too slow once is not waited for again', async () => {
  vi.useFakeTimers();
  try {
    const waits = new ProviderWaits();
    const all = [provider()];
    const known = waits.whenKnown(1_000, () => all);
    await vi.advanceTimersByTimeAsync(999);
    expect(await isOver(known)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(known)).toBe(true);
    expect(await isOver(waits.whenKnown(1_000, () => all))).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
