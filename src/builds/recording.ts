import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BuildEnd } from '../core/stores/build-store.ts';
import type { ProcessEnd } from '../process/managed/managed-process.ts';
import { endOfBuild } from './build-end.ts';
import { BoundedLog, type LogBounds } from './log/bounded-log.ts';
import { LineAssembler } from './log/line-assembler.ts';
import { noteLine } from './log/notes.ts';
import { SecretSieve } from './log/secret-sieve.ts';

/** The number of characters that are kept in memory. If there are more, the build waits. */
const ROOM = 524_288;
/** The pause in the output after which waiting text is written, in milliseconds. */
const PAUSE_MS = 250;
/** Time between two signs of a build that it goes on. */
const SIGN_MS = 60_000;

export interface RecordingOptions {
  readonly id: string;
  readonly file: string;
  /** Replaces secrets that are known by themselves. */
  readonly mask: (text: string) => string;
  readonly bounds?: LogBounds | undefined;
  /** Hears of what is written. Resolves once there is room for more; `undefined` if there is. */
  readonly onText: (text: string) => Promise<void> | undefined;
  /** Keeps how it ended. Must not reject. */
  readonly onEnded: (end: BuildEnd) => Promise<void>;
}

/** A build that is being recorded: takes its output from the process, without secrets to the log. */
export class Recording {
  readonly id: string;
  readonly #options: RecordingOptions;
  readonly #lines = new LineAssembler();
  readonly #sieve: SecretSieve;
  readonly #log: BoundedLog;
  readonly #sign: NodeJS.Timeout;
  #pause: NodeJS.Timeout | undefined;
  /** Resolves when what was to be written so far is written. */
  #written: Promise<void> = Promise.resolve();
  #isWriting = false;
  #ended: Promise<void> | undefined;

  constructor(options: RecordingOptions) {
    this.id = options.id;
    this.#options = options;
    this.#sieve = new SecretSieve(options.mask);
    this.#log = new BoundedLog(options.file, options.bounds);
    // The file is there from the beginning on: one that is not there later was removed.
    this.#then(() => this.#log.append(''));
    this.#sign = setInterval(() => this.#then(() => this.#log.touch()), SIGN_MS).unref();
  }

  /** Takes what a stream of the build has written. Resolves once there is room for more; `undefined` if there is. */
  write(text: string, stream: number): Promise<void> | undefined {
    if (this.#ended !== undefined) return undefined;
    this.#sieve.push(this.#lines.push(text, stream));
    this.#writeAfterPause();
    if (!this.#sieve.isFull) return undefined;
    if (!this.#isWriting) this.#then(() => this.#writeFull());
    return this.#sieve.length > ROOM ? this.#written : undefined;
  }

  /** Ends the log, with a line of the gateway's own where there is something to say, and keeps how the build ended. Never rejects. */
  end({
    note,
    ...end
  }: Omit<BuildEnd, 'logFault' | 'endedMs'> & { readonly note?: string | undefined }): Promise<void> {
    this.#ended ??= this.#finish(note, { ...end, endedMs: Date.now() });
    return this.#ended;
  }

  /** Ends it as its process has ended. Never rejects. */
  endWith(process: { readonly wasToldToEnd: boolean }, end: ProcessEnd): Promise<void> {
    return this.end(endOfBuild(process, end));
  }

  async #finish(note: string | undefined, end: BuildEnd): Promise<void> {
    clearInterval(this.#sign);
    clearTimeout(this.#pause);
    this.#sieve.push(this.#lines.end());
    this.#then(() => this.#writeFull());
    this.#then(async () => {
      await this.#put(this.#sieve.end());
      if (note !== undefined) await this.#put(noteLine(note));
    });
    await this.#written;
    await this.#options.onEnded({ ...end, logFault: await this.#log.close() });
  }

  #writeAfterPause(): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      if (!this.#sieve.isFull) this.#then(() => this.#put(this.#sieve.settle()));
    }, PAUSE_MS).unref();
  }

  #then(work: () => Promise<void>): void {
    this.#written = this.#written.then(work);
  }

  /** Writes in turns: redaction takes time that others wait for. */
  async #writeFull(): Promise<void> {
    this.#isWriting = true;
    for (; this.#sieve.isFull; await nextTurn()) await this.#put(this.#sieve.take());
    this.#isWriting = false;
  }

  async #put(text: string): Promise<void> {
    if (text === '') return;
    await this.#log.append(text);
    await this.#options.onText(text);
  }
}
