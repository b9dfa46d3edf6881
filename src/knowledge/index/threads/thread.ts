import { Worker } from 'node:worker_threads';
import { GatewayError } from '../../../core/errors.ts';
import { workerFile } from '../../../core/threads/worker-file.ts';
import { type FromWorker, fromSent, type ToWorker } from './messages.ts';
import type { WorkerRole } from './role.ts';

export interface CallOptions {
  /** Ends the call at once when it is aborted, and tells the worker. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((value: never) => void) | undefined;
}

export interface ThreadOptions {
  readonly role: WorkerRole;
  /** Gives what the role is told at its start. */
  readonly data: () => unknown;
  /** The limit of the old generation; a worker that needs more is ended. */
  readonly maxMegabytes: number;
  /** Size of the young generation; a small one keeps less garbage. Node.js decides if it is absent. */
  readonly youngMegabytes?: number;
  /** The time without a call after which the worker ends, in milliseconds; it starts again at the next call. */
  readonly idleMs: number;
  /** The time after which a worker that does not respond is ended, in milliseconds. If absent, calls may take any time. */
  readonly stuckMs?: number;
  /** The program of the worker; for tests. */
  readonly program?: URL;
  /** Tells what the worker has open from what is there now: one that has something else open is started again. */
  readonly mark?: () => string | undefined;
  readonly onEvent?: (value: unknown) => void;
  /** Called when it has ended, by itself or not. */
  readonly onEnd?: () => void;
}

/** The number of the last call of a worker. */
const END = 0;
const END_MS = 3_000;

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((value: never) => void) | undefined;
}

/** One worker thread, which starts at the first call, and again after it has ended. */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, PendingCall>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #stuck: NodeJS.Timeout | undefined;
  #mark: string | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** @throws what the method throws; GatewayError `CALL_CANCELLED` when the worker ends; the reason of the signal */
  call<T>(method: string, args: readonly unknown[], { signal, onProgress }: CallOptions = {}): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.#isClosed) return Promise.reject(ended('it is closed'));
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      const worker = this.#started();
      const onAbort = () => this.#abandon(id, signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
      const settled = () => signal?.removeEventListener('abort', onAbort);
      this.#pending.set(id, {
        resolve: (value) => {
          settled();
          resolve(value as T);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
        onProgress,
      });
      if (this.#pending.size === 1) this.#watch();
      worker.ref();
      worker.postMessage({ kind: 'call', id, method, args } satisfies ToWorker);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#forget(worker, 'the gateway ends');
    if (worker !== undefined) await endWorker(worker);
  }

  #started(): Worker {
    clearTimeout(this.#idle);
    this.#renew();
    if (this.#worker !== undefined) return this.#worker;
    const { role, data, maxMegabytes, youngMegabytes, program = workerFile('knowledge/worker') } = this.#options;
    const worker = new Worker(program, {
      workerData: { role, data: data() },
      // Options of the process, such as a loader, are not for it.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: maxMegabytes,
        ...(youngMegabytes !== undefined && { maxYoungGenerationSizeMb: youngMegabytes }),
      },
    });
    // The worker ends with the process, and keeps the process alive only during calls.
    worker.unref();
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => this.#forget(worker, error.message));
    worker.on('exit', (code) => this.#forget(worker, `it ended with code ${code}`));
    this.#worker = worker;
    return worker;
  }

  #renew(): void {
    const mark = this.#options.mark?.();
    const isOther = this.#mark !== undefined && mark !== this.#mark;
    this.#mark = mark;
    const worker = this.#worker;
    if (worker === undefined || !isOther) return;
    this.#forget(worker, 'its database was replaced');
    void endWorker(worker);
  }

  #receive(message: FromWorker): void {
    this.#watch();
    if (message.kind === 'event') {
      if (this.#pending.size === 0) this.#restLater();
      this.#options.onEvent?.(message.value);
      return;
    }
    const call = this.#pending.get(message.id);
    if (message.kind === 'progress') {
      call?.onProgress?.(message.value as never);
      return;
    }
    this.#settle(message.id);
    if (message.kind === 'result') call?.resolve(message.value);
    else call?.reject(fromSent(message.error));
  }

  #abandon(id: number, reason: Error): void {
    const call = this.#pending.get(id);
    if (call === undefined) return;
    this.#settle(id);
    this.#worker?.postMessage({ kind: 'cancel', id } satisfies ToWorker);
    call.reject(reason);
  }

  #settle(id: number): void {
    this.#pending.delete(id);
    if (this.#pending.size > 0) return;
    clearTimeout(this.#stuck);
    this.#worker?.unref();
    this.#restLater();
  }

  /** A worker that reports something is at work. */
  #restLater(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#rest(), this.#options.idleMs).unref();
  }

  #rest(): void {
    const worker = this.#worker;
    if (worker === undefined || this.#pending.size > 0) return;
    this.#forget(worker, 'it rests');
    void endWorker(worker);
  }

  /** Code that loops forever can only be ended from outside. */
  #watch(): void {
    const { stuckMs } = this.#options;
    clearTimeout(this.#stuck);
    if (stuckMs === undefined || this.#pending.size === 0) return;
    this.#stuck = setTimeout(() => {
      const worker = this.#worker;
      if (worker === undefined) return;
      this.#forget(worker, `it did nothing for ${stuckMs / 1_000} s`);
      void worker.terminate();
    }, stuckMs).unref();
  }

  #forget(worker: Worker | undefined, why: string): void {
    if (worker === undefined || worker !== this.#worker) return;
    this.#worker = undefined;
    clearTimeout(this.#idle);
    clearTimeout(this.#stuck);
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of calls) call.reject(ended(why));
    this.#options.onEnd?.();
  }
}

/** Lets it close what it has open first. */
async function endWorker(worker: Worker): Promise<void> {
  // Nothing else keeps a waiting caller's process alive.
  worker.ref();
  const isDone = new Promise<void>((resolve) => {
    worker.on('message', ({ kind, id }: FromWorker & { id?: number }) => {
      if (kind !== 'event' && kind !== 'progress' && id === END) resolve();
    });
    worker.once('exit', () => resolve());
    setTimeout(resolve, END_MS).unref();
  });
  worker.postMessage({ kind: 'call', id: END, method: 'end', args: [] } satisfies ToWorker);
  await isDone;
  await worker.terminate();
}

function ended(why: string): GatewayError {
  const message = `The worker of code search has ended (${why}): try again; what was being indexed goes on where it was`;
  return new GatewayError('CALL_CANCELLED', message, { effect: 'unknown' });
}
