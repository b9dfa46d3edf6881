import type { Duplex } from 'node:stream';

interface LinkEvents {
  readonly onData: (chunk: Buffer) => void;
  /** The gateway takes no more for now, or does again. */
  readonly onCrowded: (isCrowded: boolean) => void;
  /** The connection has ended, once; not after `close`. */
  readonly onLost: (reason: string) => void;
}

/** The connection to one gateway. */
export class GatewayLink {
  readonly #socket: Duplex;
  readonly #events: LinkEvents;
  #isOver = false;
  #problem: string | undefined;

  constructor(socket: Duplex, events: LinkEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('data', (chunk: Buffer) => {
      if (!this.#isOver) events.onData(chunk);
    });
    socket.on('drain', () => {
      if (!this.#isOver) events.onCrowded(false);
    });
    socket.on('error', (error) => {
      this.#problem = `the connection to the gateway broke: ${error.message}`;
    });
    socket.on('end', () => this.#lose());
    socket.on('close', () => this.#lose());
  }

  write(bytes: Buffer | string): void {
    if (!this.#socket.write(bytes)) this.#events.onCrowded(true);
  }

  /** The client has nothing more to say; answers still come. */
  end(): void {
    this.#socket.end();
  }

  /** Writes all that `write` is called with in `operation` at once. */
  together(operation: () => void): void {
    this.#socket.cork();
    operation();
    this.#socket.uncork();
  }

  hold(): void {
    this.#socket.pause();
  }

  release(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  /** Ends the connection as if the gateway had done so. */
  fail(reason: string): void {
    this.#problem ??= reason;
    this.#lose();
  }

  #lose(): void {
    if (this.#isOver) return;
    this.close();
    this.#events.onLost(this.#problem ?? 'the gateway has closed the connection');
  }
}
