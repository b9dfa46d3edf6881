import type { ChildProcess } from 'node:child_process';
import type { ProcessTree } from '../process-group.ts';
import { ProcessInput } from './process-input.ts';
import { ProcessOutput, type ProcessOutputOptions } from './process-output.ts';
import { TreeEnder } from './tree-ender.ts';

/** The time to wait for the rest of a process's pipeline after it has ended by itself, in milliseconds. */
const LAST_WORDS_MS = 200;

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
 * them has ended, and those that are left when the first one has ended by itself are ended, too.
 */
export class ManagedProcess {
  readonly facts: ProcessFacts;
  readonly pid: number;
  readonly startedAt = new Date();
  readonly input: ProcessInput;
  readonly output: ProcessOutput;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly #ender: TreeEnder;
  readonly #from = performance.now();
  #to: number | undefined;
  #state: ProcessState = { name: 'running' };

  constructor(tree: ProcessTree, { facts, graceMs, output, onEnded }: ManagedProcessOptions) {
    this.facts = facts;
    this.pid = tree.child.pid!;
    this.#ender = new TreeEnder(tree, graceMs);
    this.input = new ProcessInput(tree.child.stdin!);
    this.output = new ProcessOutput([tree.child.stdout!, tree.child.stderr!], output);
    this.ended = this.#live(tree.child, onEnded);
  }

  get state(): ProcessState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state.name === 'running';
  }

  /** True if it was told to end before it ended by itself. */
  get wasToldToEnd(): boolean {
    return this.#ender.wasTold;
  }

  /** The time from its start to now or to its end, in milliseconds. */
  get durationMs(): number {
    return (this.#to ?? performance.now()) - this.#from;
  }

  /** SIGTERM, and after the grace time SIGKILL. Resolves with whether nothing is left. */
  stop(): Promise<boolean> {
    return this.#whenEnded(this.#ender.stop());
  }

  /** Resolves with whether nothing is left. */
  kill(): Promise<boolean> {
    return this.#whenEnded(this.#ender.kill());
  }

  /** Like `stop`, but no longer than the gateway has for its own end, and without waiting for the last of the output. */
  leave(): Promise<boolean> {
    return this.#ender.leave();
  }

  async #whenEnded(ending: Promise<boolean>): Promise<boolean> {
    const isGone = await ending;
    if (isGone) await this.ended;
    return isGone;
  }

  async #live(child: ChildProcess, onEnded: ManagedProcessOptions['onEnded']): Promise<void> {
    const end = await endOf(child);
    this.#to = performance.now();
    await this.output.endsWithin(LAST_WORDS_MS);
    const isTreeGone = await this.#ender.clear();
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
