import type { Writable } from 'node:stream';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';

/** The number of characters passed to the process at once. It receives what was passed when it reads, however late. */
const PIECE_CHARACTERS = 8_192;

/** The process did not take all of what was written. */
export class InputNotTaken extends Error {
  /** `closed`: it does not read any more, or has ended; `late`: it did not read until the signal. */
  readonly why: 'closed' | 'late';
  /** Characters that it has taken, or gets if it goes on reading. */
  readonly given: number;

  constructor(why: 'closed' | 'late', given: number, cause: unknown) {
    super('the input was not taken', { cause });
    this.name = 'InputNotTaken';
    this.why = why;
    this.given = given;
  }
}

/** The standard input of a process, written to by several callers: what each of them writes stays together. */
export class ProcessInput {
  readonly #stream: Writable;
  /** Resolves when nothing of what was written before waits any more. */
  #turn: Promise<void> = Promise.resolve();
  #isEnded = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Each write hears about its own failure.
    stream.on('error', () => undefined);
  }

  /** Resolves when the system has taken all of it. @throws InputNotTaken */
  write(text: string, signal: AbortSignal): Promise<void> {
    let given = 0;
    const writeAll = async () => {
      for (const piece of piecesOf(text)) {
        if (signal.aborted) return;
        given += piece.length;
        await this.#send(piece);
      }
    };
    const written = this.#turn.then(writeAll);
    this.#turn = written.catch(() => undefined);
    return unlessAborted(written, signal).catch((error: unknown) => {
      throw new InputNotTaken(signal.aborted ? 'late' : 'closed', given, error);
    });
  }

  /** Ends the input after what was written before; nothing can be written any more. */
  end(): void {
    this.#isEnded = true;
    this.#turn = this.#turn.then(() => void this.#stream.end());
  }

  get isEnded(): boolean {
    return this.#isEnded || !this.#stream.writable;
  }

  #send(piece: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(piece, (error) => (error == null ? resolve() : reject(error)));
    });
  }
}

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + PIECE_CHARACTERS, text.length);
    const piece = text.slice(start, isInPair(text, end) ? end - 1 : end);
    yield piece;
    start += piece.length;
  }
}

function isInPair(text: string, at: number): boolean {
  return at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
