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
      const reader = new PipeReader(listener, () => {
        end('the browser sent a message that is too large');
        close();
      });
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

class PipeReader {
  readonly #listener: WireListener;
  readonly #onTooLarge: () => void;
  /** The parts of a message that is not whole yet. */
  #parts: Buffer[] = [];
  #size = 0;

  constructor(listener: WireListener, onTooLarge: () => void) {
    this.#listener = listener;
    this.#onTooLarge = onTooLarge;
  }

  take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      this.#keep(bytes.subarray(from, end));
      this.#listener.onText(this.#message());
      from = end + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= MAX_MESSAGE_BYTES) this.#parts.push(part);
    else this.#onTooLarge();
  }

  #message(): string {
    const text = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#size = 0;
    return text;
  }
}

function once(listener: (reason: string) => void): (reason: string) => void {
  let isDone = false;
  return (reason) => {
    if (!isDone) listener(reason);
    isDone = true;
  };
}
