import { Frame } from '../frame.ts';
import { JsonTextError } from '../json-error.ts';
import type { PieceList } from '../output/piece-list.ts';
import { type JsonScanner, scannerForPeer } from '../scanning/scanner.ts';
import type { FrameReceiver, LostLine } from './frame-receiver.ts';
import { Demand } from './remains.ts';
import { SkippedText } from './skipped-text.ts';
import { type LineVerdict, NEWLINE, SpreadLines } from './spread-lines.ts';

/** The number of lines between two looks at the clock. */
const LINES_PER_LOOK = 16;

const NEWLINE_PIECE = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);

/**
 * A JSON text over several lines of a stream, while it is read: what a peer sends that pretty-prints its messages. Every
 * byte is scanned once as part of the text, and once more where its line may be a message.
 *
 * A broken line can look like the first line of such a text, so a text never swallows messages. It ends unfinished at the
 * first line that cannot belong to it, or that is a message by itself. That line is not taken; the text before it is
 * reported as lost.
 */
export class SpreadText {
  readonly #receiver: FrameReceiver;
  readonly #maxBytes: () => number;
  readonly #demand: Demand;
  readonly #scanner = scannerForPeer();
  readonly #kept = new SpreadLines();
  /** Bytes of the text so far; 0 when none is open. */
  #length = 0;
  /** The text, if it is not kept. */
  #skipped: SkippedText | undefined;

  /** A text may have `maxBytes`. The rest of a longer one is skipped without being stored. */
  constructor(receiver: FrameReceiver, maxBytes: () => number) {
    this.#receiver = receiver;
    this.#maxBytes = maxBytes;
    this.#demand = new Demand(receiver);
  }

  /** A text has begun and is not over. */
  get isOpen(): boolean {
    return this.#length > 0;
  }

  /** Begins a text with a line that is not JSON, without its newline. Returns whether the text may go on behind it. */
  begin(line: PieceList): boolean {
    this.#scanner.reset();
    const text = line.joined();
    if (!canPush(this.#scanner, text, 0, text.length) || !canPush(this.#scanner, NEWLINE_PIECE, 0, 1)) return false;
    this.#kept.add(text);
    this.#kept.add(NEWLINE_PIECE);
    this.#length = text.length + 1;
    this.#demand.reset();
    return true;
  }

  /**
   * Takes lines from `from` on. Returns the offset it has come to: the end of the chunk or of the text, the line that does
   * not belong to it (see `refused`), or the end of a line once `deadline` has passed.
   */
  push(chunk: Buffer, from: number, deadline: number): number {
    let at = from;
    let lineStart = from;
    for (let lines = 1; at < chunk.length; lines++) {
      lineStart = at;
      const newline = chunk.indexOf(NEWLINE, at);
      const to = newline === -1 ? chunk.length : newline + 1;
      const verdict = this.#skipped === undefined ? this.#read(chunk, at, to) : this.#skipped.read(chunk, at, to);
      if (verdict === 'refused') {
        this.#keep(chunk, from, at, at);
        this.#lose(false);
        return at;
      }
      at = to;
      if (verdict === 'over') {
        this.#keep(chunk, from, to, to);
        this.#finish();
        return to;
      }
      if (lines % LINES_PER_LOOK === 0 && performance.now() >= deadline) break;
    }
    if (chunk[at - 1] === NEWLINE) lineStart = at;
    this.#keep(chunk, from, lineStart, at);
    this.#limit();
    return at;
  }

  /** Returns, once, the parts of a line that came with earlier chunks and that the text, which is over, has refused. */
  refused(): readonly Buffer[] {
    return this.#kept.takeLine();
  }

  /** Ends an open text. It is lost if it is unfinished; where its last line is a message, that line is refused. */
  end(isCutOff: boolean): void {
    if (!this.isOpen) return;
    if (this.#skipped === undefined && this.#scanner.isDone) {
      this.#kept.endLine();
      this.#finish();
      return;
    }
    const isRefused = this.#kept.isMessage(NOTHING, 0, 0);
    if (!isRefused) this.#kept.endLine();
    this.#lose(isCutOff && !isRefused);
  }

  #read(chunk: Buffer, from: number, to: number): LineVerdict {
    if (!canPush(this.#scanner, chunk, from, to)) return 'refused';
    this.#length += to - from;
    if (chunk[to - 1] !== NEWLINE) return 'open';
    if (!this.#scanner.isDone && this.#kept.isMessage(chunk, from, to)) return 'refused';
    this.#kept.endLine();
    return this.#scanner.isDone ? 'over' : 'open';
  }

  /** Keeps a part of the chunk: whole lines up to `lineStart`, and from there to `to` the beginning of another one. */
  #keep(chunk: Buffer, from: number, lineStart: number, to: number): void {
    if (this.#skipped !== undefined) {
      if (from < to) this.#skipped.add(chunk.subarray(from, to));
      return;
    }
    if (from < lineStart) this.#kept.add(chunk.subarray(from, lineStart));
    if (lineStart < to) this.#kept.addToLine(chunk.subarray(lineStart, to));
  }

  #limit(): void {
    if (this.#skipped !== undefined) return;
    if (this.#length > this.#maxBytes()) this.#skipRest('too-large');
    else if (!this.#demand.goesOn(this.#kept.whole, this.#length)) this.#skipRest('unwanted');
  }

  #skipRest(reason: LostLine['reason']): void {
    const { isLineBegun } = this.#kept;
    this.#kept.endLine();
    this.#skipped = new SkippedText(reason, this.#kept.takeRemains(), isLineBegun);
  }

  #finish(): void {
    if (this.#skipped === undefined && this.#length > this.#maxBytes()) this.#skipRest('too-large');
    if (this.#skipped !== undefined) {
      this.#lose(false);
      return;
    }
    const pieces = this.#kept.take();
    this.#close();
    this.#receiver.onFrame(new Frame(pieces, this.#scanner.finish()));
  }

  #lose(isCutOff: boolean): void {
    const lost = this.#skipped?.lostLine(isCutOff) ?? this.#kept.takeRemains().lostLine('not-json', isCutOff);
    this.#close();
    this.#receiver.onLostLine(lost);
  }

  #close(): void {
    this.#kept.take();
    this.#length = 0;
    this.#skipped = undefined;
  }
}

/** Scans a piece. Returns false when the text cannot be JSON. */
function canPush(scanner: JsonScanner, piece: Buffer, from: number, to: number): boolean {
  try {
    scanner.push(piece, from, to);
    return true;
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}
