import type { Descriptor } from '../../../core/providers/provider.ts';
import type { Log } from '../../../telemetry/log.ts';
import { logFirst } from './log-first.ts';

/** The tools with invisible characters in what clients send back; each is logged once. */
export class SuspiciousTools {
  readonly #log: Log;
  #names: ReadonlySet<string> = new Set();

  constructor(log: Log) {
    this.#log = log;
  }

  get names(): readonly string[] {
    return [...this.#names];
  }

  /** The tools that the upstream has now. */
  note(tools: readonly Descriptor[]): void {
    const names = new Set(tools.filter((tool) => tool.isSuspicious === true).map((tool) => tool.ownName));
    logFirst(
      [...names].filter((tool) => !this.#names.has(tool)),
      (tool) =>
        this.#log.warn(
          { event: 'suspicious', tool },
          'a tool has invisible characters in names or values that are sent back to it; they are not changed',
        ),
      (more) => this.#log.warn({ event: 'suspicious', more }, 'more tools have such invisible characters'),
    );
    this.#names = names;
  }
}
