import type { PieceList } from '../output/piece-list.ts';
import type { FrameReceiver, LostLine } from './frame-receiver.ts';

/** Kept of a text that is lost: enough of its head and tail to find the id in, and to show it. */
export const KEPT_HEAD = 4096;
const KEPT_TAIL = 256;

/**
 * The number of bytes from which a text is long and its receiver is asked about it, and the number of further bytes
 * after which it is asked again.
 */
const LONG_TEXT = 128 * 1024;
const ASK_AGAIN = 8 * 1024 * 1024;

/** Measures a text that is lost, and keeps its head and tail. */
export class Remains {
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #bytes = 0;

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    const room = KEPT_HEAD - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, room)]);
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-KEPT_TAIL)]).subarray(-KEPT_TAIL);
  }

  lostLine(reason: LostLine['reason'], isCutOff: boolean, problem?: string): LostLine {
    return {
      reason,
      problem: reason === 'not-json' ? problem : undefined,
      head: this.#head,
      tail: this.#tail,
      bytes: this.#bytes,
      isCutOff,
    };
  }
}

/** Asks the receiver of a text that grows long whether it wants it. */
export class Demand {
  readonly #receiver: FrameReceiver;
  #askAt = LONG_TEXT;

  constructor(receiver: FrameReceiver) {
    this.#receiver = receiver;
  }

  /** A new text begins. */
  reset(): void {
    this.#askAt = LONG_TEXT;
  }

  /** Returns whether to go on with a text that has these pieces, and `bytes` now. */
  goesOn(pieces: PieceList, bytes: number): boolean {
    if (bytes <= this.#askAt) return true;
    this.#askAt = bytes + ASK_AGAIN;
    return this.#receiver.isWanted?.(pieces.head(KEPT_HEAD)) !== false;
  }
}
