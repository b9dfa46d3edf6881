import type { ServerResponse } from 'node:http';
import type { Log } from '../../telemetry/log.ts';
import { type Bytes, byteLength, toBuffer } from '../../wire/bytes.ts';

/** A reader that leaves so much unread gets nothing that it can do without. */
const CROWDED_BYTES = 4 * 1024 * 1024;
/** Beyond this it gets no more on this connection; where its stream can be resumed, it may come back. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** All clients together may leave so much unread; a single answer may always be as large as it is. */
const MAX_BYTES = 128 * 1024 * 1024;
/** What lies on the way of any answer is not looked at. */
const NOTABLE_BYTES = 1024 * 1024;

/**
 * Writes to clients, and keeps what they have not read yet within bounds: beyond them, whoever has left most unread loses
 * the connection.
 */
export class Backlog {
  readonly #log: Log;
  readonly #unread = new Set<ServerResponse>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** One more part of an answer, unless its reader has left too much unread: that one loses the connection. */
  write(response: ServerResponse, bytes: Bytes): void {
    if (response.writableLength > 0 && response.writableLength + byteLength(bytes) > MAX_UNREAD_BYTES) {
      response.destroy();
      return;
    }
    writeBytes(response, bytes);
    this.#onWritten(response);
  }

  /** A whole answer, which may be as large as it is. */
  endWithJson(
    response: ServerResponse,
    bytes: Bytes,
    status: number,
    headers?: Readonly<Record<string, string>>,
  ): void {
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': byteLength(bytes),
      ...headers,
    });
    endWith(response, bytes);
    this.#onWritten(response);
  }

  #onWritten(response: ServerResponse): void {
    if (response.writableLength < NOTABLE_BYTES) return;
    if (!this.#unread.has(response)) {
      this.#unread.add(response);
      response.once('close', () => this.#unread.delete(response));
    }
    this.#shed();
  }

  #shed(): void {
    if (this.#unread.size < 2) return;
    let bytes = 0;
    let most: ServerResponse | undefined;
    for (const response of this.#unread) {
      bytes += response.writableLength;
      if (most === undefined || response.writableLength > most.writableLength) most = response;
    }
    if (bytes <= MAX_BYTES || most === undefined) return;
    this.#log.warn(
      { event: 'slow-client', queued: most.writableLength },
      'a client does not read; it was disconnected',
    );
    this.#unread.delete(most);
    most.destroy();
  }
}

/** Whether its reader is far behind. */
export function isCrowded(response: ServerResponse): boolean {
  return response.writableLength > CROWDED_BYTES;
}

/** Writes without copying what is large. */
function writeBytes(response: ServerResponse, bytes: Bytes): void {
  if (typeof bytes === 'string') {
    response.write(bytes, 'latin1');
    return;
  }
  response.cork();
  for (const piece of bytes) response.write(piece);
  response.uncork();
}

/** The whole body at once: small texts leave in one write with the head. */
function endWith(response: ServerResponse, bytes: Bytes): void {
  if (typeof bytes === 'string') response.end(bytes, 'latin1');
  else if (bytes.length === 1) response.end(toBuffer(bytes));
  else {
    response.cork();
    for (const piece of bytes) response.write(piece);
    response.end();
    response.uncork();
  }
}
