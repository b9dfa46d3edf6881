import { Frame } from '../frame.ts';
import { JsonTextError } from '../json-error.ts';
import { elementsOf, membersOf } from '../lens.ts';
import { PieceList } from '../output/piece-list.ts';
import type { Member } from '../scanning/outline.ts';
import { JsonScanner } from '../scanning/scanner.ts';
import type { FrameReceiver, LostLine } from './frame-receiver.ts';
import { Demand, Remains } from './remains.ts';

/** The clock is looked at after so many lines. */
const LINES_PER_LOOK = 16;

const NEWLINE = 0x0a;
const NEWLINE_PIECE = Buffer.from('\n');
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The state after a part of a line: the text goes on, is over, or does not include this line. */
type Verdict = 'open' | 'over' | 'refused';

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === NEWLINE || byte === 0x0d;

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
  readonly #scanner = JsonScanner.forPeer();
  #isOpen = false;
  /** The kept part of the text: its whole lines, and the line that is being read. */
  readonly #lines = new PieceList();
  readonly #line = new PieceList();
  #length = 0;
  /** The reason why the text is not kept, and the report of it. */
  #skipped: { readonly reason: LostLine['reason']; readonly remains: Remains } | undefined;
  /** The line of a skipped text that is being read. */
  #isLineBegun = false;
  #isLastLine = false;

  /** A text may have `maxBytes`. The rest of a longer one is skipped without being stored. */
  constructor(receiver: FrameReceiver, maxBytes: () => number) {
    this.#receiver = receiver;
    this.#maxBytes = maxBytes;
    this.#demand = new Demand(receiver);
  }

  /** A text has begun and is not over. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins a text with a line that is not JSON, without its newline. Returns whether the text may go on behind it. */
  begin(line: PieceList): boolean {
    this.#scanner.reset();
    const text = line.joined();
    if (!this.#scan(text, 0, text.length) || !this.#scan(NEWLINE_PIECE, 0, 1)) return false;
    this.#isOpen = true;
    this.#lines.add(text);
    this.#lines.add(NEWLINE_PIECE);
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
      const verdict = this.#skipped === undefined ? this.#read(chunk, at, to) : this.#skip(chunk, at, to);
      if (verdict === 'refused') {
        this.#keep(chunk.subarray(from, at));
        this.#lose(false);
        return at;
      }
      at = to;
      if (verdict === 'over') {
        this.#keep(chunk.subarray(from, to));
        this.#finish();
        return to;
      }
      if (lines % LINES_PER_LOOK === 0 && performance.now() >= deadline) break;
    }
    if (chunk[at - 1] === NEWLINE) lineStart = at;
    if (lineStart > from) this.#keep(chunk.subarray(from, lineStart));
    if (lineStart < at) this.#keepOfLine(chunk.subarray(lineStart, at));
    this.#limit();
    return at;
  }

  /** Gives, once, the parts of a line that came with earlier chunks and that the text, which is over, has refused. */
  refused(): readonly Buffer[] {
    return this.#line.take();
  }

  /** Ends an open text. It is lost if it is unfinished; where its last line is a message, that line is refused. */
  end(isCutOff: boolean): void {
    if (!this.#isOpen) return;
    if (this.#skipped === undefined && this.#scanner.isDone) {
      this.#endLine();
      this.#finish();
      return;
    }
    const line = this.#line.joined();
    const isRefused = isMessage(line, 0, line.length);
    if (!isRefused) this.#endLine();
    this.#lose(isCutOff && !isRefused);
  }

  #scan(piece: Buffer, from: number, to: number): boolean {
    try {
      this.#scanner.push(piece, from, to);
      return true;
    } catch (error) {
      if (error instanceof JsonTextError) return false;
      throw error;
    }
  }

  #read(chunk: Buffer, from: number, to: number): Verdict {
    if (!this.#scan(chunk, from, to)) return 'refused';
    this.#length += to - from;
    if (chunk[to - 1] !== NEWLINE) return 'open';
    if (!this.#scanner.isDone && this.#isMessage(chunk, from, to)) return 'refused';
    this.#endLine();
    return this.#scanner.isDone ? 'over' : 'open';
  }

  /** Indented lines belong to a text that is not kept, and so does the bracket that closes it. */
  #skip(chunk: Buffer, from: number, to: number): Verdict {
    const first = chunk[from]!;
    if (!this.#isLineBegun) {
      this.#isLastLine = first === CLOSE_BRACE || first === CLOSE_BRACKET;
      if (!isBlank(first) && !this.#isLastLine) return 'refused';
    }
    this.#isLineBegun = chunk[to - 1] !== NEWLINE;
    return this.#isLastLine && !this.#isLineBegun ? 'over' : 'open';
  }

  #isMessage(chunk: Buffer, from: number, to: number): boolean {
    if (this.#line.length === 0) return isMessage(chunk, from, to);
    const line = Buffer.concat([this.#line.joined(), chunk.subarray(from, to)]);
    return isMessage(line, 0, line.length);
  }

  #keep(piece: Buffer): void {
    if (this.#skipped === undefined) this.#lines.add(piece);
    else this.#skipped.remains.add(piece);
  }

  #keepOfLine(piece: Buffer): void {
    if (this.#skipped === undefined) this.#line.add(piece);
    else this.#skipped.remains.add(piece);
  }

  /** The line that was being read belongs to the text. */
  #endLine(): void {
    for (const piece of this.#line.take()) this.#lines.add(piece);
  }

  #limit(): void {
    if (this.#skipped !== undefined) return;
    if (this.#length > this.#maxBytes()) this.#skipRest('too-large');
    else if (!this.#demand.goesOn(this.#lines, this.#length)) this.#skipRest('unwanted');
  }

  #skipRest(reason: LostLine['reason']): void {
    this.#isLineBegun = this.#line.length > 0;
    this.#isLastLine = false;
    this.#endLine();
    this.#skipped = { reason, remains: this.#remains() };
  }

  #remains(): Remains {
    const remains = new Remains();
    for (const piece of this.#lines.take()) remains.add(piece);
    return remains;
  }

  #finish(): void {
    if (this.#skipped === undefined && this.#length > this.#maxBytes()) this.#skipRest('too-large');
    if (this.#skipped !== undefined) {
      this.#lose(false);
      return;
    }
    const pieces = this.#lines.take();
    this.#close();
    this.#receiver.onFrame(new Frame(pieces, this.#scanner.finish()));
  }

  #lose(isCutOff: boolean): void {
    const { reason, remains } = this.#skipped ?? { reason: 'not-json', remains: this.#remains() };
    this.#close();
    this.#receiver.onLostLine(remains.lostLine(reason, isCutOff));
  }

  #close(): void {
    this.#isOpen = false;
    this.#lines.take();
    this.#length = 0;
    this.#skipped = undefined;
  }
}

/** Returns true if a line by itself is taken for a message or a batch. */
function isMessage(text: Buffer, from: number, to: number): boolean {
  let [start, end] = [from, to];
  while (start < end && isBlank(text[start]!)) start++;
  while (start < end && isBlank(text[end - 1]!)) end--;
  const [first, last] = [text[start], text[end - 1]];
  if (end - start < 2) return false;
  try {
    if (first === OPEN_BRACE && last === CLOSE_BRACE)
      return isEnvelope(membersOf(text, { start, end }), start === from);
    if (first !== OPEN_BRACKET || last !== CLOSE_BRACKET) return false;
    const element = elementsOf(text, { start, end }, 1)[0];
    return element !== undefined && text[element.start] === OPEN_BRACE && isEnvelope(membersOf(text, element), false);
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}

/** An answer without "jsonrpc" is taken too, but an indented one is more likely a part of the text around it. */
function isEnvelope(members: readonly Member[], isAtMargin: boolean): boolean {
  const has = (name: string) => members.some(({ key }) => key === name);
  return has('jsonrpc') || (isAtMargin && has('id') && (has('result') || has('error')));
}
