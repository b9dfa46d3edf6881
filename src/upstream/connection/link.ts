import type { Era } from '../../core/providers/provider.ts';
import { type ByteString, type Bytes, jsonBytes } from '../../wire/bytes.ts';
import { firstId } from '../../wire/ids.ts';
import type { ResponseMessage } from '../../wire/message.ts';
import { type LinkEnd, LinkErrors } from '../faults/link-errors.ts';
import type { Transport } from '../transports/transport.ts';
import { HangWatch } from './hang-watch.ts';
import { LinkOutbox } from './link-outbox.ts';
import { type LinkEvents, LinkReceiver } from './link-receiver.ts';
import type { PeerFaults } from './peer-faults.ts';
import { PendingRequests, type Waiter } from './pending.ts';

export interface LinkOptions {
  /** The key of the upstream, which errors name. */
  readonly upstream: string;
  readonly transport: Transport;
  readonly events: LinkEvents;
  readonly faults: PeerFaults;
  /** Called when nothing arrives any more, not even the response to a ping. */
  readonly onHung: (reason: string) => void;
}

/**
 * One live connection to an upstream, for those who send: our requests until they are answered, and what `outbox` and
 * `receiver` exchange besides. It lives from the opened transport to its end; the owner then makes a new one.
 */
export class Link {
  /** Receives everything that the connection delivers. */
  readonly receiver: LinkReceiver;
  /** Sends messages that get no response. */
  readonly outbox: LinkOutbox;
  /** Requests that are not answered yet. */
  readonly pending: PendingRequests;
  readonly #errors: LinkErrors;
  readonly #transport: Transport;
  readonly #hangWatch: HangWatch;
  /** The members of `_meta` in requests of our own, towards a modern peer. */
  #envelope: ByteString | undefined;
  /** The reason why it takes nothing new, while open requests still finish; `#isOver` says that none is open either. */
  #end: LinkEnd | undefined;
  #isOver = false;

  constructor({ upstream, transport, events, faults, onHung }: LinkOptions) {
    this.#errors = new LinkErrors(upstream);
    this.#transport = transport;
    this.outbox = new LinkOutbox(transport, faults);
    this.pending = new PendingRequests(firstId(), (id, waiter, afterMs) => this.#onTimeout(id, waiter, afterMs));
    this.#hangWatch = new HangWatch({
      ping: (ms) => this.request(this.era === 'modern' ? 'server/discover' : 'ping', undefined, ms),
      hasOpenRequests: () => this.pending.hasLimited,
      onHung: (reason) => {
        if (this.#end === undefined) onHung(reason);
      },
    });
    const { pending, outbox } = this;
    const era = () => this.era;
    const onSign = () => this.#hangWatch.onSign();
    this.receiver = new LinkReceiver({ transport, pending, outbox, errors: this.#errors, faults, era, onSign }, events);
  }

  /** The era of the peer; known for sure once the handshake is done. */
  get era(): Era {
    return this.#envelope === undefined ? 'legacy' : 'modern';
  }

  /** Treats the peer as a modern one: `envelope` goes into the `_meta` of requests of our own. */
  speakModern(envelope: ByteString): void {
    this.#envelope = envelope;
  }

  /** Pings the peer while no call is open, so that one that hangs is found before the next call. */
  watchWhileIdle(): void {
    if (!this.#isOver) this.#hangWatch.watchWhileIdle();
  }

  /** True if the peer has forgotten the session: this link is about to end, and another follows. */
  get isExpired(): boolean {
    return this.receiver.isExpired;
  }

  /** The time when something came last, on the clock of `performance.now()`. */
  get heardAt(): number {
    return this.receiver.heardAt;
  }

  /** The bytes that the peer has not taken yet. */
  get queuedBytes(): number {
    return this.#transport.queuedBytes;
  }

  /**
   * Sends a request that `render` writes under the id it is given.
   * @returns the id; -1 where the link takes nothing new, and the waiter has failed
   */
  send(waiter: Waiter, render: (id: number) => Bytes): number {
    if (this.#end !== undefined) {
      waiter.onFailure(this.#errors.gone(this.#end, 'none'));
      return -1;
    }
    const id = this.pending.add(waiter);
    this.#transport.send(render(id));
    return id;
  }

  /**
   * Sends a request of our own and waits for its answer.
   * @throws GatewayError when the connection ends or `idleMs` passes first
   */
  request(method: string, params: unknown, idleMs?: number): Promise<ResponseMessage> {
    return this.requestText(method, this.ownParams(jsonBytes(params ?? {})), idleMs);
  }

  /** Sends a request of our own with params as they will be sent; else like `request`. */
  requestText(method: string, params: ByteString, idleMs?: number): Promise<ResponseMessage> {
    return new Promise((onResponse, onFailure) => {
      this.send({ onResponse, onFailure, idleMs }, (id) => requestText(id, method, params));
    });
  }

  /** Returns the params of a request of our own as this peer wants them; `params` is the JSON of an object without `_meta`. */
  ownParams(params: ByteString): ByteString {
    if (this.#envelope === undefined) return params;
    const meta = `{"_meta":{${this.#envelope}}`;
    return params === '{}' ? `${meta}}` : `${meta},${params.slice(1)}`;
  }

  /** Gives up a request: the upstream is told, a late answer is dropped. */
  cancel(id: number, reason?: ByteString): void {
    if (this.pending.take(id) === undefined) return;
    const tail = reason === undefined ? '' : `,"reason":${reason}`;
    this.outbox.relay(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}${tail}}}`);
    this.#transport.onSettled?.(id);
  }

  /**
   * Lets another connection take over. What the peer works on may still be answered, each within its own limit; `onIdle` is
   * called when nothing of that is left.
   */
  retire(end: LinkEnd, onIdle: () => void): void {
    if (this.#isOver) return;
    this.#end = end;
    this.receiver.mute();
    this.pending.runOut(() => this.#errors.gone(end, 'unknown'), onIdle);
  }

  /** Ends the connection: everybody who waits is told. */
  end(end: LinkEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end = end;
    this.receiver.mute();
    this.outbox.close();
    this.#hangWatch.stop();
    this.pending.failAll(() => this.#errors.gone(end, 'unknown'));
  }

  #onTimeout(id: number, waiter: Waiter, afterMs: number): void {
    const seconds = `${afterMs / 1000} s`;
    if (waiter.isCancellable === true) {
      this.outbox.notify('notifications/cancelled', { requestId: id, reason: `no answer within ${seconds}` });
      this.#hangWatch.onTimeout(afterMs);
    }
    this.#transport.onSettled?.(id);
    waiter.onFailure(this.#errors.timedOut(seconds));
  }
}

/** Writes a request of our own; `params` is its JSON. */
export function requestText(id: number, method: string, params: ByteString): ByteString {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}
