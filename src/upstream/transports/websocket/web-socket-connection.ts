import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { discard } from '../http/discard.ts';
import { failureOf, statusOf } from '../http/response.ts';
import { faultReason, viaProxy } from '../network/network-fault.ts';
import type { Authorization, ClosedBecause } from '../transport.ts';

/** The name of MCP as a subprotocol of WebSocket. */
export const SUBPROTOCOL = 'mcp';
/** The time that a peer has to close its side after we close ours, in milliseconds. */
const GOODBYE_MS = 500;
/** Proxies on the way end connections on which nothing happens, many of them after a minute. */
const PING_MS = 30_000;

export interface WebSocketConnectionOptions {
  /** Begins to connect. */
  open(): WebSocket;
  /** The proxy between, as people may see it. */
  readonly proxy: string | undefined;
  readonly authorization: Pick<Authorization, 'onRefused'> | undefined;
  /** The connection is made. */
  onOpen(): void;
}

/** A connection by WebSocket. One that is refused is opened again if there is another token since. */
export class WebSocketConnection {
  /** The messages of the peer; it ends with the connection. */
  readonly messages: Readable;
  readonly #options: WebSocketConnectionOptions;
  #socket: WebSocket;
  #wasOpen = false;
  #isOver = false;
  #pinging: NodeJS.Timeout | undefined;
  /** The reason for the first failure. */
  #reason: string | undefined;
  /** True if it failed because the server does not let us in. */
  #isUnauthorized = false;

  constructor(options: WebSocketConnectionOptions) {
    this.#options = options;
    this.messages = this.#queue();
    this.#socket = this.#connect();
  }

  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** The reason why it ended. */
  get reason(): string {
    return this.#reason ?? 'it closed the connection';
  }

  get closedBecause(): ClosedBecause | undefined {
    return this.#isUnauthorized ? 'unauthorized' : undefined;
  }

  /** Bytes that the peer has not taken yet. */
  get queuedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: Buffer): void {
    this.#socket.send(message, { binary: false });
  }

  /** Says goodbye, and ends the connection. */
  async leave(): Promise<void> {
    this.#isOver = true;
    if (this.#wasOpen && this.#socket.readyState !== WebSocket.CLOSED) {
      const isGone = new Promise((resolve) => this.#socket.once('close', resolve));
      this.#socket.close(1000);
      await Promise.race([isGone, delay(GOODBYE_MS, undefined, { ref: false })]);
    }
    this.#socket.terminate();
  }

  /** `isRepeated`: an earlier try was refused, and we have another token since. */
  #connect(isRepeated = false): WebSocket {
    const socket = this.#options.open();
    socket.on('open', () => this.#onOpen());
    socket.on('upgrade', ({ headers }) => {
      // A server that says nothing of the subprotocol may well speak it: the handshake of MCP will tell.
      headers['sec-websocket-protocol'] ??= SUBPROTOCOL;
    });
    socket.on('unexpected-response', (request, response) => {
      this.#onRefused(request, response, isRepeated).then(
        () => socket.terminate(),
        (error: Error) => {
          this.#reason ??= error.message;
          socket.terminate();
        },
      );
    });
    // Events of a refused socket that was replaced are ignored.
    const isReplaced = () => socket !== this.#socket;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!isReplaced()) this.#reason ??= this.#faultReason(error);
    });
    socket.on('message', (data: Buffer) => {
      if (!this.messages.push(data)) socket.pause();
    });
    socket.on('close', (code, words) => {
      if (isReplaced()) return;
      this.#isOver = true;
      clearInterval(this.#pinging);
      this.#reason ??= closeReason(code, words.toString());
      this.messages.push(null);
    });
    return socket;
  }

  async #onRefused(request: ClientRequest, response: IncomingMessage, isRepeated: boolean): Promise<void> {
    discard(response);
    const sentWith = request.getHeader('authorization');
    const outcome = await this.#options.authorization?.onRefused({
      status: statusOf(response),
      challenge: response.headers['www-authenticate'],
      authorization: typeof sentWith === 'string' ? sentWith : undefined,
      isRepeated,
    });
    if (outcome === 'retry' && !this.#isOver) {
      this.#socket = this.#connect(true);
      return;
    }
    this.#isUnauthorized = typeof outcome === 'object' && outcome.code === 'UPSTREAM_NEEDS_AUTH';
    this.#reason ??= typeof outcome === 'object' ? outcome.reason : refusalReason(response);
  }

  /** Read in turns, as everything: a socket of its own would emit everything that has arrived. */
  #queue(): Readable {
    return new Readable({
      objectMode: true,
      // Messages may be large: the others wait where they come from.
      highWaterMark: 1,
      read: () => {
        if (this.#socket?.isPaused) this.#socket.resume();
      },
    });
  }

  #onOpen(): void {
    this.#wasOpen = true;
    this.#pinging = setInterval(() => this.#socket.ping(), PING_MS).unref();
    this.#options.onOpen();
  }

  #faultReason(error: NodeJS.ErrnoException): string {
    const reason = frameReason(error) ?? faultReason(error, this.#wasOpen);
    return this.#wasOpen ? reason : viaProxy(reason, this.#options.proxy);
  }
}

function refusalReason(response: IncomingMessage): string {
  const status = statusOf(response);
  return status < 400 ? `it opens no WebSocket (HTTP ${status})` : failureOf(response).reason;
}

function frameReason({ code }: NodeJS.ErrnoException): string | undefined {
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return 'it sent a message over limits.frameBytes';
  return code?.startsWith('WS_ERR_') ? `it sent what is no frame of WebSocket (${code})` : undefined;
}

/** 1005 and 1006 are never sent: they stand for an end without a code, and for none at all. */
function closeReason(code: number, words: string): string {
  if (code === 1006) return 'the connection broke';
  if (code === 1005) return 'it closed the connection';
  return `it closed the connection (code ${code}${words === '' ? '' : `: ${JSON.stringify(words)}`})`;
}
