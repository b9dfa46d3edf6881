import type { LostLine } from './frame-receiver.ts';
import type { Remains } from './remains.ts';
import { isBlankByte, type LineVerdict, NEWLINE } from './spread-lines.ts';

const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** The rest of a text over several lines that is not kept: it is measured, and its end is looked for. */
export class SkippedText {
  readonly #reason: LostLine['reason'];
  readonly #remains: Remains;
  /** A part of the present line was taken. */
  #isLineBegun: boolean;
  #isLastLine = false;

  /** `remains` has what came before; `isLineBegun`: the text is given up in the middle of a line. */
  constructor(reason: LostLine['reason'], remains: Remains, isLineBegun: boolean) {
    this.#reason = reason;
    this.#remains = remains;
    this.#isLineBegun = isLineBegun;
  }

  /**
   * Reads a line or a part of one. Indented lines belong to the text, and so does the bracket at the margin that closes it.
   */
  read(chunk: Buffer, from: number, to: number): LineVerdict {
    const first = chunk[from]!;
    if (!this.#isLineBegun) {
      this.#isLastLine = first === CLOSE_BRACE || first === CLOSE_BRACKET;
      if (!isBlankByte(first) && !this.#isLastLine) return 'refused';
    }
    this.#isLineBegun = chunk[to - 1] !== NEWLINE;
    return this.#isLastLine && !this.#isLineBegun ? 'over' : 'open';
  }

  /** Counts bytes that belong to the text. */
  add(piece: Buffer): void {
    this.#remains.add(piece);
  }

  lostLine(isCutOff: boolean): LostLine {
    return this.#remains.lostLine(this.#reason, isCutOff);
  }
}
