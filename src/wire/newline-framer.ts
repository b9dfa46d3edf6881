import { Frame } from './frame.ts';
import { JsonTextError } from './json-error.ts';
import { PieceList } from './piece-list.ts';
import { DEFAULT_MAX_DEPTH, JsonScanner, MAX_PARTS, type Outline } from './scanner.ts';

/** Largest frame by default, in bytes. */
export const DEFAULT_FRAME_BYTES = 64 * 1024 * 1024;

/** Kept of a line that is lost: enough of its head and tail to find the id in, and to show it. */
const KEPT_HEAD = 4096;
const KEPT_TAIL = 256;

/** From so many bytes on a line is long, and its receiver is asked about it; again after so many more. */
const LONG_LINE = 128 * 1024;
const ASK_AGAIN = 8 * 1024 * 1024;

/** The clock is looked at after so many lines: it costs as much as scanning a short one. */
const LINES_PER_LOOK = 16;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A line that could not become a frame. */
export interface LostLine {
  readonly reason: 'not-json' | 'too-large' | 'unwanted';
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly bytes: number;
  /** The stream ended before the line did. */
  readonly isCutOff: boolean;
}

export interface FrameReceiver {
  onFrame(frame: Frame): void;
  onLostLine(line: LostLine): void;
  /**
   * Asked now and then about a line that grows long: what nobody waits for need not be kept. `head` is its beginning. A
   * promise tells that the line is wanted, and that reading should go on when it resolves; that is for whoever reads the
   * stream, not for the framer.
   */
  isWanted?(head: Buffer): boolean | Promise<void>;
}

/**
 * Cuts a byte stream into frames at byte 0x0A (MCP stdio transport) and scans each while it arrives: time is linear in
 * the bytes, however they are cut. Blank lines are skipped, a byte order mark at the very start is dropped, a CR before
 * the newline is white space to JSON. A line over `maxBytes` is skipped without being stored.
 */
export class NewlineFramer {
  readonly #receiver: FrameReceiver;
  readonly #maxBytes: number;
  readonly #scanner = new JsonScanner(DEFAULT_MAX_DEPTH, MAX_PARTS);
  readonly #pieces = new PieceList();
  #length = 0;
  #state: 'scanning' | LostLine['reason'] = 'scanning';
  /** At this length of the line its receiver is asked whether it wants it. */
  #askAt = LONG_LINE;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  /** Bytes of the mark seen so far; -1 once the stream's start is behind us. */
  #markSeen = 0;

  constructor(receiver: FrameReceiver, maxBytes: number = DEFAULT_FRAME_BYTES) {
    this.#receiver = receiver;
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes the next bytes of the stream; frames and lost lines are reported before it returns. Once `deadline` (as
   * `performance.now()` tells the time) has passed it may stop after a line. Returns the offset it has come to: the
   * bytes from there on must be pushed again.
   */
  push(chunk: Buffer, deadline = Number.POSITIVE_INFINITY): number {
    let at = this.#markSeen === -1 ? 0 : this.#skipMark(chunk);
    for (let lines = 1; ; lines++) {
      const newline = chunk.indexOf(NEWLINE, at);
      if (newline === -1) break;
      if (this.#length === 0) this.#wholeLine(chunk, at, newline);
      else this.#endLine(chunk.subarray(at, newline));
      at = newline + 1;
      if (lines % LINES_PER_LOOK === 0 && at < chunk.length && performance.now() >= deadline) return at;
    }
    if (at < chunk.length) this.#append(chunk.subarray(at));
    return chunk.length;
  }

  /** The stream has ended: what stands after the last newline is a line too. */
  end(): void {
    if (this.#markSeen > 0) this.#append(Buffer.from(BYTE_ORDER_MARK.slice(0, this.#markSeen)));
    this.#markSeen = -1;
    this.#endLine(undefined);
  }

  /** The usual case: a line that lies in one chunk is scanned where it is, without cutting it out. */
  #wholeLine(chunk: Buffer, from: number, to: number): void {
    if (from === to) return;
    const outline = to - from <= this.#maxBytes ? this.#tryToScan(chunk, from, to) : undefined;
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

  #skipMark(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length && this.#markSeen < BYTE_ORDER_MARK.length) {
      if (chunk[at] !== BYTE_ORDER_MARK[this.#markSeen]) {
        const seen = Buffer.from(BYTE_ORDER_MARK.slice(0, this.#markSeen));
        this.#markSeen = -1;
        // The mark was cut off in the middle: those bytes belong to the first line after all.
        if (seen.length > at) this.#append(seen.subarray(0, seen.length - at));
        return 0;
      }
      at++;
      this.#markSeen++;
    }
    if (this.#markSeen === BYTE_ORDER_MARK.length) this.#markSeen = -1;
    return at;
  }

  #append(piece: Buffer): void {
    if (this.#length === 0) this.#scanner.reset();
    this.#length += piece.length;
    if (this.#state === 'scanning' && this.#length > this.#maxBytes) this.#lose('too-large');
    if (this.#state === 'not-json' && this.#length > this.#maxBytes) this.#state = 'too-large';
    if (this.#state === 'scanning') this.#scan(piece);
    if (this.#state !== 'scanning') this.#remember(piece);
    else if (this.#length > this.#askAt) this.#askWhetherWanted();
  }

  #askWhetherWanted(): void {
    this.#askAt = this.#length + ASK_AGAIN;
    const isWanted = this.#receiver.isWanted?.(this.#pieces.head(KEPT_HEAD)) ?? true;
    if (isWanted === false) this.#lose('unwanted');
  }

  #scan(piece: Buffer): void {
    try {
      this.#scanner.push(piece);
      this.#pieces.add(piece);
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      this.#lose('not-json');
    }
  }

  /** From here on the line is only measured; of what has arrived, head and tail are kept. */
  #lose(reason: LostLine['reason']): void {
    this.#state = reason;
    for (const piece of this.#pieces.take()) this.#remember(piece);
  }

  #remember(piece: Buffer): void {
    const room = KEPT_HEAD - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, room)]);
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-KEPT_TAIL)]).subarray(-KEPT_TAIL);
  }

  #endLine(last: Buffer | undefined): void {
    if (last !== undefined && last.length > 0) this.#append(last);
    if (this.#length === 0) return;
    const isBlank = this.#state === 'scanning' && this.#scanner.isBlank;
    const outline = this.#state === 'scanning' ? this.#finishScan() : undefined;
    const pieces = this.#pieces.take();
    const length = this.#length;
    const lost = { head: this.#head, tail: this.#tail, bytes: length, isCutOff: last === undefined };
    // A line whose end could not be scanned is no JSON either.
    const reason = this.#state === 'scanning' ? 'not-json' : this.#state;
    this.#begin();
    if (outline !== undefined) this.#receiver.onFrame(new Frame(pieces, outline));
    else if (!isBlank) this.#receiver.onLostLine({ reason, ...lost });
  }

  #finishScan(): Outline | undefined {
    try {
      return this.#scanner.finish();
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      this.#lose('not-json');
      return undefined;
    }
  }

  #begin(): void {
    this.#length = 0;
    this.#state = 'scanning';
    this.#askAt = LONG_LINE;
    this.#head = this.#tail = Buffer.alloc(0);
  }
}
