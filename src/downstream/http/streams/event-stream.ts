import type { ServerResponse } from 'node:http';
import { type Bytes, byteLength } from '../../../wire/bytes.ts';
import { escapeLineSeparators } from '../../../wire/lines/line-separators.ts';
import { asOneLine } from '../../../wire/lines/one-line.ts';
import type { Backlog } from './backlog.ts';
import type { Keeper } from './kept-events.ts';

/** Events that are kept for a client that comes back with `Last-Event-ID`. */
const KEPT_EVENTS = 256;
const KEPT_BYTES = 4 * 1024 * 1024;
/** Connections that a client may keep open besides the one on which it is told something. */
const MAX_SPARE = 3;
/** After so long a client whose connection broke should come back. */
const RETRY_MS = 1000;

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A comment: nobody on the way gives up on a silent connection. */
export const SIGN_OF_LIFE = ': still working\n\n';

interface KeptEvent {
  readonly sequence: number;
  readonly text: Bytes;
  readonly size: number;
}

/**
 * One stream of server-sent events. It outlives its connections: while nobody is attached events are kept, within
 * bounds, and a client that returns gets what came after the last event it saw (2025-11-25, "Resumability and Redelivery").
 */
export class EventStream implements Keeper {
  readonly id: string;
  readonly #backlog: Backlog;
  #sequence = 0;
  #kept: KeptEvent[] = [];
  #keptBytes = 0;
  #response: ServerResponse | undefined;
  /** Open connections on which nothing is told now, the newest last. */
  #spare: ServerResponse[] = [];
  #finished = false;
  /** Events before this one were written to no connection. */
  #unwrittenFrom = 1;

  constructor(id: string, backlog: Backlog) {
    this.id = id;
    this.#backlog = backlog;
  }

  get isFinished(): boolean {
    return this.#finished;
  }

  get isAttached(): boolean {
    return this.#response !== undefined;
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Continues on this connection; an older one is closed. Events after `lastSeen` are sent again. */
  attach(response: ServerResponse, headers: Readonly<Record<string, string>>, lastSeen?: number): void {
    if (this.#response !== undefined) this.#backlog.end(this.#response);
    this.#begin(response, headers, lastSeen === undefined ? this.#unwrittenFrom : lastSeen + 1);
  }

  /**
   * Continues on this connection, and keeps older ones open: a client may have several, and each message goes to one of them
   * (2025-11-25, "Multiple Connections"). When this one ends, the newest of the others takes its place.
   */
  attachBeside(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    if (this.#response !== undefined) this.#spare.push(this.#response);
    if (this.#spare.length > MAX_SPARE) this.#backlog.end(this.#spare.shift()!);
    this.#begin(response, headers, this.#unwrittenFrom);
  }

  #begin(response: ServerResponse, headers: Readonly<Record<string, string>>, from: number): void {
    this.#response = response;
    response.on('close', () => this.#onClosed(response));
    response.writeHead(200, { ...EVENT_STREAM_HEADERS, ...headers });
    response.flushHeaders();
    this.#writeFrom(from);
    if (this.#finished) this.#close();
  }

  #onClosed(response: ServerResponse): void {
    this.#spare = this.#spare.filter((spare) => spare !== response);
    if (this.#response !== response) return;
    this.#response = this.#spare.pop();
    if (this.#response !== undefined) this.#writeFrom(this.#unwrittenFrom);
  }

  #writeFrom(sequence: number): void {
    for (const event of this.#kept) if (event.sequence >= sequence) this.#write(event.text);
    this.#unwrittenFrom = this.#sequence + 1;
  }

  /** An event without data, so that the client knows an id to come back with, and when (2025-11-25). */
  prime(): void {
    this.#emit(`id: ${this.#nextId()}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  /** Sends a message, unless the reader is far behind. */
  sendIfRoom(message: Bytes): void {
    if (this.#response === undefined || !this.#backlog.isCrowded(this.#response)) this.send(message);
  }

  send(message: Bytes): void {
    this.#emit(eventText(message, this.#nextId()));
  }

  /** Nothing has been sent for long. */
  keepAlive(): void {
    this.#write(SIGN_OF_LIFE);
    for (const response of this.#spare) this.#backlog.write(response, SIGN_OF_LIFE);
  }

  /** The last message has been sent. */
  finish(): void {
    this.#finished = true;
    this.#close();
  }

  /** Drops the events that are kept: no client can go on from here any more. */
  forget(): void {
    this.#kept = [];
    this.#keptBytes = 0;
    this.#backlog.kept.remove(this);
  }

  /** Whether the event with this number, or the one after it, is still there to go on from. */
  canResumeAfter(sequence: number): boolean {
    const oldest = this.#kept[0]?.sequence ?? this.#sequence + 1;
    return sequence <= this.#sequence && sequence + 1 >= oldest;
  }

  /** Whether the event with this number was the last one of all. */
  isOverAfter(sequence: number): boolean {
    return this.#finished && sequence === this.#sequence;
  }

  #nextId(): string {
    return `${this.id}_${this.#sequence + 1}`;
  }

  #emit(text: Bytes): void {
    this.#sequence++;
    this.#keep({ sequence: this.#sequence, text, size: byteLength(text) });
    if (this.#response === undefined) return;
    this.#unwrittenFrom = this.#sequence + 1;
    this.#write(text);
  }

  #keep(event: KeptEvent): void {
    this.#kept.push(event);
    this.#keptBytes += event.size;
    while (this.#kept.length > KEPT_EVENTS || (this.#keptBytes > KEPT_BYTES && this.#kept.length > 1)) {
      this.#keptBytes -= this.#kept.shift()!.size;
    }
    this.#backlog.kept.onKept(this);
  }

  #write(text: Bytes): void {
    if (this.#response !== undefined) this.#backlog.write(this.#response, text);
  }

  #close(): void {
    const open = this.#response === undefined ? this.#spare : [this.#response, ...this.#spare];
    this.#response = undefined;
    this.#spare = [];
    for (const response of open) this.#backlog.end(response);
  }
}

/** A message as an event. Its data is one line to every client: see `escapeLineSeparators`. */
export function eventText(message: Bytes, id?: string): Bytes {
  const head = `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: `;
  const data = escapeLineSeparators(asOneLine(message));
  if (typeof data === 'string') return `${head}${data}\n\n`;
  return [Buffer.from(head), ...data, Buffer.from('\n\n')];
}
