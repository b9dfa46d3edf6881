import type { Frame } from '../../../wire/frame.ts';
import type { FrameReceiver, LostLine } from '../../../wire/lines/frame-receiver.ts';
import { NewlineFramer } from '../../../wire/lines/newline-framer.ts';

/** The position up to which an event stream has been read: what is needed to resume it on another connection. */
export interface StreamPosition {
  /** Bytes, one character each; `undefined` as long as no event had an id. */
  lastEventId: string | undefined;
  /** The time to wait before reconnecting, in milliseconds, if the server gave one. */
  retryMs: number | undefined;
}

/** Receives the contents of an event stream. */
export interface EventReceiver extends FrameReceiver {
  /** An event of another type than `message`, whose data is no JSON; `data` is its beginning. */
  onNamedEvent?(type: string, data: Buffer): void;
}

/** Names of fields and values other than data are short; longer ones mean nothing here. */
const LONGEST_NAME = 16;
const LONGEST_VALUE = 4_096;

/** An id goes back in a header, which may have no more than this. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;

/** The number of lines between two looks at the clock. */
const LINES_PER_LOOK = 16;
/** The bytes of a byte order mark, one character each. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** White space between tokens, an error inside a string, and no end of a line to the framer behind. */
const JOINT = Buffer.from('\r');
const END_OF_DATA = Buffer.from('\n');

/**
 * Cuts a stream of server-sent events (HTML, "Server-sent events") into frames. The data of an event is scanned while it
 * arrives and handed on as it is; of several data lines one JSON text is made. Events without data, comments, and events
 * of another type than `message` are no frames, but their ids count.
 */
export class EventFramer {
  readonly #data: NewlineFramer;
  readonly #position: StreamPosition;
  /** The name of the line's field; `undefined` until its colon has come. */
  #field: string | undefined;
  #name = '';
  #value = '';
  /** The next byte is the first one behind the colon. */
  #isAtValue = false;
  #isLineEmpty = true;
  #isFirstLine = true;
  #afterReturn = false;
  /** The number of data lines of the event that is being read. */
  #dataLines = 0;
  #type = '';
  #id: string | undefined;

  constructor(receiver: EventReceiver, maxBytes: number, position: StreamPosition) {
    const isMessage = () => this.#type === '' || this.#type === 'message';
    const guarded: FrameReceiver = {
      onFrame: (frame: Frame) => {
        if (isMessage()) receiver.onFrame(frame);
      },
      onLostLine: (line: LostLine) => {
        if (isMessage()) receiver.onLostLine(line);
        else receiver.onNamedEvent?.(this.#type, line.head);
      },
      isWanted: (head) => receiver.isWanted?.(head) ?? true,
    };
    this.#data = new NewlineFramer(guarded, maxBytes);
    this.#position = position;
  }

  /**
   * Takes the next bytes of the stream. Once `deadline` has passed it may stop after a line; returns the offset it has
   * come to.
   */
  push(chunk: Buffer, deadline = Number.POSITIVE_INFINITY): number {
    let at = 0;
    let feed = -1;
    let carriageReturn = -1;
    for (let lines = 1; at < chunk.length; lines++) {
      if (this.#afterReturn && chunk[at] === LINE_FEED) at++;
      this.#afterReturn = false;
      // Each is searched for once: a chunk may have very many lines.
      if (feed < at) feed = orEnd(chunk.indexOf(LINE_FEED, at), chunk);
      if (carriageReturn < at) carriageReturn = orEnd(chunk.indexOf(CARRIAGE_RETURN, at), chunk);
      const end = Math.min(feed, carriageReturn);
      if (end > at) this.#take(chunk, at, end);
      if (end === chunk.length) return end;
      this.#endLine();
      this.#afterReturn = chunk[end] === CARRIAGE_RETURN;
      at = end + 1;
      if (lines % LINES_PER_LOOK === 0 && performance.now() >= deadline) return at;
    }
    return chunk.length;
  }

  /**
   * The stream has ended. An event without the blank line behind it counts only if it cannot be sent again, because it
   * has no id.
   */
  end(): void {
    if (!this.#isLineEmpty) this.#endLine();
    if (this.#id === undefined) this.#data.end();
  }

  #take(chunk: Buffer, from: number, to: number): void {
    this.#isLineEmpty = false;
    let at = this.#field === undefined ? this.#takeName(chunk, from, to) : from;
    if (at === to || this.#field === undefined) return;
    if (this.#isAtValue) {
      this.#isAtValue = false;
      if (chunk[at] === SPACE) at++;
    }
    if (at === to) return;
    if (this.#field === 'data') this.#data.push(chunk.subarray(at, to));
    else if (this.#field !== '' && this.#value.length <= LONGEST_VALUE) {
      this.#value += chunk.latin1Slice(at, Math.min(to, at + LONGEST_VALUE + 1));
    }
  }

  /** Gives where the value begins, or the end where the colon has not come. */
  #takeName(chunk: Buffer, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      if (chunk[at] === COLON) {
        this.#beginValue();
        return at + 1;
      }
      this.#name += String.fromCharCode(chunk[at]!);
      if (this.#name.length > LONGEST_NAME) {
        this.#field = '';
        return to;
      }
    }
    return to;
  }

  #beginValue(): void {
    const isMarked = this.#isFirstLine && this.#name.startsWith(BYTE_ORDER_MARK);
    this.#field = isMarked ? this.#name.slice(BYTE_ORDER_MARK.length) : this.#name;
    this.#isAtValue = true;
    if (this.#field === 'data' && this.#dataLines++ > 0) this.#data.push(JOINT);
  }

  #endLine(): void {
    // A line without a colon is a field without a value.
    if (this.#field === undefined && this.#name !== '') this.#beginValue();
    if (this.#isLineEmpty) this.#dispatch();
    else this.#keep(this.#field ?? '', this.#value.length > LONGEST_VALUE ? undefined : this.#value);
    this.#field = undefined;
    this.#name = this.#value = '';
    this.#isAtValue = false;
    this.#isLineEmpty = true;
    this.#isFirstLine = false;
  }

  #keep(field: string, value: string | undefined): void {
    if (value === undefined) return;
    if (field === 'event') this.#type = value;
    else if (field === 'id' && SENDABLE.test(value)) this.#id = value;
    else if (field === 'retry' && /^[0-9]{1,9}$/.test(value)) this.#position.retryMs = Number(value);
  }

  #dispatch(): void {
    // The receiver of the data may read the position.
    if (this.#id !== undefined) this.#position.lastEventId = this.#id === '' ? undefined : this.#id;
    if (this.#dataLines > 0) this.#data.push(END_OF_DATA);
    this.#dataLines = 0;
    this.#type = '';
    this.#id = undefined;
  }
}

const orEnd = (index: number, chunk: Buffer): number => (index === -1 ? chunk.length : index);
