import type { IncomingMessage } from 'node:http';
import { PieceList } from '../../../wire/output/piece-list.ts';
import { type Rejection, TOO_MANY_BODIES, tooLarge } from '../guards/reject.ts';

/** The limit for all bodies that are being received, in bytes. A single body may always reach its own limit. */
const MAX_BYTES_TOGETHER = 64 * 1024 * 1024;

/** Reads the bodies of requests, within bounds for each and for all that are under way. */
export class BodyReader {
  readonly #maxBytes: () => number;
  #held = 0;

  /** `maxBytes` is the most that one body may have; asked for at each one, as the config may change. */
  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes;
  }

  get maxBytes(): number {
    return this.#maxBytes();
  }

  /** Calls back once with the body, or with why it is not read to its end. A request that breaks off is never answered. */
  read(request: IncomingMessage, onBody: (body: Buffer | Rejection) => void): void {
    const { maxBytes } = this;
    const pieces = new PieceList();
    let isOver = false;
    const finish = (body?: Buffer | Rejection) => {
      if (isOver) return;
      isOver = true;
      this.#held -= pieces.length;
      pieces.take();
      if (body !== undefined) onBody(body);
    };
    request.on('data', (chunk: Buffer) => {
      if (isOver) return;
      this.#held += chunk.length;
      pieces.add(chunk);
      if (pieces.length > maxBytes) finish(tooLarge(maxBytes));
      else if (this.#held > MAX_BYTES_TOGETHER && this.#held > pieces.length) finish(TOO_MANY_BODIES);
    });
    request.on('end', () => finish(pieces.joined()));
    request.on('close', () => finish());
    request.on('error', () => finish());
  }
}
