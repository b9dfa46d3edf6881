import { Frame } from '../frame.ts';
import { JsonTextError } from '../json-error.ts';
import type { Outline } from '../scanning/outline.ts';
import { scannerForPeer } from '../scanning/scanner.ts';
import { BYTE_ORDER_MARK } from './byte-order-mark.ts';
import type { FrameReceiver } from './frame-receiver.ts';
import { PartialLine } from './partial-line.ts';
import { SpreadText } from './spread-text.ts';

/** Largest frame by default, in bytes. */
export const DEFAULT_FRAME_BYTES = 64 * 1024 * 1024;

/** The number of lines between two looks at the clock: a look costs as much as scanning a short line. */
const LINES_PER_LOOK = 16;

const NEWLINE = 0x0a;

export interface FramerOptions {
  /** Allows a JSON text to go over several lines. The MCP stdio transport forbids it, but there are servers that pretty-print. */
  readonly takesSpreadTexts?: boolean;
}

/**
 * Cuts a byte stream into frames at byte 0x0A (MCP stdio transport) and scans each while it arrives: time is linear in
 * the bytes, however they are cut. Blank lines are skipped, a byte order mark in front of a line is dropped, a CR before
 * the newline is white space to JSON. A line over `maxBytes` is skipped without being stored; a function is asked again for each
 * line, because the config may change.
 */
export class NewlineFramer {
  readonly #receiver: FrameReceiver;
  readonly #maxBytes: () => number;
  readonly #spread: SpreadText | undefined;
  readonly #scanner = scannerForPeer();
  /** The line that is being read, unless it lies in one chunk. */
  readonly #line: PartialLine;
  /** Bytes seen of the mark in front of the line; -1 once its start is behind us. */
  #markSeen = 0;

  constructor(
    receiver: FrameReceiver,
    maxBytes: number | (() => number) = DEFAULT_FRAME_BYTES,
    { takesSpreadTexts = false }: FramerOptions = {},
  ) {
    this.#receiver = receiver;
    const limit = typeof maxBytes === 'number' ? () => maxBytes : maxBytes;
    this.#maxBytes = limit;
    this.#line = new PartialLine(receiver, limit, this.#scanner);
    this.#spread = takesSpreadTexts ? new SpreadText(receiver, limit) : undefined;
  }

  /** A text over several lines has begun and is not over. */
  get isInSpreadText(): boolean {
    return this.#spread?.isOpen ?? false;
  }

  /**
   * Takes the next bytes of the stream; frames and lost lines are reported before it returns. Once `deadline` (as
   * `performance.now()` tells the time) has passed it may stop after a line. Returns the offset it has come to: the
   * bytes from there on must be pushed again.
   */
  push(chunk: Buffer, deadline = Number.POSITIVE_INFINITY): number {
    let at = 0;
    for (let lines = 1; at < chunk.length; lines++) {
      if (this.#spread?.isOpen === true) {
        at = this.#pushSpread(this.#spread, chunk, at, deadline);
        if (this.#spread.isOpen) return at;
      }
      if (this.#markSeen !== -1) at = this.#skipMark(chunk, at);
      const newline = chunk.indexOf(NEWLINE, at);
      if (newline === -1) break;
      if (this.#line.isEmpty) this.#wholeLine(chunk, at, newline);
      else this.#endLine(chunk.subarray(at, newline));
      this.#markSeen = 0;
      at = newline + 1;
      if (lines % LINES_PER_LOOK === 0 && at < chunk.length && performance.now() >= deadline) return at;
    }
    if (at < chunk.length) this.#append(chunk.subarray(at));
    return chunk.length;
  }

  /** The stream has ended: what stands after the last newline is a line too. */
  end(): void {
    this.#endSpread(true);
    if (this.#markSeen > 0) this.#append(BYTE_ORDER_MARK.subarray(0, this.#markSeen));
    this.#endLine(undefined);
    this.#markSeen = 0;
  }

  /** Called after a long silence: a text over several lines that is still open was a broken line. */
  giveUpSpreadText(): undefined {
    this.#endSpread(false);
  }

  /** The usual case: a line that lies in one chunk is scanned where it is, without cutting it out. */
  #wholeLine(chunk: Buffer, from: number, to: number): void {
    if (from === to) return;
    const outline = to - from <= this.#maxBytes() ? this.#tryToScan(chunk, from, to) : undefined;
    if (outline === undefined) this.#endLine(chunk.subarray(from, to));
    else this.#receiver.onFrame(new Frame([chunk], outline));
  }

  #tryToScan(chunk: Buffer, from: number, to: number): Outline | undefined {
    try {
      this.#scanner.reset(from);
      this.#scanner.push(chunk, from, to);
      return this.#scanner.finish();
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      return undefined;
    }
  }

  /** Goes on with a text over several lines. A line that does not belong to it is read by itself. */
  #pushSpread(spread: SpreadText, chunk: Buffer, from: number, deadline: number): number {
    const at = spread.push(chunk, from, deadline);
    this.#takeRefused(spread);
    return at;
  }

  #endSpread(isCutOff: boolean): void {
    if (this.#spread === undefined) return;
    this.#spread.end(isCutOff);
    this.#takeRefused(this.#spread);
  }

  #takeRefused(spread: SpreadText): void {
    if (spread.isOpen) return;
    for (const piece of spread.refused()) {
      const at = this.#markSeen === -1 ? 0 : this.#skipMark(piece, 0);
      if (at < piece.length) this.#append(piece.subarray(at));
    }
  }

  /** Returns where the line begins that may have a mark in front of it. */
  #skipMark(chunk: Buffer, from: number): number {
    if (this.#markSeen === 0 && chunk[from] !== BYTE_ORDER_MARK[0]) return from;
    let at = from;
    while (at < chunk.length && this.#markSeen < BYTE_ORDER_MARK.length) {
      if (chunk[at] !== BYTE_ORDER_MARK[this.#markSeen]) {
        const earlier = this.#markSeen - (at - from);
        this.#markSeen = -1;
        // The mark was cut off in the middle: those bytes belong to the line after all.
        if (earlier > 0) this.#append(BYTE_ORDER_MARK.subarray(0, earlier));
        return from;
      }
      at++;
      this.#markSeen++;
    }
    if (this.#markSeen === BYTE_ORDER_MARK.length) this.#markSeen = -1;
    return at;
  }

  #append(piece: Buffer): void {
    this.#markSeen = -1;
    this.#line.append(piece);
  }

  #endLine(last: Buffer | undefined): void {
    if (last !== undefined && last.length > 0) this.#append(last);
    if (this.#line.isEmpty) return;
    if (last !== undefined && this.#goesOn()) this.#line.clear();
    else this.#line.end(last === undefined);
  }

  /** Returns true when the line is the first one of a text over several lines, which is read from now on. */
  #goesOn(): boolean {
    return this.#spread !== undefined && this.#line.isInside && this.#spread.begin(this.#line.pieces);
  }
}
