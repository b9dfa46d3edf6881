import type { ServerResponse } from 'node:http';
import type { Bytes } from '../../../wire/bytes.ts';
import type { Backlog } from './backlog.ts';

/** Connections that a client may keep open besides the one on which it is told something. */
const MAX_SPARE = 3;

/** The connections of one event stream. Messages go to the newest; when that ends, the one before takes its place. */
export class StreamConnections {
  readonly #backlog: Backlog;
  readonly #onReplaced: () => void;
  #current: ServerResponse | undefined;
  /** Open connections on which nothing is told now, the newest last. */
  #spare: ServerResponse[] = [];
  #isFinished = false;

  /** @param onReplaced is called when an older connection has taken the place of one that has ended */
  constructor(backlog: Backlog, onReplaced: () => void) {
    this.#backlog = backlog;
    this.#onReplaced = onReplaced;
  }

  /** True if nothing more will be written. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** True if there is a connection to write to. */
  get isOpen(): boolean {
    return this.#current !== undefined;
  }

  /** The reader is far behind; not if there is none. */
  get isCrowded(): boolean {
    return this.#current !== undefined && this.#backlog.isCrowded(this.#current);
  }

  /** Goes over to a connection, and ends the one that it takes the place of. */
  replace(response: ServerResponse): void {
    if (this.#current !== undefined) this.#backlog.end(this.#current);
    this.#use(response);
  }

  /** Goes over to a connection, and keeps older ones open: the oldest of many is ended. */
  add(response: ServerResponse): void {
    if (this.#current !== undefined) this.#spare.push(this.#current);
    if (this.#spare.length > MAX_SPARE) this.#backlog.end(this.#spare.shift()!);
    this.#use(response);
  }

  /** Writes to the newest connection, if there is any. */
  write(text: Bytes): void {
    if (this.#current !== undefined) this.#backlog.write(this.#current, text);
  }

  /** Writes to all connections. */
  writeToAll(text: Bytes): void {
    this.write(text);
    for (const response of this.#spare) this.#backlog.write(response, text);
  }

  /** Ends all connections: nothing more will be written, nor on any that still comes. */
  finish(): void {
    this.#isFinished = true;
    const open = this.#current === undefined ? this.#spare : [this.#current, ...this.#spare];
    this.#current = undefined;
    this.#spare = [];
    for (const response of open) this.#backlog.end(response);
  }

  #use(response: ServerResponse): void {
    this.#current = response;
    response.on('close', () => this.#onClosed(response));
  }

  #onClosed(response: ServerResponse): void {
    this.#spare = this.#spare.filter((spare) => spare !== response);
    if (this.#current !== response) return;
    this.#current = this.#spare.pop();
    if (this.#current !== undefined) this.#onReplaced();
  }
}
