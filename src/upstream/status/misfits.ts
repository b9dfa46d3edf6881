import type { Log } from '../../telemetry/log.ts';

/** Tools whose arguments or results did not fit their schemas, with the last problem of each. */
export class Misfits {
  readonly #log: Log;
  readonly #problems = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Notes arguments that were forwarded although they do not fit. */
  onArguments(tool: string, problem: string): void {
    this.#problems.set(tool, problem);
    this.#log.warn({ event: 'misfit', tool, problem }, 'arguments do not fit the schema; forwarded all the same');
  }

  /** Notes a result that does not fit, of a tool that is offered without its output schema from now on. */
  onOutput(tool: string, problem: string): void {
    this.#problems.set(tool, problem);
    this.#log.warn(
      { event: 'output-misfit', tool, problem },
      'a result does not fit the output schema of its tool; the tool is offered without that schema',
    );
  }

  /** Returns the problems by tool. */
  shown(mask: (text: string) => string): Record<string, string> {
    return Object.fromEntries([...this.#problems].map(([tool, problem]) => [tool, mask(problem)]));
  }
}
