import { availableParallelism } from 'node:os';
import type { FileToPrepare, PreparedFile } from '../texts/prepare-file.ts';
import { prepareFile } from '../texts/prepare-file.ts';
import { Thread } from '../threads/thread.ts';

/** The number of threads beside the one that writes. */
const MOST_THREADS = 2;
/** The number of files from which on other threads are used: starting them takes time. */
const WORTH_THREADS = 24;
const FILES_AT_ONCE = 8;
const MAX_MEGABYTES = 512;
const IDLE_MS = 5_000;
/**
 * The time after which a parser counts as stuck, in milliseconds: more than a batch of files with the longest parsing
 * time takes on a very busy machine.
 */
const STUCK_MS = 180_000;

/** Reads and chunks files in threads of its own, where there are many. */
export class Parsers {
  readonly #maxBytes: number;
  readonly #threads: Thread[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields what was made of each file, in no order. */
  async *prepare(root: string, files: readonly FileToPrepare[], signal: AbortSignal): AsyncGenerator<PreparedFile> {
    if (files.length < WORTH_THREADS) yield* this.#prepareHere(root, files, signal);
    else yield* this.#prepareThere(root, files, signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }

  async *#prepareHere(root: string, files: readonly FileToPrepare[], signal: AbortSignal) {
    for (const file of files) {
      signal.throwIfAborted();
      yield await prepareFile(root, file, this.#maxBytes);
    }
  }

  async *#prepareThere(root: string, files: readonly FileToPrepare[], signal: AbortSignal) {
    this.#startThreads();
    let next = 0;
    const waiting = new Map<number, Promise<{ readonly slot: number; readonly prepared: readonly PreparedFile[] }>>();
    const fill = (slot: number) => {
      const batch = files.slice(next, next + FILES_AT_ONCE);
      next += batch.length;
      if (batch.length === 0) {
        waiting.delete(slot);
        return;
      }
      const prepared = this.#batch(root, batch, slot, signal);
      // If it is no longer requested, its failure is not reported.
      prepared.catch(() => undefined);
      waiting.set(slot, prepared);
    };
    // Two batches a thread: it has work while the answer to the one before is on its way.
    for (let slot = 0; slot < this.#threads.length * 2; slot++) fill(slot);
    while (waiting.size > 0) {
      const { slot, prepared } = await Promise.race(waiting.values());
      fill(slot);
      yield* prepared;
    }
  }

  async #batch(root: string, files: readonly FileToPrepare[], slot: number, signal: AbortSignal) {
    const thread = this.#threads[slot % this.#threads.length]!;
    const request = { root, files, maxBytes: this.#maxBytes };
    const call = () => thread.call<readonly PreparedFile[]>('prepare', [request], { signal });
    try {
      return { slot, prepared: await call() };
    } catch (error) {
      signal.throwIfAborted();
      return { slot, prepared: await this.#oneByOne(root, files, signal, error as Error) };
    }
  }

  /** One of these files has ended the thread: the others, and those of other batches, are not lost with it. */
  async #oneByOne(root: string, files: readonly FileToPrepare[], signal: AbortSignal, first: Error) {
    const prepared: PreparedFile[] = [];
    const thread = newThread();
    try {
      for (const file of files) prepared.push(await this.#one(root, file, thread, signal, first));
      return prepared;
    } finally {
      await thread.close();
    }
  }

  async #one(root: string, file: FileToPrepare, thread: Thread, signal: AbortSignal, first: Error) {
    const request = { root, files: [file], maxBytes: this.#maxBytes };
    try {
      const [prepared] = await thread.call<readonly PreparedFile[]>('prepare', [request], { signal });
      return prepared!;
    } catch (error) {
      signal.throwIfAborted();
      const reason = `${file.path} could not be read and chunked: ${(error as Error).message ?? first.message}`;
      return { kind: 'failure' as const, path: file.path, reason };
    }
  }

  #startThreads(): void {
    const count = Math.max(1, Math.min(MOST_THREADS, availableParallelism()));
    while (this.#threads.length < count) this.#threads.push(newThread());
  }
}

function newThread(): Thread {
  return new Thread({
    role: 'parse',
    data: () => undefined,
    maxMegabytes: MAX_MEGABYTES,
    idleMs: IDLE_MS,
    stuckMs: STUCK_MS,
  });
}
