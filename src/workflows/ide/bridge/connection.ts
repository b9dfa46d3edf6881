import { WebSocket } from 'ws';

/** The largest message, in bytes; a larger one ends the connection. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const HANDSHAKE_MS = 10_000;
/** A backend that reads nothing does not make the gateway keep more than this. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;

export interface ConnectionOptions {
  readonly url: string;
  readonly token: string | undefined;
  /** Time between two signs of life that are asked for, in milliseconds. */
  readonly pingMs: number;
}

export interface ConnectionEvents {
  onOpen(): void;
  /** `undefined` stands for a binary message. Nothing more is read until a promise that it returns is resolved. */
  onText(text: string | undefined): Promise<void> | undefined;
  /** The connection has ended, or was never made. Called once. */
  onEnd(reason: string): void;
}

/** One connection to the IDE backend, from the attempt to its end. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #events: ConnectionEvents;
  readonly #checks: NodeJS.Timeout;
  #silentFor = 0;
  #reason: string | undefined;

  /** Begins to connect. Redirects are not followed: they would take the token elsewhere. */
  constructor({ url, token, pingMs }: ConnectionOptions, events: ConnectionEvents) {
    this.#events = events;
    this.#socket = new WebSocket(url, {
      headers: { 'user-agent': 'viaduct', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
      // One message in a turn of the event loop: a backend that floods does not block others.
      allowSynchronousEvents: false,
    });
    this.#checks = setInterval(() => this.#check(), pingMs).unref();
    this.#listen();
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Returns false if too much waits to be sent already. A message that was taken may still be lost with the connection. */
  send(text: string): boolean {
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) return false;
    this.#socket.send(text, () => undefined);
    return true;
  }

  /** Ends it at once. */
  end(): void {
    this.#reason ??= 'the gateway ended the connection';
    this.#socket.terminate();
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('open', () => this.#events.onOpen());
    socket.on('message', (data: Buffer, isBinary) => this.#onMessage(isBinary ? undefined : data.toString('utf8')));
    socket.on('ping', () => this.#onHeard());
    socket.on('pong', () => this.#onHeard());
    socket.on('error', ({ message }) => {
      this.#reason ??= message;
    });
    socket.on('close', (code) => {
      clearInterval(this.#checks);
      this.#events.onEnd(this.#reason ?? `the backend closed the connection (code ${code})`);
    });
  }

  #onHeard(): void {
    this.#silentFor = 0;
  }

  #onMessage(text: string | undefined): void {
    this.#onHeard();
    const room = this.#events.onText(text);
    if (room === undefined || this.#socket.isPaused) return;
    this.#socket.pause();
    void room.then(() => this.#socket.resume());
  }

  /** Asks for a sign of life. A backend that gave none since the last time but one is gone. */
  #check(): void {
    if (!this.isOpen || this.#socket.isPaused) return;
    if (++this.#silentFor < 2) {
      this.#socket.ping(() => undefined);
      return;
    }
    this.#reason ??= 'the backend gave no sign of life';
    this.#socket.terminate();
  }
}
