import { withTimeout } from '../core/timing/timeout.ts';

/** Waits until a promise has settled in either way, but no longer than `ms` milliseconds. Never rejects. */
export async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  await withTimeout(promise, ms, () => new Error('not settled in time')).catch(() => undefined);
}
