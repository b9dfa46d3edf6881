import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { PacedInput } from '../../../core/paced-input.ts';
import type { RemoteEntry } from '../../../core/upstream-entry.ts';
import { type Bytes, byteLength, toBuffer } from '../../../wire/bytes.ts';
import { failureOf, statusOf } from '../http/response.ts';
import { faultReason } from '../network-fault.ts';
import { shareOf, type Transport, type TransportContext, type TransportEvents } from '../transport.ts';
import { MessageFramer } from './message-framer.ts';

const SUBPROTOCOL = 'mcp';
/** A peer that we leave is given so long to leave too. */
const GOODBYE_MS = 500;
/** Proxies on the way end connections on which nothing happens, many of them after a minute. */
const PING_MS = 30_000;

/** Begins to connect; what is sent meanwhile waits. */
export function dial(
  { url, headers }: Pick<RemoteEntry, 'url' | 'headers'>,
  events: TransportEvents,
  context: Pick<TransportContext, 'maxFrameBytes'>,
): Transport {
  const socket = new WebSocket(url, [SUBPROTOCOL], {
    headers: { 'user-agent': 'viaduct', ...headers },
    maxPayload: context.maxFrameBytes,
    perMessageDeflate: false,
    // The scanner sees to the text, as on every other transport; a bad character would end the whole connection.
    skipUTF8Validation: true,
  });
  return new WebSocketTransport(socket, events, context);
}

class WebSocketTransport implements Transport {
  readonly pid = undefined;
  readonly #socket: WebSocket;
  readonly #events: TransportEvents;
  readonly #input: PacedInput;
  /** Until the connection is made. */
  #held: Bytes[] | undefined = [];
  #pinging: NodeJS.Timeout | undefined;
  /** What went wrong first. */
  #reason: string | undefined;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(socket: WebSocket, events: TransportEvents, { maxFrameBytes }: Pick<TransportContext, 'maxFrameBytes'>) {
    this.#socket = socket;
    this.#events = events;
    this.#input = this.#read(maxFrameBytes);
    socket.on('open', () => this.#onOpen());
    socket.on('upgrade', ({ headers }) => {
      // A server that says nothing of the subprotocol may well speak it: the handshake of MCP will tell.
      headers['sec-websocket-protocol'] ??= SUBPROTOCOL;
    });
    socket.on('unexpected-response', (_request, response) => {
      this.#reason ??= refusalReason(response);
      socket.terminate();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#reason ??= frameReason(error) ?? faultReason(error, this.wasReached);
    });
  }

  get wasReached(): boolean {
    return this.#held === undefined;
  }

  get queuedBytes(): number {
    const held = this.#held ?? [];
    return this.#socket.bufferedAmount + held.reduce((sum, frame) => sum + byteLength(frame), 0);
  }

  send(frame: Bytes): void {
    if (this.#held !== undefined) this.#held.push(frame);
    else this.#socket.send(toBuffer(frame), { binary: false });
  }

  reward(): void {
    this.#input.reward();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= this.#leave();
    return this.#closing;
  }

  #read(maxFrameBytes: number): PacedInput {
    const socket = this.#socket;
    // In turns, as everything that is read: a socket of its own would hand over whatever has come.
    const messages = new Readable({
      objectMode: true,
      // Messages may be large: the others wait where they come from.
      highWaterMark: 1,
      read: () => {
        if (socket.isPaused) socket.resume();
      },
    });
    socket.on('message', (data: Buffer) => {
      if (!messages.push(data)) socket.pause();
    });
    socket.on('close', (code, words) => {
      clearInterval(this.#pinging);
      this.#reason ??= closeReason(code, words.toString());
      messages.push(null);
    });
    const framer = new MessageFramer(
      {
        onFrame: (frame) => {
          if (!this.#isClosed) this.#events.onFrame(frame);
        },
        onLostLine: (line) => {
          if (!this.#isClosed) this.#events.onLostLine(line);
        },
        isWanted: (head) => this.#events.isWanted?.(head) ?? true,
      },
      maxFrameBytes,
    );
    const consumer = {
      consume: (chunk: Buffer, deadline: number) => framer.push(chunk, deadline),
      onEnd: () => this.#end(),
    };
    return new PacedInput(messages, consumer, { share: () => shareOf(this.#events) });
  }

  #onOpen(): void {
    this.#pinging = setInterval(() => this.#socket.ping(), PING_MS).unref();
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const frame of held) this.send(frame);
  }

  async #leave(): Promise<void> {
    const isOpen = this.wasReached && this.#socket.readyState !== WebSocket.CLOSED;
    if (isOpen) {
      const isGone = new Promise((resolve) => this.#socket.once('close', resolve));
      this.#socket.close(1000);
      await Promise.race([isGone, delay(GOODBYE_MS, undefined, { ref: false })]);
    }
    this.#socket.terminate();
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closing ??= Promise.resolve();
    this.#events.onClosed(this.#reason ?? 'it closed the connection');
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
