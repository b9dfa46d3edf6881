import { Worker } from 'node:worker_threads';
import { workerFile } from '../../core/threads/worker-file.ts';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import type { DocumentChunk } from './document-chunks.ts';
import { DocumentError } from './document-error.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

const READ_MS = 60_000;
/** The time without a document after which the thread ends, in milliseconds. */
const IDLE_MS = 30_000;
/** The limit on the thread's own memory; its buffers are watched separately. */
const HEAP_MEGABYTES = 512;
const GROWTH_BYTES = 768 * 1024 ** 2;
const WATCH_MS = 50;

export interface DocumentReaderOptions {
  /** Milliseconds for one document. */
  readonly readMs?: number;
  /** The number of bytes by which the process may grow meanwhile. */
  readonly growthBytes?: number;
}

/**
 * Reads documents in a thread of its own, one after the other, so that nothing else waits for them. A document that takes too
 * much time or memory costs the thread, and nothing more.
 */
export class DocumentReader {
  readonly #options: Required<DocumentReaderOptions>;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ readMs = READ_MS, growthBytes = GROWTH_BYTES }: DocumentReaderOptions = {}) {
    this.#options = { readMs, growthBytes };
  }

  /**
   * Returns the chunks of a document, without secrets. `bytes` are given away.
   * @throws DocumentError if it cannot be read; the reason of `signal` when that is aborted
   */
  async read(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<readonly DocumentChunk[]> {
    const turn = this.#last.then(() => this.#read({ path, bytes }, signal));
    this.#last = turn.catch(() => undefined);
    return unlessAborted(turn, signal);
  }

  /** Ends the thread, even while it reads a document. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #read(document: ToWorker, signal: AbortSignal): Promise<readonly DocumentChunk[]> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new DocumentError('the gateway ends');
    const worker = this.#started();
    worker.ref();
    try {
      const answer = await this.#answer(worker, document, signal);
      if (answer.kind === 'failure') throw new DocumentError(answer.reason);
      return answer.chunks;
    } finally {
      worker.unref();
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
  }

  #started(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(workerFile('knowledge/documents'), {
      // Options of the process, such as a loader, are not for it. Output of packages is discarded.
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  /** Returns the worker's answer; if there is none, the worker ends with the reason. */
  async #answer(worker: Worker, document: ToWorker, signal: AbortSignal): Promise<FromWorker> {
    const watch = new AbortController();
    try {
      return await Promise.race([answerOf(worker, document, watch.signal), this.#limit(signal, watch.signal)]);
    } catch (error) {
      await this.#end();
      throw error;
    } finally {
      watch.abort();
    }
  }

  /** Rejects when the document has taken too much, or it is no longer wanted. */
  #limit(signal: AbortSignal, until: AbortSignal): Promise<never> {
    const { readMs, growthBytes } = this.#options;
    const most = process.memoryUsage.rss() + growthBytes;
    return new Promise((_, reject) => {
      const late = setTimeout(
        () => reject(new DocumentError(`it takes more than ${readMs / 1_000} s to read`)),
        readMs,
      );
      const watch = setInterval(() => {
        if (process.memoryUsage.rss() > most) reject(new DocumentError('it takes too much memory to read'));
      }, WATCH_MS);
      const onAbort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      until.addEventListener('abort', () => {
        clearTimeout(late);
        clearInterval(watch);
        signal.removeEventListener('abort', onAbort);
      });
    });
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function answerOf(worker: Worker, document: ToWorker, until: AbortSignal): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(wordsOf(error));
    const onExit = (code: number) => reject(new DocumentError(`its reader ended with code ${code}`));
    worker.once('message', resolve).once('error', onError).once('exit', onExit);
    until.addEventListener('abort', () => worker.off('message', resolve).off('error', onError).off('exit', onExit));
    worker.postMessage(document, movable(document.bytes));
  });
}

/** Moved, not copied, unless others use the memory that the bytes are in. */
function movable(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
}

function wordsOf(error: NodeJS.ErrnoException): DocumentError {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return new DocumentError('it takes too much memory to read', error);
  return new DocumentError(`its reader ended (${error.message})`, error);
}
