import type { Writable } from 'node:stream';
import type { Bytes } from '../bytes.ts';
import { asOneLine } from '../lines/one-line.ts';
import { SlicedOutput } from './sliced-output.ts';

/**
 * Writes frames, one a line, also where they have line breaks (see `asOneLine`). Small frames of one turn of the event loop
 * leave in one write, large ones in slices. It never waits: what the reader does not take yet is counted in `queuedBytes`,
 * for the owner to bound.
 */
export class FrameWriter {
  readonly #output: SlicedOutput;
  #pending = '';
  #scheduled = false;

  /** `onTaken` is called when the stream has taken what it held. */
  constructor(stream: Writable, onTaken?: () => void) {
    this.#output = new SlicedOutput(stream, onTaken);
  }

  /** Bytes accepted and not yet taken by the operating system. */
  get queuedBytes(): number {
    return this.#pending.length + this.#output.queuedBytes;
  }

  /** Bytes that the operating system has taken since the start. */
  get takenBytes(): number {
    return this.#output.takenBytes;
  }

  write(frame: Bytes): void {
    const line = asOneLine(frame);
    if (typeof line === 'string') {
      this.#pending += line;
      this.#pending += '\n';
      this.#schedule();
      return;
    }
    this.#flushPending();
    this.#output.write([...line, NEWLINE]);
  }

  /** Hands all waiting bytes to the stream, so that nothing is lost if the stream is ended then. */
  flush(): void {
    this.#flushPending();
    this.#output.handOver();
  }

  #flushPending(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    this.#output.write(text);
  }

  /** Ends the stream after what was written. */
  end(): void {
    this.#flushPending();
    this.#output.end();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After the poll phase: frames that came on several connections leave together.
    setImmediate(this.#onTurnEnd);
  }

  readonly #onTurnEnd = (): void => {
    this.#scheduled = false;
    this.#flushPending();
  };
}

const NEWLINE = Buffer.from('\n');
