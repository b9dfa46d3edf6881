import { type Context, createContext, Script } from 'node:vm';
import { isObject } from './reduced-schema.ts';

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
   * The result of `work`.
   * @throws what `work` throws, and an error with code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is over.
   */
  run<T>(work: () => T): T {
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

/** The error comes from another realm, so it is no `Error` of ours. */
export function isTimeout(error: unknown): boolean {
  return isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
