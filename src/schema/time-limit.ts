import { type Context, createContext, Script } from 'node:vm';
import { isObject } from './reduce/reduced-schema.ts';

const MAX_ATTEMPTS = 4;

/**
 * Ends synchronous work that takes too long, a hanging regular expression included. What it ends is cut off in the
 * middle: not even `finally` blocks run, so the work must not leave anything half done that lives on.
 */
export class TimeLimit {
  readonly #milliseconds: number;
  readonly #global: { work?: () => void } = {};
  readonly #context: Context;
  readonly #script = new Script('work()');

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.#context = createContext(this.#global);
  }

  /**
   * Returns the result of `work`. On a machine that gave this process too little time, `work` is run again: it must be safe to
   * repeat.
   * @throws what `work` throws, and an error with code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is over.
   */
  run<T>(work: () => T): T {
    for (let attempt = 1; ; attempt++) {
      const before = process.cpuUsage();
      try {
        return this.#runOnce(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isTimeout(error) || usedMs(before) >= this.#milliseconds / 2) throw error;
      }
    }
  }

  #runOnce<T>(work: () => T): T {
    const results: T[] = [];
    this.#global.work = () => {
      results.push(work());
    };
    try {
      this.#script.runInContext(this.#context, { timeout: this.#milliseconds });
    } finally {
      delete this.#global.work;
    }
    return results[0]!;
  }
}

/** Returns the processor time of this process since then, in milliseconds. */
export function usedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The error comes from another realm, so it is no `Error` of ours. */
export function isTimeout(error: unknown): boolean {
  return isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
