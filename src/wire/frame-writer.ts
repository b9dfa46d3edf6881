import type { Writable } from 'node:stream';
import type { Bytes } from './bytes.ts';
import { asOneLine } from './one-line.ts';

/**
 * Writes frames, one a line, also where they have line breaks (see `asOneLine`). Small frames of one turn of the event loop leave in one write; large ones leave as the
 * pieces they are. It never waits: what the reader does not take yet is counted in `queuedBytes`, for the owner to bound.
 */
export class FrameWriter {
  readonly #stream: Writable;
  #pending = '';
  #scheduled = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** Bytes accepted and not yet taken by the operating system. */
  get queuedBytes(): number {
    return this.#pending.length + this.#stream.writableLength;
  }

  write(frame: Bytes): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    const line = asOneLine(frame);
    if (typeof line === 'string') {
      this.#pending += line;
      this.#pending += '\n';
      this.#schedule();
      return;
    }
    this.flush();
    this.#stream.cork();
    for (const piece of line) this.#stream.write(piece);
    this.#stream.write('\n');
    this.#stream.uncork();
  }

  /** Hands over what was collected in this turn. */
  flush(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    if (!this.#stream.destroyed && !this.#stream.writableEnded) this.#stream.write(text, 'latin1');
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.flush();
    });
  }
}
