import type { ChildProcess } from 'node:child_process';
import { type EndingStep, endTree, hasExited, type ProcessTree, STOP_STEP_MS } from '../process-group.ts';
import { ProcessInput } from './process-input.ts';
import { ProcessOutput, type ProcessOutputOptions } from './process-output.ts';

/** The time to wait for the rest of a process's pipeline after it has ended by itself, in milliseconds. */
const LAST_WORDS_MS = 200;
const KILL: EndingStep = { signal: 'SIGKILL', withinMs: STOP_STEP_MS };

/** The way in which a process ended. */
export type ProcessEnd =
  | { readonly name: 'exited'; readonly exitCode: number }
  | { readonly name: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly name: 'failed'; readonly reason: string };

export type ProcessState = { readonly name: 'running' } | ProcessEnd;

/** The facts about a process that are known from the start. */
export interface ProcessFacts {
  readonly id: string;
  /** Id of the client that started it. */
  readonly owner: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly dir: string;
  /** Id of the build that it is, if it is one. */
  readonly buildId?: string | undefined;
}

export interface ManagedProcessOptions {
  readonly facts: ProcessFacts;
  readonly graceMs: number;
  readonly output: ProcessOutputOptions;
  /**
   * Called when it has ended and all of its output is read. Some of what it started may be left if that cannot be
   * ended. Those who wait for its end wait for the returned promise, which must not reject.
   */
  readonly onEnded: (end: ProcessEnd, isTreeGone: boolean) => Promise<void> | undefined;
}

/**
 * A process that was started for a client, and all that it starts in turn: they are one thing that runs until the last of
 * them has ended, and whatever is left when the first one has ended by itself is ended, too.
 */
export class ManagedProcess {
  readonly facts: ProcessFacts;
  readonly pid: number;
  readonly startedAt = new Date();
  readonly input: ProcessInput;
  readonly output: ProcessOutput;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly #tree: ProcessTree;
  readonly #graceMs: number;
  readonly #from = performance.now();
  #to: number | undefined;
  #state: ProcessState = { name: 'running' };
  #ending: Promise<boolean> | undefined;
  #wasToldToEnd = false;

  constructor(tree: ProcessTree, { facts, graceMs, output, onEnded }: ManagedProcessOptions) {
    this.facts = facts;
    this.pid = tree.child.pid!;
    this.#tree = tree;
    this.#graceMs = graceMs;
    this.input = new ProcessInput(tree.child.stdin!);
    this.output = new ProcessOutput([tree.child.stdout!, tree.child.stderr!], output);
    this.ended = this.#live(onEnded);
  }

  get state(): ProcessState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state.name === 'running';
  }

  /** True if somebody ended it before it ended by itself. */
  get wasToldToEnd(): boolean {
    return this.#wasToldToEnd;
  }

  /** The time from its start to now or to its end, in milliseconds. */
  get durationMs(): number {
    return (this.#to ?? performance.now()) - this.#from;
  }

  /** SIGTERM, and after the grace time SIGKILL. Resolves with whether nothing is left. */
  stop(): Promise<boolean> {
    this.#noteEnding();
    return this.#whenEnded(this.#endGently());
  }

  /** Resolves with whether nothing is left. */
  kill(): Promise<boolean> {
    this.#noteEnding();
    return this.#whenEnded(endTree(this.#tree, [KILL]));
  }

  /** Like `stop`, but no longer than the gateway has for its own end, and without waiting for the last of the output. */
  leave(): Promise<boolean> {
    this.#noteEnding();
    const term: EndingStep = { signal: 'SIGTERM', withinMs: Math.min(this.#graceMs, STOP_STEP_MS) };
    return endTree(this.#tree, [term, KILL]);
  }

  #noteEnding(): void {
    if (!hasExited(this.#tree.child)) this.#wasToldToEnd = true;
  }

  #endGently(): Promise<boolean> {
    this.#ending ??= endTree(this.#tree, [{ signal: 'SIGTERM', withinMs: this.#graceMs }, KILL]);
    return this.#ending;
  }

  async #whenEnded(ending: Promise<boolean>): Promise<boolean> {
    const isGone = await ending;
    if (isGone) await this.ended;
    return isGone;
  }

  async #live(onEnded: ManagedProcessOptions['onEnded']): Promise<void> {
    const end = await endOf(this.#tree.child);
    this.#to = performance.now();
    await this.output.endsWithin(LAST_WORDS_MS);
    const isTreeGone = await this.#endGently();
    await this.output.finish();
    this.#state = end;
    await onEnded(end, isTreeGone);
  }
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { name: 'exited', exitCode: code! } : { name: 'killed', signal });
    });
    // Instead of its exit, where a command interpreter says that there is no such program.
    child.on('error', ({ message }) => resolve({ name: 'failed', reason: message }));
  });
}
