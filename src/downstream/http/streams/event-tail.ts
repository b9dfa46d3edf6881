import { type Bytes, byteLength } from '../../../wire/bytes.ts';

/** The most events that are kept for a client that comes back with `Last-Event-ID`, and the most bytes of several. */
const KEPT_EVENTS = 256;
const KEPT_BYTES = 4 * 1024 * 1024;

interface KeptEvent {
  readonly sequence: number;
  readonly text: Bytes;
  readonly size: number;
}

/** The newest events of one stream, and which of them were written to a connection. */
export class EventTail {
  readonly #stream: string;
  #sequence = 0;
  #kept: KeptEvent[] = [];
  #bytes = 0;
  /** Events before this one were written to some connection. */
  #unwrittenFrom = 1;

  /** @param stream the id of the stream, with which the ids of its events begin */
  constructor(stream: string) {
    this.#stream = stream;
  }

  /** The id of the next event. */
  get nextId(): string {
    return `${this.#stream}_${this.#next}`;
  }

  /** The bytes of the events that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds an event. `isWritten`: there is a connection that gets it now. */
  add(text: Bytes, isWritten: boolean): void {
    const size = byteLength(text);
    this.#kept.push({ sequence: ++this.#sequence, text, size });
    this.#bytes += size;
    while (this.#kept.length > KEPT_EVENTS || (this.#bytes > KEPT_BYTES && this.#kept.length > 1))
      this.#bytes -= this.#kept.shift()!.size;
    if (isWritten) this.#unwrittenFrom = this.#next;
  }

  /** Returns the events for a new connection, which count as written: those after `lastSeen`, else those not written yet. */
  take(lastSeen?: number): readonly Bytes[] {
    const from = lastSeen === undefined ? this.#unwrittenFrom : lastSeen + 1;
    this.#unwrittenFrom = this.#next;
    return this.#kept.filter(({ sequence }) => sequence >= from).map(({ text }) => text);
  }

  /** Returns whether the event with this number, or the one after it, is still there to go on from. */
  reaches(sequence: number): boolean {
    const oldest = this.#kept[0]?.sequence ?? this.#next;
    return sequence <= this.#sequence && sequence + 1 >= oldest;
  }

  /** Returns whether this is the number of the newest event. */
  isNewest(sequence: number): boolean {
    return sequence === this.#sequence;
  }

  /** Drops the events that are kept. */
  forget(): void {
    this.#kept = [];
    this.#bytes = 0;
  }

  get #next(): number {
    return this.#sequence + 1;
  }
}
