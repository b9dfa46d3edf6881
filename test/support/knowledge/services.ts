import type { Service } from '../../../fixtures/services/service.ts';
import type { Clock } from '../../../src/services/clock.ts';
import { type AtEnd, atEnd } from '../shared.ts';

/** A stand-in that ends with the test. */
export async function standIn<T extends Pick<Service<string>, 'stop'>>(
  start: Promise<T>,
  whenDone: AtEnd = atEnd,
): Promise<T> {
  const service = await start;
  whenDone(() => service.stop());
  return service;
}

/** A clock that waits for nothing, and knows how long it should have waited, in milliseconds. Only `turn` moves it. */
export function quickClock(): Clock & { readonly waits: number[]; turn(ms: number): void } {
  const waits: number[] = [];
  let now = 0;
  return {
    waits,
    now: () => now,
    turn(ms) {
      now += ms;
    },
    wait(ms, signal) {
      waits.push(ms);
      signal.throwIfAborted();
      return Promise.resolve();
    },
  };
}
