import type { Readable, Writable } from 'node:stream';
import { type CdpWire, MAX_MESSAGE_BYTES, type WireListener } from './wire.ts';

/**
 * Speaks to a browser that was started with `--remote-debugging-pipe`: JSON texts, each followed by a NUL byte.
 * No other process can reach such a browser, as it could through a port.
 */
export function pipeWire(toBrowser: Writable, fromBrowser: Readable): CdpWire {
  const close = () => {
    toBrowser.destroy();
    fromBrowser.destroy();
  };
  return {
    close,
    open(listener) {
      const end = once(listener.onEnd);
      const reader = new PipeReader(listener);
      fromBrowser.on('data', (bytes: Buffer) => reader.take(bytes));
      for (const stream of [toBrowser, fromBrowser]) {
        stream.on('error', ({ message }) => end(`the connection to the browser broke (${message})`));
        stream.on('close', () => end('the browser has ended'));
      }
    },
    send(text) {
      if (toBrowser.writable) toBrowser.write(`${text}\0`);
    },
  };
}

/** Number of bytes kept of a message that is too large: enough to tell which command it answers. */
const BEGINNING_BYTES = 100;

class PipeReader {
  readonly #listener: WireListener;
  /** The parts of a message that is not whole yet; of one that is too large, its beginning. */
  #parts: Buffer[] = [];
  #size = 0;

  constructor(listener: WireListener) {
    this.#listener = listener;
  }

  take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      this.#keep(bytes.subarray(from, end));
      this.#deliver();
      from = end + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(part: Buffer): void {
    const wasTooLarge = this.#size > MAX_MESSAGE_BYTES;
    this.#size += part.length;
    if (wasTooLarge) return;
    this.#parts.push(part);
    // The browser is shared: one page must not end it for all.
    if (this.#size > MAX_MESSAGE_BYTES)
      this.#parts = [Buffer.from(Buffer.concat(this.#parts).subarray(0, BEGINNING_BYTES))];
  }

  #deliver(): void {
    const text = Buffer.concat(this.#parts).toString('utf8');
    const isTooLarge = this.#size > MAX_MESSAGE_BYTES;
    this.#parts = [];
    this.#size = 0;
    if (isTooLarge) this.#listener.onTooLarge(text);
    else this.#listener.onText(text);
  }
}

function once(listener: (reason: string) => void): (reason: string) => void {
  let isDone = false;
  return (reason) => {
    if (!isDone) listener(reason);
    isDone = true;
  };
}
