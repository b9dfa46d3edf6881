import { statSync } from 'node:fs';
import path from 'node:path';
import { GatewayError } from '../../../core/errors.ts';
import { unlessAborted } from '../../../core/timing/unless-aborted.ts';
import type { Space } from '../../../store/knowledge/rows.ts';
import type { IndexOutcome, IndexProgress } from '../knowledge.ts';
import type { IndexContext } from './index-context.ts';
import { takeLease, untilFree } from './lease.ts';
import { runIndex } from './run.ts';

export interface RunRequest {
  readonly root: string;
  readonly name?: string | undefined;
  readonly force?: boolean | undefined;
}

type OnProgress = (progress: IndexProgress) => void;

interface ActiveRun {
  readonly isForced: boolean;
  readonly listeners: Set<OnProgress>;
  readonly outcome: Promise<IndexOutcome>;
}

/** The runs of this gateway: one at a time for each space. */
export class Indexer {
  readonly #context: IndexContext;
  readonly #active = new Map<number, ActiveRun>();
  readonly #end = new AbortController();
  readonly #onProgress: (space: Space, progress: IndexProgress | undefined) => void;

  /** `onProgress` is told of all runs, and with `undefined` of their ends. */
  constructor(context: IndexContext, onProgress: (space: Space, progress: IndexProgress | undefined) => void) {
    this.#context = context;
    this.#onProgress = onProgress;
  }

  isActive(space: number): boolean {
    return this.#active.has(space);
  }

  /** Returns the space of a folder, which is made if need be. @throws GatewayError if it is no folder */
  async space({ root, name }: RunRequest): Promise<Space> {
    requireFolder(root);
    const { spaces } = this.#context.store;
    const { space } = await spaces.make('repository', root, name ?? path.basename(root));
    if (name !== undefined && name !== space.name) await spaces.rename(space.number, name);
    return space;
  }

  /** Waits for the run of a space that is under way, or runs one. The run goes on when the caller leaves. */
  async run(space: Space, isForced: boolean, onProgress: OnProgress, signal: AbortSignal): Promise<IndexOutcome> {
    const run = this.begin(space, isForced);
    run.listeners.add(onProgress);
    try {
      return await unlessAborted(run.outcome, signal);
    } finally {
      run.listeners.delete(onProgress);
    }
  }

  /** Begins a run, or returns the one that is under way. */
  begin(space: Space, isForced: boolean): ActiveRun {
    const active = this.#active.get(space.number);
    if (active !== undefined && (active.isForced || !isForced)) return active;
    const listeners = new Set<OnProgress>();
    const tell = (progress: IndexProgress) => {
      this.#onProgress(space, progress);
      for (const listener of listeners) listener(progress);
    };
    const before = active?.outcome.catch(() => undefined) ?? Promise.resolve();
    const outcome = before.then(() => this.#runAlone(space, isForced, tell));
    const run = { isForced, listeners, outcome };
    this.#active.set(space.number, run);
    const ended = () => {
      if (this.#active.get(space.number) !== run) return;
      this.#active.delete(space.number);
      this.#onProgress(space, undefined);
    };
    outcome.then(ended, ended);
    return run;
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('the gateway ends'));
    await Promise.allSettled([...this.#active.values()].map(({ outcome }) => outcome));
    await this.#context.parsers.close();
  }

  async #runAlone({ id, number }: Space, isForced: boolean, tell: OnProgress): Promise<IndexOutcome> {
    const { store, owner } = this.#context;
    for (;;) {
      const lease = await takeLease(store, number, owner);
      if (lease === undefined) {
        if ((await store.spaces.byId(id)) === undefined) throw removed(id);
        await untilFree(store, id, this.#end.signal, tell);
        continue;
      }
      try {
        const signal = AbortSignal.any([this.#end.signal, lease.signal]);
        const onProgress = (progress: IndexProgress) => {
          lease.tell(progress);
          tell(progress);
        };
        const space = await store.spaces.byId(id);
        if (space === undefined) throw removed(id);
        return await runIndex(this.#context, space, { isForced, signal, onProgress });
      } finally {
        await lease.end();
        if (this.#active.size <= 1) await this.#context.parsers.close();
      }
    }
  }
}

function removed(id: string): GatewayError {
  return new GatewayError(
    'STORE_UNAVAILABLE',
    `the repository ${id} was removed from the index meanwhile: index it again`,
    {
      effect: 'none',
    },
  );
}

function requireFolder(root: string): void {
  const found = statSync(root, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  const what = found === undefined ? 'does not exist' : 'is no folder';
  throw new GatewayError('FILE_FAILED', `Repository path ${what}: ${root}`, { effect: 'none' });
}
