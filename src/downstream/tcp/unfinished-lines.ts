import type { Socket } from 'node:net';

/** The limit for all messages that are being received, in bytes. A single message may always reach its own limit. */
const MAX_BYTES_TOGETHER = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

interface Line {
  bytes: number;
  /** The number of its bytes that are kept. */
  kept: number;
  /** The time of its first byte, in milliseconds by `performance.now()`. */
  since: number;
}

/** Watches the lines that connections have begun and not ended: how large they are together, and how long they take. */
export class UnfinishedLines {
  readonly #maxLineBytes: () => number;
  readonly #lines = new Map<Socket, Line>();
  #held = 0;

  /** `maxLineBytes` is asked for at each chunk: the config may change. No more than that is kept of a line. */
  constructor(maxLineBytes: () => number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /**
   * Watches a connection until it is closed. `onTooMuch` is called once if there is no room for what it has begun: from then on,
   * nothing of it may be kept.
   */
  watch(socket: Socket, onTooMuch: () => void): void {
    const line: Line = { bytes: 0, kept: 0, since: 0 };
    const forget = () => {
      this.#lines.delete(socket);
      this.#resize(line, 0);
    };
    this.#lines.set(socket, line);
    socket.on('data', (chunk: Buffer) => {
      if (!this.#lines.has(socket) || this.#onChunk(line, chunk)) return;
      forget();
      onTooMuch();
    });
    socket.once('close', forget);
  }

  /** Returns the connections whose line takes longer than `ms`. The time in which the gateway does not read one does not count. */
  overdue(now: number, ms: number): readonly Socket[] {
    for (const [socket, line] of this.#lines) if (socket.isPaused()) line.since = now;
    const late = [...this.#lines].filter(([, { bytes, since }]) => bytes > 0 && now - since > ms);
    return late.map(([socket]) => socket);
  }

  /** Returns false if there is no room for it. */
  #onChunk(line: Line, chunk: Buffer): boolean {
    const newline = chunk.lastIndexOf(NEWLINE);
    if (newline !== -1 || line.bytes === 0) line.since = performance.now();
    this.#resize(line, newline === -1 ? line.bytes + chunk.length : chunk.length - newline - 1);
    return this.#held <= MAX_BYTES_TOGETHER || this.#held === line.kept;
  }

  #resize(line: Line, bytes: number): void {
    const kept = Math.min(bytes, this.#maxLineBytes());
    this.#held += kept - line.kept;
    line.bytes = bytes;
    line.kept = kept;
  }
}
