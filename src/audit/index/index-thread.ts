import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../../core/threads/worker-file.ts';
import { QuietTimer } from '../../core/timing/quiet-timer.ts';
import type { Log } from '../../telemetry/log.ts';
import type { IndexRun, IndexWorkerData, ToIndexWorker } from './messages.ts';

/**
 * Lines are indexed after a time without further ones, so that the thread does not take CPU time from calls, and at the
 * latest `maxWaitMs` after the first of them. Until then, they are only in the file.
 */
const WHEN_QUIET = { quietMs: 1_000, maxWaitMs: 15_000 };
const RETRY_AFTER_MS = 5_000;
/** The time without lines after which the thread ends. */
const IDLE_MS = 20_000;
/** The longest time that the gateway waits for the thread when it stops. */
const LAST_MS = 1_000;
const MAX_MEGABYTES = 64;
const YOUNG_MEGABYTES = 2;

export interface IndexThreadOptions extends IndexWorkerData {
  readonly log: Log;
}

/** Has the lines of the audit indexed by a thread, which runs only while there are lines. */
export class IndexThread {
  readonly #options: IndexThreadOptions;
  readonly #quiet = new QuietTimer(WHEN_QUIET, () => this.#run());
  #worker: Worker | undefined;
  #retry: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isDue = false;
  #isFailing = false;
  #isClosed = false;

  constructor(options: IndexThreadOptions) {
    this.#options = options;
  }

  /** Notes that there are lines: they are indexed soon. */
  wake(): void {
    if (this.#retry === undefined && !this.#isClosed) this.#quiet.touch();
  }

  /** Ends the thread. Lines that are not indexed yet are indexed at the next start, or by `viaduct audit`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#quiet.clear();
    clearTimeout(this.#retry);
    await this.#end();
  }

  #run(): void {
    this.#isDue = this.#isRunning;
    if (this.#isRunning) return;
    clearTimeout(this.#idle);
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      this.#onFault((error as Error).message);
      return;
    }
    this.#isRunning = true;
    this.#worker.postMessage('run' satisfies ToIndexWorker);
  }

  #start(): Worker {
    const { log: _log, ...data } = this.#options;
    const worker = new Worker(workerFile('audit/worker'), {
      workerData: data satisfies IndexWorkerData,
      // Options of the process, such as a loader, are not for it.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    worker.unref();
    worker.on('message', (run: IndexRun) => this.#onRun(run));
    worker.on('error', (error) => this.#onFault(error.message));
    worker.on('exit', () => this.#onExit(worker));
    return worker;
  }

  #onRun({ fault }: IndexRun): void {
    this.#isRunning = false;
    if (fault !== undefined) {
      this.#onFault(fault);
      return;
    }
    this.#isFailing = false;
    if (this.#isDue) this.wake();
    this.#isDue = false;
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  #onFault(reason: string): void {
    if (!this.#isFailing && !this.#isClosed)
      this.#options.log.warn(
        { event: 'audit-index', reason },
        'calls cannot be stored in the database; the files of the audit have them',
      );
    this.#isFailing = true;
    this.#quiet.clear();
    clearTimeout(this.#retry);
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#run();
    }, RETRY_AFTER_MS).unref();
  }

  #onExit(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#isRunning = false;
  }

  /** Lets the thread finish its transaction. */
  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isRunning = false;
    if (worker === undefined) return;
    // The process must not end before: a command may have nothing else to wait for.
    worker.ref();
    const exited = once(worker, 'exit');
    worker.postMessage('end' satisfies ToIndexWorker);
    await Promise.race([exited, pause(LAST_MS, undefined, { ref: false })]);
    await worker.terminate();
  }
}
