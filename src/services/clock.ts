import { setTimeout as sleep } from 'node:timers/promises';

/** Waits between attempts; tests have one that does not. */
export interface Clock {
  /** Resolves after `ms` milliseconds. @throws the reason of `signal` when that is aborted */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds since some moment. */
  now(): number;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  async wait(ms, signal) {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
