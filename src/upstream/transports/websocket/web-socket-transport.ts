import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { RemoteEntry } from '../../../core/settings/upstream-entry.ts';
import { PacedInput } from '../../../core/timing/paced-input.ts';
import { type Bytes, toBuffer } from '../../../wire/bytes.ts';
import { HeldFrames } from '../held-frames.ts';
import { openConnections } from '../http/connections.ts';
import { discard } from '../http/discard.ts';
import { failureOf, statusOf } from '../http/response.ts';
import { Incoming } from '../incoming.ts';
import { faultReason, viaProxy } from '../network/network-fault.ts';
import { onTunnelRefused } from '../network/proxy.ts';
import type { Authorization, Transport, TransportContext, TransportEvents } from '../transport.ts';
import { MessageFramer } from './message-framer.ts';

const SUBPROTOCOL = 'mcp';
/** The time that a peer has to close its side after we close ours, in milliseconds. */
const GOODBYE_MS = 500;
/** Proxies on the way end connections on which nothing happens, many of them after a minute. */
const PING_MS = 30_000;

/**
 * Begins to connect; what is sent meanwhile waits.
 * @throws ImpossibleError when certificates or a proxy cannot be used; NeedsAuthError when only the user can help
 */
export async function dial(
  entry: Pick<RemoteEntry, 'url' | 'headers' | 'tls'>,
  events: TransportEvents,
  context: Surroundings,
): Promise<Transport> {
  const { authorization, maxFrameBytes } = context;
  await authorization?.prepare();
  const { agent, tls, proxy } = await openConnections(entry, context);
  const url = new URL(entry.url);
  // It means nothing to a server, and is refused by the package.
  url.hash = '';
  const open = () =>
    new WebSocket(url, [SUBPROTOCOL], {
      ...tls,
      agent,
      headers: { 'user-agent': 'viaduct', ...entry.headers, ...authorization?.headers() },
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
      // The scanner sees to the text, as on every other transport; a bad character would end the whole connection.
      skipUTF8Validation: true,
      finishRequest: heedProxy,
    });
  return new WebSocketTransport({ open, proxy }, events, context);
}

function heedProxy(request: ClientRequest): void {
  onTunnelRefused(request, (fault) => request.destroy(new Error(fault)));
  request.end();
}

type Surroundings = Pick<TransportContext, 'env' | 'log' | 'maxFrameBytes' | 'authorization'>;

interface Way {
  open(): WebSocket;
  /** The proxy's address as people may see it. */
  readonly proxy: string | undefined;
}

class WebSocketTransport extends Incoming implements Transport {
  readonly pid = undefined;
  readonly #way: Way;
  readonly #authorization: Authorization | undefined;
  #socket: WebSocket;
  readonly #events: TransportEvents;
  readonly #messages: Readable;
  /** Frames that wait until the connection is made. */
  #held: HeldFrames<Bytes> | undefined = new HeldFrames();
  #pinging: NodeJS.Timeout | undefined;
  /** The reason for the first failure. */
  #reason: string | undefined;
  /** True if it failed because the server does not let us in. */
  #isUnauthorized = false;
  #closing: Promise<void> | undefined;

  constructor(way: Way, events: TransportEvents, { maxFrameBytes, authorization }: Surroundings) {
    super(events);
    this.#way = way;
    this.#events = events;
    this.#authorization = authorization;
    this.#messages = this.#queue();
    this.onSpeaking(this.#read(maxFrameBytes));
    this.#socket = this.#connect();
  }

  /** `isRepeated`: an earlier try was refused, and we have another token since. */
  #connect(isRepeated = false): WebSocket {
    const socket = this.#way.open();
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
      if (!this.#messages.push(data)) socket.pause();
    });
    socket.on('close', (code, words) => {
      if (isReplaced()) return;
      clearInterval(this.#pinging);
      this.#reason ??= closeReason(code, words.toString());
      this.#messages.push(null);
    });
    return socket;
  }

  async #onRefused(request: ClientRequest, response: IncomingMessage, isRepeated: boolean): Promise<void> {
    discard(response);
    const sentWith = request.getHeader('authorization');
    const outcome = await this.#authorization?.onRefused({
      status: statusOf(response),
      challenge: response.headers['www-authenticate'],
      authorization: typeof sentWith === 'string' ? sentWith : undefined,
      isRepeated,
    });
    if (outcome === 'retry' && !this.isStopped) {
      this.#socket = this.#connect(true);
      return;
    }
    this.#isUnauthorized = typeof outcome === 'object' && outcome.code === 'UPSTREAM_NEEDS_AUTH';
    this.#reason ??= typeof outcome === 'object' ? outcome.reason : refusalReason(response);
  }

  get wasReached(): boolean {
    return this.#held === undefined;
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount + (this.#held?.bytes ?? 0);
  }

  send(frame: Bytes): void {
    if (this.#held !== undefined) this.#held.add(frame);
    else this.#socket.send(toBuffer(frame), { binary: false });
  }

  close(): Promise<void> {
    this.stop();
    this.#closing ??= this.#leave();
    return this.#closing;
  }

  /** Read in turns, as everything: a socket of its own would hand over whatever has come. */
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

  #read(maxFrameBytes: number): PacedInput {
    const framer = new MessageFramer(this, maxFrameBytes);
    const consumer = {
      consume: (chunk: Buffer, deadline: number) => framer.push(chunk, deadline),
      onEnd: () => this.#end(),
    };
    return new PacedInput(this.#messages, consumer, { share: () => this.share() });
  }

  #onOpen(): void {
    this.#pinging = setInterval(() => this.#socket.ping(), PING_MS).unref();
    const held = this.#held?.take() ?? [];
    this.#held = undefined;
    for (const frame of held) this.send(frame);
  }

  #faultReason(error: NodeJS.ErrnoException): string {
    const reason = frameReason(error) ?? faultReason(error, this.wasReached);
    return this.wasReached ? reason : viaProxy(reason, this.#way.proxy);
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
    if (this.isStopped) return;
    this.stop();
    this.#closing ??= Promise.resolve();
    this.#events.onClosed(
      this.#reason ?? 'it closed the connection',
      this.#isUnauthorized ? 'unauthorized' : undefined,
    );
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
