import type { ClientRequest } from 'node:http';
import { WebSocket } from 'ws';
import type { RemoteEntry } from '../../../core/settings/upstream-entry.ts';
import { PacedInput } from '../../../core/timing/paced-input.ts';
import { type Bytes, toBuffer } from '../../../wire/bytes.ts';
import { HeldFrames } from '../held-frames.ts';
import { openConnections } from '../http/connections.ts';
import { Incoming } from '../incoming.ts';
import { onTunnelRefused } from '../network/proxy.ts';
import type { Transport, TransportContext, TransportEvents } from '../transport.ts';
import { MessageFramer } from './message-framer.ts';
import { SUBPROTOCOL, WebSocketConnection, type WebSocketConnectionOptions } from './web-socket-connection.ts';

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

type Way = Pick<WebSocketConnectionOptions, 'open' | 'proxy'>;

type Surroundings = Pick<TransportContext, 'env' | 'log' | 'maxFrameBytes' | 'authorization'>;

class WebSocketTransport extends Incoming implements Transport {
  readonly pid = undefined;
  readonly #events: TransportEvents;
  readonly #connection: WebSocketConnection;
  /** Frames that wait until the connection is made. */
  readonly #held = new HeldFrames<Bytes>();
  #closing: Promise<void> | undefined;

  constructor(way: Way, events: TransportEvents, { maxFrameBytes, authorization }: Surroundings) {
    super(events);
    this.#events = events;
    this.#connection = new WebSocketConnection({ ...way, authorization, onOpen: () => this.#sendHeld() });
    this.onSpeaking(this.#read(maxFrameBytes));
  }

  get wasReached(): boolean {
    return this.#connection.wasOpen;
  }

  get queuedBytes(): number {
    return this.#connection.queuedBytes + this.#held.bytes;
  }

  send(frame: Bytes): void {
    if (this.#connection.wasOpen) this.#connection.send(toBuffer(frame));
    else this.#held.add(frame);
  }

  close(): Promise<void> {
    this.stop();
    this.#closing ??= this.#connection.leave();
    return this.#closing;
  }

  #read(maxFrameBytes: number): PacedInput {
    const framer = new MessageFramer(this, maxFrameBytes);
    const consumer = {
      consume: (chunk: Buffer, deadline: number) => framer.push(chunk, deadline),
      onEnd: () => this.#end(),
    };
    return new PacedInput(this.#connection.messages, consumer, { share: () => this.share() });
  }

  #sendHeld(): void {
    for (const frame of this.#held.take()) this.send(frame);
  }

  #end(): void {
    if (this.isStopped) return;
    this.stop();
    this.#closing ??= Promise.resolve();
    this.#events.onClosed(this.#connection.reason, this.#connection.closedBecause);
  }
}
