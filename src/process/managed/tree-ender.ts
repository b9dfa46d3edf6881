import { type EndingStep, endTree, hasExited, type ProcessTree, STOP_STEP_MS } from '../process-group.ts';

const KILL: EndingStep = { signal: 'SIGKILL', withinMs: STOP_STEP_MS };

/** Ends a process and all that it has started. All ways to do so resolve with whether nothing is left. */
export class TreeEnder {
  readonly #tree: ProcessTree;
  readonly #graceMs: number;
  #clearing: Promise<boolean> | undefined;
  #wasTold = false;

  /** @param graceMs the time from SIGTERM to SIGKILL, in milliseconds */
  constructor(tree: ProcessTree, graceMs: number) {
    this.#tree = tree;
    this.#graceMs = graceMs;
  }

  /** True if `stop`, `kill` or `leave` was called before the process ended by itself. */
  get wasTold(): boolean {
    return this.#wasTold;
  }

  /** SIGTERM, and after the grace time SIGKILL. */
  stop(): Promise<boolean> {
    this.#noteTold();
    return this.clear();
  }

  kill(): Promise<boolean> {
    this.#noteTold();
    return endTree(this.#tree, [KILL]);
  }

  /** Like `stop`, but no longer than the gateway has for its own end. */
  leave(): Promise<boolean> {
    this.#noteTold();
    const term: EndingStep = { signal: 'SIGTERM', withinMs: Math.min(this.#graceMs, STOP_STEP_MS) };
    return endTree(this.#tree, [term, KILL]);
  }

  /** Ends what the process has left behind, as `stop` does. The steps are taken once, however often this is called. */
  clear(): Promise<boolean> {
    this.#clearing ??= endTree(this.#tree, [{ signal: 'SIGTERM', withinMs: this.#graceMs }, KILL]);
    return this.#clearing;
  }

  #noteTold(): void {
    if (!hasExited(this.#tree.child)) this.#wasTold = true;
  }
}
