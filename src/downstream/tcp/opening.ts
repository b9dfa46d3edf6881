import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

/** The beginning of a connection. */
export type Opening =
  /** A line that may be a message. `proceed` returns the whole input: the line that it is called with, and all that comes after it. */
  | { readonly kind: 'line'; readonly line: Buffer; readonly proceed: (line: Buffer) => Readable }
  /** The first line is not a JSON object: for example, a request of a web page. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'too-large' }
  /** The client has left, or was cut off, before the line was there. */
  | { readonly kind: 'gone' };

const NEWLINE = 0x0a;
const BRACE = 0x7b;
/** White space of JSON, and the bytes of a byte order mark. */
const SKIPPED: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
/** The largest number of bytes of white space before the first message. */
const MAX_SKIPPED = 4_096;

/**
 * Reads the first line of a connection, and tells once what it is. Nothing but a JSON object is read any further than to
 * its first byte.
 * @param maxBytes the longest line, in bytes
 * @returns how to give up: what has come is forgotten, and nothing is told any more
 */
export function readOpening(socket: Socket, maxBytes: number, onOpening: (opening: Opening) => void): () => void {
  const reader = new OpeningReader(maxBytes);
  const giveUp = () => {
    reader.forget();
    socket.off('data', onData).off('end', onEnd).off('close', onGone);
  };
  const finish = (opening: Opening) => {
    socket.pause();
    giveUp();
    onOpening(opening);
  };
  const onData = (chunk: Buffer) => {
    const found = reader.push(chunk);
    if (found === undefined) return;
    if (typeof found === 'string') return finish({ kind: found });
    const { line, rest } = found;
    finish({
      kind: 'line',
      line,
      proceed(changed) {
        // In the same turn: a stream that has ended takes nothing back.
        socket.unshift(Buffer.concat([changed, Buffer.of(NEWLINE), rest]));
        return socket;
      },
    });
  };
  const onEnd = () => {
    const line = reader.end();
    if (line === undefined) return finish({ kind: 'gone' });
    finish({ kind: 'line', line, proceed: (changed) => Readable.from([changed]) });
  };
  const onGone = () => finish({ kind: 'gone' });
  socket.on('data', onData).on('end', onEnd).on('close', onGone);
  return giveUp;
}

class OpeningReader {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #skipped = 0;
  #hasBegun = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns `undefined` as long as more has to come. */
  push(chunk: Buffer): { readonly line: Buffer; readonly rest: Buffer } | 'foreign' | 'too-large' | undefined {
    const text = this.#hasBegun ? chunk : this.#begin(chunk);
    if (this.#skipped > MAX_SKIPPED) return 'foreign';
    if (text === undefined) return undefined;
    if (!this.#hasBegun) return 'foreign';
    const newline = text.indexOf(NEWLINE);
    this.#add(newline === -1 ? text : text.subarray(0, newline));
    if (this.#bytes > this.#maxBytes) return 'too-large';
    return newline === -1 ? undefined : { line: this.#take(), rest: text.subarray(newline + 1) };
  }

  /** The stream has ended: what has come is a line, if it is anything. */
  end(): Buffer | undefined {
    return this.#hasBegun ? this.#take() : undefined;
  }

  /** Lets go of what has come. */
  forget(): void {
    this.#pieces = [];
  }

  /** Returns the text from its first byte on; `undefined` if it has not begun. */
  #begin(chunk: Buffer): Buffer | undefined {
    const start = chunk.findIndex((byte) => !SKIPPED.has(byte));
    this.#skipped += start === -1 ? chunk.length : start;
    if (start === -1) return undefined;
    this.#hasBegun = chunk[start] === BRACE;
    return chunk.subarray(start);
  }

  #add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  #take(): Buffer {
    const line = Buffer.concat(this.#pieces);
    this.forget();
    return line;
  }
}
