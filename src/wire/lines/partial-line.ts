import { Frame } from '../frame.ts';
import { JsonTextError } from '../json-error.ts';
import { PieceList } from '../output/piece-list.ts';
import type { Outline } from '../scanning/outline.ts';
import type { JsonScanner } from '../scanning/scanner.ts';
import type { FrameReceiver, LostLine } from './frame-receiver.ts';
import { Demand, Remains } from './remains.ts';

/**
 * A line that comes in several pieces. It is scanned while it arrives; of a line that cannot become a frame, only head and
 * tail are kept.
 */
export class PartialLine {
  readonly #receiver: FrameReceiver;
  readonly #maxBytes: () => number;
  readonly #scanner: JsonScanner;
  readonly #demand: Demand;
  readonly #pieces = new PieceList();
  #length = 0;
  #state: 'scanning' | LostLine['reason'] = 'scanning';
  /** The syntax error of the line, if it is not JSON. */
  #problem: string | undefined;
  #remains = new Remains();

  /** `scanner` may be used for other texts while this line is empty. */
  constructor(receiver: FrameReceiver, maxBytes: () => number, scanner: JsonScanner) {
    this.#receiver = receiver;
    this.#maxBytes = maxBytes;
    this.#scanner = scanner;
    this.#demand = new Demand(receiver);
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** True while the line is the beginning of a JSON text with an open container. */
  get isInside(): boolean {
    return this.#state === 'scanning' && this.#scanner.isInside;
  }

  /** The pieces of a line that is not lost. */
  get pieces(): PieceList {
    return this.#pieces;
  }

  append(piece: Buffer): void {
    if (this.#length === 0) this.#scanner.reset();
    this.#length += piece.length;
    if (this.#state === 'scanning' && this.#length > this.#maxBytes()) this.#lose('too-large');
    if (this.#state === 'not-json' && this.#length > this.#maxBytes()) this.#state = 'too-large';
    if (this.#state === 'scanning') this.#scan(piece);
    if (this.#state !== 'scanning') this.#remains.add(piece);
    else if (!this.#demand.goesOn(this.#pieces, this.#length)) this.#lose('unwanted');
  }

  /** Reports the line, unless it is blank, and forgets it. `isCutOff`: the stream ended before the line did. */
  end(isCutOff: boolean): void {
    const isBlank = this.#state === 'scanning' && this.#scanner.isBlank;
    const outline = this.#state === 'scanning' ? this.#finishScan() : undefined;
    const pieces = this.#pieces.take();
    // A line whose end could not be scanned is no JSON either.
    const reason = this.#state === 'scanning' ? 'not-json' : this.#state;
    const remains = this.#remains;
    const problem = this.#problem;
    this.clear();
    if (outline !== undefined) this.#receiver.onFrame(new Frame(pieces, outline));
    else if (!isBlank) this.#receiver.onLostLine(remains.lostLine(reason, isCutOff, problem));
  }

  /** Forgets the line: the next piece begins another one. */
  clear(): void {
    this.#pieces.take();
    this.#length = 0;
    this.#state = 'scanning';
    this.#problem = undefined;
    this.#demand.reset();
    this.#remains = new Remains();
  }

  #scan(piece: Buffer): void {
    try {
      this.#scanner.push(piece);
      this.#pieces.add(piece);
    } catch (error) {
      this.#loseFor(error);
    }
  }

  #finishScan(): Outline | undefined {
    try {
      return this.#scanner.finish();
    } catch (error) {
      this.#loseFor(error);
      return undefined;
    }
  }

  #loseFor(error: unknown): void {
    if (!(error instanceof JsonTextError)) throw error;
    this.#problem = error.message;
    this.#lose('not-json');
  }

  /** Marks the line as lost: from now on it is only measured, and of what has arrived, head and tail are kept. */
  #lose(reason: LostLine['reason']): void {
    this.#state = reason;
    for (const piece of this.#pieces.take()) this.#remains.add(piece);
  }
}
