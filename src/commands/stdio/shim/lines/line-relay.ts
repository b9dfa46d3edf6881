import type { Line } from './line.ts';

/** The longest line that is held until it is complete, in bytes: the default of `limits.frameBytes`. */
const MAX_LINE = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

interface LineReceiver {
  /** Returns whether the line is passed on. */
  admit(line: Line): boolean;
  /** Takes bytes that are passed on, whole lines in order. */
  write(bytes: Buffer): void;
  /** A line is too long to be held: it is passed on as it comes, without being read. */
  onOverlong(): void;
}

/** Passes whole lines on: a line that its sender never completes is not passed on at all. */
export class LineRelay {
  readonly #receiver: LineReceiver;
  readonly #maxLine: number;
  /** The line that is not complete, as far as it came in earlier chunks. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isOverlong = false;

  constructor(receiver: LineReceiver, maxLine = MAX_LINE) {
    this.#receiver = receiver;
    this.#maxLine = maxLine;
  }

  push(chunk: Buffer): void {
    let passed = this.#isOverlong ? this.#endOverlong(chunk) : 0;
    let from = passed;
    for (let at = chunk.indexOf(NEWLINE, from); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const to = at + 1;
      const earlier = this.#takeHeld();
      const isAdmitted = this.#receiver.admit({ chunk, from, to, earlier });
      if (isAdmitted) for (const piece of earlier ?? []) this.#receiver.write(piece);
      else {
        this.#write(chunk, passed, from);
        passed = to;
      }
      from = to;
    }
    this.#write(chunk, passed, from);
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  /** Takes what is left for a whole line: its sender has ended. */
  end(): void {
    if (this.#heldBytes > 0) this.push(Buffer.from('\n'));
  }

  #write(chunk: Buffer, from: number, to: number): void {
    if (from < to) this.#receiver.write(to - from === chunk.length ? chunk : chunk.subarray(from, to));
  }

  #takeHeld(): Buffer[] | undefined {
    if (this.#heldBytes === 0) return undefined;
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }

  #hold(part: Buffer): void {
    this.#held.push(part);
    this.#heldBytes += part.length;
    if (this.#isOverlong || this.#heldBytes > this.#maxLine) this.#passPart();
  }

  #passPart(): void {
    if (!this.#isOverlong) this.#receiver.onOverlong();
    this.#isOverlong = true;
    for (const piece of this.#takeHeld() ?? []) this.#receiver.write(piece);
  }

  /** Passes on the rest of an overlong line. Returns where the next line begins. */
  #endOverlong(chunk: Buffer): number {
    const newline = chunk.indexOf(NEWLINE);
    if (newline === -1) return 0;
    this.#isOverlong = false;
    this.#receiver.write(chunk.subarray(0, newline + 1));
    return newline + 1;
  }
}
