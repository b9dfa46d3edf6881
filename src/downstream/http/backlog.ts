import type { ServerResponse } from 'node:http';
import type { Log } from '../../telemetry/log.ts';

/** All clients together may leave so much unread; a single answer may always be as large as it is. */
const MAX_BYTES = 128 * 1024 * 1024;
/** What lies on the way of any answer is not looked at. */
const NOTABLE_BYTES = 1024 * 1024;

/** Keeps what clients have not read yet within bounds: beyond them, whoever has left most unread loses the connection. */
export class Backlog {
  readonly #log: Log;
  readonly #unread = new Set<ServerResponse>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** To be called after something was written to an answer. */
  onWritten(response: ServerResponse): void {
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
