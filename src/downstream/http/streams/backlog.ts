import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Bytes, byteLength, toBuffer } from '../../../wire/bytes.ts';
import { SlicedOutput } from '../../../wire/output/sliced-output.ts';
import type { Reader, UnreadBudget } from '../../unread/unread-budget.ts';
import type { ClientRoute } from '../sessions/client-route.ts';
import { KeptEvents } from './kept-events.ts';

/** The number of unread bytes above which a reader gets only what it cannot do without. */
const CROWDED_BYTES = 4 * 1024 * 1024;
/** Responses with fewer unread bytes are not counted: any response leaves that many for a moment. */
const NOTABLE_BYTES = 64 * 1024;

/** Writes to HTTP clients, and has what they leave unread counted in the budget of the gateway. */
export class Backlog {
  /** Events of all streams that are kept for clients that come back. */
  readonly kept = new KeptEvents();
  readonly #budget: UnreadBudget;
  readonly #readers = new WeakMap<ServerResponse, HttpReader>();
  readonly #owners = new WeakMap<ServerResponse, string>();
  readonly #connections = new WeakMap<Socket, string>();

  constructor(budget: UnreadBudget) {
    this.#budget = budget;
  }

  /** Notes whose memory the answer takes: the principal's, else the session's, else the connection's. */
  attribute(request: IncomingMessage, response: ServerResponse, { principal }: ClientRoute): void {
    const session = request.headers['mcp-session-id'];
    const name = typeof session === 'string' ? `session ${session}` : this.#connectionOf(request.socket);
    this.#owners.set(response, principal.id === '' ? name : `principal ${principal.id}`);
  }

  /** Resolves when there is room for another large answer on this response; `undefined` if there is room now. */
  whenRoom(response: ServerResponse): Promise<void> | undefined {
    return this.#budget.whenRoom(this.#ownerOf(response));
  }

  /** Returns true if the response's reader is far behind. */
  isCrowded(response: ServerResponse): boolean {
    return this.#queuedBytes(response) > CROWDED_BYTES;
  }

  /** One more part of an answer. */
  write(response: ServerResponse, bytes: Bytes): void {
    if (response.destroyed) return;
    const known = this.#readers.get(response);
    if (known === undefined && typeof bytes === 'string' && bytes.length < NOTABLE_BYTES) {
      response.write(bytes, 'latin1');
      // Small parts add up if the client does not read them.
      if (response.writableLength >= NOTABLE_BYTES) this.#budget.onWritten(this.#readerOf(response));
      return;
    }
    const reader = known ?? this.#readerOf(response);
    reader.output.write(bytes);
    if (reader.queuedBytes >= NOTABLE_BYTES) this.#budget.onWritten(reader);
  }

  /** Ends the answer after what was written. */
  end(response: ServerResponse): void {
    const reader = this.#readers.get(response);
    if (reader === undefined) response.end();
    else reader.output.end();
  }

  /** A whole answer, which may be as large as it is. */
  endWithJson(
    response: ServerResponse,
    bytes: Bytes,
    status: number,
    headers?: Readonly<Record<string, string>>,
  ): void {
    const length = byteLength(bytes);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers });
    if (length >= NOTABLE_BYTES) {
      this.write(response, bytes);
      this.end(response);
    } else if (typeof bytes === 'string') response.end(bytes, 'latin1');
    else response.end(toBuffer(bytes));
  }

  #queuedBytes(response: ServerResponse): number {
    return this.#readers.get(response)?.queuedBytes ?? response.writableLength;
  }

  #readerOf(response: ServerResponse): HttpReader {
    const known = this.#readers.get(response);
    if (known !== undefined) return known;
    const reader = new HttpReader(this.#ownerOf(response), response, (taker) => this.#budget.onTaken(taker));
    this.#readers.set(response, reader);
    return reader;
  }

  #ownerOf(response: ServerResponse): string {
    return this.#owners.get(response) ?? 'nobody';
  }

  #connectionOf(socket: Socket): string {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const name = `connection ${randomUUID()}`;
    this.#connections.set(socket, name);
    return name;
  }
}

class HttpReader implements Reader {
  readonly owner: string;
  readonly output: SlicedOutput;
  readonly #response: ServerResponse;

  constructor(owner: string, response: ServerResponse, onTaken: (reader: Reader) => void) {
    this.owner = owner;
    this.#response = response;
    this.output = new SlicedOutput(response, () => onTaken(this));
  }

  get queuedBytes(): number {
    return this.output.queuedBytes;
  }

  get takenBytes(): number {
    return this.output.takenBytes;
  }

  cut(): void {
    this.#response.destroy();
  }
}
