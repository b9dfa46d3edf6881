import type { ServerResponse } from 'node:http';
import type { Bytes } from '../../../wire/bytes.ts';
import { escapeLineSeparators } from '../../../wire/lines/line-separators.ts';
import { asOneLine } from '../../../wire/lines/one-line.ts';
import type { Backlog } from './backlog.ts';
import { EventTail } from './event-tail.ts';
import type { Keeper } from './kept-events.ts';
import { StreamConnections } from './stream-connections.ts';

/** The time after which a client whose connection broke should reconnect, in milliseconds. */
const RETRY_MS = 1000;

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A comment, so that no proxy in between gives up on a silent connection. */
export const SIGN_OF_LIFE = ': still working\n\n';

/**
 * One stream of server-sent events. It outlives its connections: while no client is attached, events are kept, within
 * bounds, and a client that returns gets what came after the last event it saw (2025-11-25, "Resumability and Redelivery").
 */
export class EventStream implements Keeper {
  readonly id: string;
  readonly #backlog: Backlog;
  readonly #tail: EventTail;
  readonly #connections: StreamConnections;

  constructor(id: string, backlog: Backlog) {
    this.id = id;
    this.#backlog = backlog;
    this.#tail = new EventTail(id);
    this.#connections = new StreamConnections(backlog, () => this.#writeTail());
  }

  get isFinished(): boolean {
    return this.#connections.isFinished;
  }

  get isAttached(): boolean {
    return this.#connections.isOpen;
  }

  get keptBytes(): number {
    return this.#tail.bytes;
  }

  /** Continues on this connection; an older one is closed. Events after `lastSeen` are sent again. */
  attach(response: ServerResponse, headers: Readonly<Record<string, string>>, lastSeen?: number): void {
    this.#connections.replace(response);
    this.#begin(response, headers, lastSeen);
  }

  /**
   * Continues on this connection, and keeps older ones open: a client may have several, and each message goes to one of them
   * (2025-11-25, "Multiple Connections"). When this one ends, the newest of the others takes its place.
   */
  attachBeside(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    this.#connections.add(response);
    this.#begin(response, headers);
  }

  /** Sends an event without data, so that the client knows an id to come back with, and when (2025-11-25). */
  prime(): void {
    this.#emit(`id: ${this.#tail.nextId}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  /** Sends a message, unless the reader is far behind. */
  sendIfRoom(message: Bytes): void {
    if (!this.#connections.isCrowded) this.send(message);
  }

  send(message: Bytes): void {
    this.#emit(eventText(message, this.#tail.nextId));
  }

  /** Gives a sign of life: nothing has been sent for long. */
  keepAlive(): void {
    this.#connections.writeToAll(SIGN_OF_LIFE);
  }

  /** Closes the stream: the last message has been sent. */
  finish(): void {
    this.#connections.finish();
  }

  /** Drops the events that are kept: no client can go on from here any more. */
  forget(): void {
    this.#tail.forget();
    this.#backlog.kept.remove(this);
  }

  /**
   * Returns what a client finds that has seen the event with this number. `lost`: the events after it are not kept. `over`: it was
   * the last one of all.
   */
  findAfter(sequence: number): 'more' | 'lost' | 'over' {
    if (!this.#tail.reaches(sequence)) return 'lost';
    return this.isFinished && this.#tail.isNewest(sequence) ? 'over' : 'more';
  }

  #begin(response: ServerResponse, headers: Readonly<Record<string, string>>, lastSeen?: number): void {
    response.writeHead(200, { ...EVENT_STREAM_HEADERS, ...headers });
    response.flushHeaders();
    this.#writeTail(lastSeen);
    if (this.isFinished) this.#connections.finish();
  }

  #writeTail(lastSeen?: number): void {
    for (const text of this.#tail.take(lastSeen)) this.#connections.write(text);
  }

  #emit(text: Bytes): void {
    this.#tail.add(text, this.#connections.isOpen);
    this.#backlog.kept.onKept(this);
    this.#connections.write(text);
  }
}

/** Returns a message as an event. Its data is one line to every client: see `escapeLineSeparators`. */
export function eventText(message: Bytes, id?: string): Bytes {
  const head = `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: `;
  const data = escapeLineSeparators(asOneLine(message));
  if (typeof data === 'string') return `${head}${data}\n\n`;
  return [Buffer.from(head), ...data, Buffer.from('\n\n')];
}
