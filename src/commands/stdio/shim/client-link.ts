import type { Readable, Writable } from 'node:stream';

/** The most bytes of the client that wait for a gateway; then its input is not read. */
const MAX_WAITING = 1024 * 1024;

interface ClientEvents {
  readonly onData: (chunk: Buffer) => void;
  /** The client takes no more for now, or does again. */
  readonly onCrowded: (isCrowded: boolean) => void;
  /** The client has ended its input. */
  readonly onEnd: () => void;
  /** The client is gone. */
  readonly onGone: () => void;
}

/** The connection to the client. What it says can wait. */
export class ClientLink {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #events: ClientEvents;
  #waiting: Buffer[] | undefined;
  #waitingBytes = 0;
  #hasEnded = false;

  constructor(input: Readable, output: Writable, events: ClientEvents) {
    this.#input = input;
    this.#output = output;
    this.#events = events;
    input.on('data', (chunk: Buffer) => this.#onData(chunk));
    input.on('end', () => this.#end(events.onEnd));
    // It may be a socket whose client was killed.
    input.on('error', () => this.#end(events.onGone));
    output.on('error', events.onGone);
    output.on('drain', () => events.onCrowded(false));
  }

  /** True once the client itself has ended the connection. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  write(bytes: Buffer | string): void {
    if (!this.#output.write(bytes)) this.#events.onCrowded(true);
  }

  /** Writes messages of the shim's own. */
  tell(lines: readonly string[]): void {
    if (lines.length > 0) this.write(lines.join(''));
  }

  /** Writes all that `write` is called with in `operation` at once. */
  together(operation: () => void): void {
    this.#output.cork();
    operation();
    this.#output.uncork();
  }

  hold(): void {
    this.#input.pause();
  }

  release(): void {
    if (this.#waiting === undefined || this.#waitingBytes < MAX_WAITING) this.#input.resume();
  }

  /** From now on, what the client says waits. */
  wait(): void {
    this.#waiting ??= [];
    this.release();
  }

  /** Takes what has waited; nothing waits any more. */
  takeWaiting(): readonly Buffer[] {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#waitingBytes = 0;
    this.release();
    return waiting;
  }

  /** Hears nothing more of the client. */
  close(): void {
    this.#input.removeAllListeners('data').pause();
  }

  #onData(chunk: Buffer): void {
    if (this.#waiting === undefined) {
      this.#events.onData(chunk);
      return;
    }
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= MAX_WAITING) this.hold();
  }

  #end(tell: () => void): void {
    this.#hasEnded = true;
    tell();
  }
}
