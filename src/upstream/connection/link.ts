import type { Era } from '../../core/providers/provider.ts';
import { CAPABILITY_OF_ASK } from '../../era/legacy/legacy.ts';
import { type ByteString, type Bytes, jsonBytes } from '../../wire/bytes.ts';
import type { Frame } from '../../wire/frame.ts';
import { echoedId, firstId } from '../../wire/ids.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import { lastMember } from '../../wire/lens.ts';
import type { LostLine } from '../../wire/lines/frame-receiver.ts';
import {
  type Message,
  type NotificationMessage,
  paramsOf,
  type RequestMessage,
  type ResponseMessage,
  readBatch,
  readMessage,
} from '../../wire/message.ts';
import { errorReply, type Reply, resultReply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import { type LinkEnd, LinkErrors } from '../faults/link-errors.ts';
import { answeredId, guessResponseId } from '../faults/lost-line.ts';
import { errorIn, sampleOf, sampleOfLine } from '../faults/samples.ts';
import type { RequestFailure, Transport } from '../transports/transport.ts';
import { HangWatch } from './hang-watch.ts';
import type { PeerFaults } from './peer-faults.ts';
import { PendingRequests, type Waiter } from './pending.ts';

/** What a live connection tells its owner. */
export interface LinkEvents {
  /** A request that only a client can answer. `of` is the id of our request on whose response stream it came, if it did. */
  onAsk(message: RequestMessage, of?: number): void;
  /** The upstream takes back a request of its own; `id` is the raw token. */
  onAskCancelled(id: ByteString): void;
  onNotification(message: NotificationMessage, of?: number): void;
  /** An answer to a request that nobody waits for any more. */
  onLateAnswer?(id: number): void;
  /** Progress of a request that is answered already. Returns whether it may mean something all the same. */
  onLateProgress(id: number, message: NotificationMessage): boolean;
  /** Nothing comes any more, not even the answer to a ping. */
  onHung(reason: string): void;
}

/** A peer that leaves more than this unread gets no notifications and no answers to its own requests. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * One live connection to an upstream: our requests and their answers, the upstream's requests and notifications.
 * It lives from the opened transport to its end; the owner then makes a new one.
 */
export class Link {
  readonly #errors: LinkErrors;
  readonly #transport: Transport;
  readonly #events: LinkEvents;
  readonly #faults: PeerFaults;
  readonly #pending: PendingRequests;
  readonly #hangWatch: HangWatch;
  /** The members of `_meta` in requests of our own, towards a modern peer. */
  #envelope: ByteString | undefined;
  #ended: LinkEnd | undefined;
  #isExpired = false;
  /** It takes nothing new, and what is open runs out. */
  #retired: LinkEnd | undefined;
  #heardAt = 0;

  constructor(upstream: string, transport: Transport, events: LinkEvents, faults: PeerFaults) {
    this.#errors = new LinkErrors(upstream);
    this.#transport = transport;
    this.#events = events;
    this.#faults = faults;
    this.#pending = new PendingRequests(firstId(), (id, waiter, afterMs) => this.#onTimeout(id, waiter, afterMs));
    this.#hangWatch = new HangWatch({
      ping: (ms) => this.request(this.era === 'modern' ? 'server/discover' : 'ping', undefined, ms),
      hasOpenRequests: () => this.#pending.hasLimited,
      onHung: (reason) => {
        if (this.#ended === undefined) events.onHung(reason);
      },
    });
  }

  /** Of the peer; known for sure once the handshake is done. */
  get era(): Era {
    return this.#envelope === undefined ? 'legacy' : 'modern';
  }

  /** The peer is a modern one: `envelope` goes into the `_meta` of requests of our own. */
  speakModern(envelope: ByteString): void {
    this.#envelope = envelope;
  }

  get pid(): number | undefined {
    return this.#transport.pid;
  }

  /** Pings the peer while no call is open, so that one that hangs is found before the next call. */
  watchWhileIdle(): void {
    if (this.#ended === undefined) this.#hangWatch.watchWhileIdle();
  }

  /** The peer has forgotten the session: this link is about to end, and another follows. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** When something came last, on the clock of `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt;
  }

  get queuedBytes(): number {
    return this.#transport.queuedBytes;
  }

  /** Sends a request that `render` writes under the id it is given. Returns the id. */
  send(waiter: Waiter, render: (id: number) => Bytes): number {
    const end = this.#ended ?? this.#retired;
    if (end !== undefined) {
      waiter.onFailure(this.#errors.gone(end, 'none'));
      return -1;
    }
    const id = this.#pending.add(waiter);
    this.#transport.send(render(id));
    return id;
  }

  /**
   * Sends a request of our own and waits for its answer.
   * @throws GatewayError when the connection ends or `idleMs` passes first.
   */
  request(method: string, params: unknown, idleMs?: number): Promise<ResponseMessage> {
    return this.requestText(method, this.ownParams(jsonBytes(params ?? {})), idleMs);
  }

  /** The same with params as they will be sent. */
  requestText(method: string, params: ByteString, idleMs?: number): Promise<ResponseMessage> {
    return new Promise((onResponse, onFailure) => {
      this.send({ onResponse, onFailure, idleMs }, (id) => requestText(id, method, params));
    });
  }

  /** The params of a request of our own as this peer wants them; `params` is the JSON of an object without `_meta`. */
  ownParams(params: ByteString): ByteString {
    if (this.#envelope === undefined) return params;
    const meta = `{"_meta":{${this.#envelope}}`;
    return params === '{}' ? `${meta}}` : `${meta},${params.slice(1)}`;
  }

  notify(method: string, params?: unknown): void {
    if (this.#ended !== undefined) return;
    const tail = params === undefined ? '' : `,"params":${jsonBytes(params)}`;
    this.#post(`{"jsonrpc":"2.0","method":"${method}"${tail}}`);
  }

  /** Passes a notification on as it is. */
  relay(frame: Bytes): void {
    if (this.#ended === undefined) this.#post(frame);
  }

  /** Answers a request of the upstream. */
  answer(id: ByteString, reply: Reply): void {
    if (this.#ended === undefined) this.#post(reply.withId(id));
  }

  /** Nobody waits for an answer to these: to a peer that does not read they are not sent, instead of being piled up. */
  #post(frame: Bytes): void {
    if (this.#transport.queuedBytes > MAX_UNREAD_BYTES) this.#faults.unread();
    else this.#transport.send(frame);
  }

  /** Gives up a request: the upstream is told, a late answer is dropped. */
  cancel(id: number, reason?: ByteString): void {
    if (this.#pending.take(id) === undefined) return;
    const tail = reason === undefined ? '' : `,"reason":${reason}`;
    this.relay(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}${tail}}}`);
    this.#transport.onSettled?.(id);
  }

  /** Whether a request waits for its answer. */
  isPending(id: number): boolean {
    return this.#pending.waiterOf(id) !== undefined;
  }

  /** The peer waits for a client before it can answer: the request's limits stand still until `resume`. */
  pause(id: number): void {
    this.#pending.pause(id);
  }

  resume(id: number): void {
    this.#pending.resume(id);
  }

  /** A place among the requests for one that will be sent later: it hears of the connection's end. `cancel` is not for it. */
  park(waiter: Waiter): number {
    return this.#pending.add(waiter, true);
  }

  unpark(id: number): void {
    this.#pending.take(id);
  }

  /**
   * Another connection takes over. What the peer works on may still be answered, each within its own limit; `onIdle` is
   * called when nothing of that is left.
   */
  retire(end: LinkEnd, onIdle: () => void): void {
    if (this.#ended !== undefined) return;
    this.#retired = end;
    this.#pending.runOut(() => this.#errors.gone(end, 'unknown'), onIdle);
  }

  /** The connection is over: everybody who waits is told. */
  end(end: LinkEnd): void {
    if (this.#ended !== undefined) return;
    this.#ended = end;
    this.#hangWatch.stop();
    this.#pending.failAll(() => this.#errors.gone(end, 'unknown'));
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  onFrame(frame: Frame, of?: number): void {
    this.#heardAt = performance.now();
    this.#hangWatch.onSign();
    // Batches were part of 2025-03-26 only, but a server that sends one means its messages.
    const batch = readBatch(frame);
    if (batch === undefined || batch.length === 0) this.#take(readMessage(frame), of);
    else for (const message of batch) this.#take(message, of);
  }

  /** A message with more parts than anybody looks into counts as none. */
  #take(message: Message, of: number | undefined): void {
    try {
      this.#onMessage(message, of);
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      this.#faults.noise(error.message, sampleOf(message.frame));
      if (message.kind === 'request')
        this.answer(message.id, errorReply({ code: -32600, message: `Invalid request: ${error.message}` }));
    }
  }

  #onMessage(message: Message, of: number | undefined): void {
    switch (message.kind) {
      case 'response':
        this.#onResponse(message);
        break;
      case 'notification':
        this.#onNotification(message, of);
        break;
      case 'request':
        this.#onRequest(message, of);
        break;
      case 'invalid':
        this.#faults.noise(message.reason, sampleOf(message.frame));
        if (message.id !== undefined) this.#failById(message.id, message.reason);
    }
  }

  /**
   * Whether a line that begins like this may be of use: an answer to nothing that was asked is not. A promise tells that
   * it is, and that its receiver has no room before the promise resolves.
   */
  isWanted(head: Buffer): boolean | Promise<void> {
    const id = answeredId(head);
    if (id === undefined) return true;
    const waiter = this.#pending.waiterOf(id);
    if (waiter === undefined) {
      this.#events.onLateAnswer?.(id);
      return false;
    }
    this.#transport.reward?.();
    return waiter.whenRoom?.() ?? true;
  }

  onLostLine(line: LostLine): void {
    this.#hangWatch.onSign();
    if (line.reason === 'unwanted') {
      this.#faults.unknownId();
      return;
    }
    const id = guessResponseId(line);
    if (line.reason === 'too-large') this.#faults.oversized(line.bytes);
    else this.#faults.noise(line.problem ?? 'not JSON', sampleOfLine(line));
    const waiter = id === undefined ? undefined : this.#settle(id);
    waiter?.onFailure(this.#errors.lostAnswer(line));
  }

  /** Returns who waits for a request that the peer has settled. */
  #settle(id: number): Waiter | undefined {
    const waiter = this.#pending.take(id);
    if (waiter !== undefined) this.#transport.onSettled?.(id);
    return waiter;
  }

  /** The transport knows that a request will not be answered. */
  onRequestFailed(id: number, failure: RequestFailure): void {
    const { isUnheard } = failure;
    const error = this.#errors.failed(failure);
    const waiter = this.#pending.take(id);
    if (isUnheard === true) this.#isExpired = true;
    if (isUnheard === true && waiter?.onUnheard !== undefined) waiter.onUnheard(error);
    else waiter?.onFailure(error);
  }

  #onResponse(message: ResponseMessage): void {
    const id = echoedId(message.id);
    const waiter = id === undefined ? undefined : this.#settle(id);
    if (waiter === undefined) {
      if (message.id === 'null' && message.error !== undefined) {
        this.#onErrorWithoutId(message, message.error);
        return;
      }
      this.#faults.unknownId();
      if (id !== undefined) this.#events.onLateAnswer?.(id);
      return;
    }
    // Not for lists: an upstream that keeps saying that they changed would pay for its flood with them.
    if (waiter.isCancellable === true) this.#transport.reward?.();
    try {
      waiter.onResponse(message);
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      waiter.onFailure(this.#errors.invalidAnswer(error.message));
    }
  }

  /**
   * The peer could not read the id of a request (JSON-RPC 2.0, section 5). With one request open it can only be that one;
   * with several it is nobody's.
   */
  #onErrorWithoutId({ frame }: ResponseMessage, error: Span): void {
    const { code, message } = errorIn(frame, error);
    const id = this.#pending.soleLimited();
    const waiter = id === undefined ? undefined : this.#settle(id);
    if (waiter === undefined) this.#faults.noise('an error whose id is null', `error ${code}, id null`);
    else waiter.onFailure(this.#errors.invalidAnswer(`an error whose id is null: ${code} ${message}`));
  }

  #failById(id: ByteString, reason: string): void {
    const number = echoedId(id);
    const waiter = number === undefined ? undefined : this.#settle(number);
    waiter?.onFailure(this.#errors.invalidAnswer(reason));
  }

  #onNotification(message: NotificationMessage, of: number | undefined): void {
    switch (message.method) {
      case 'notifications/progress':
        this.#onProgress(message);
        break;
      case 'notifications/cancelled': {
        const id = lastMember(paramsOf(message), 'requestId');
        if (id === undefined) break;
        // A legacy server takes back what it asked; a modern one asks nothing, and ends a stream of changes like this.
        if (this.era === 'legacy') this.#events.onAskCancelled(message.frame.raw(id));
        else this.#failById(message.frame.raw(id), 'it has ended the request');
        break;
      }
      default:
        this.#events.onNotification(message, of);
    }
  }

  #onProgress(message: NotificationMessage): void {
    const token = lastMember(paramsOf(message), 'progressToken');
    const id = token === undefined ? undefined : echoedId(message.frame.raw(token));
    const waiter = id === undefined ? undefined : this.#pending.touch(id);
    if (waiter?.onProgress !== undefined && token !== undefined) waiter.onProgress(message.frame, token);
    else if (id === undefined || !this.#events.onLateProgress(id, message)) this.#faults.unknownToken();
  }

  #onRequest(message: RequestMessage, of: number | undefined): void {
    if (message.method === 'ping') this.answer(message.id, resultReply({}));
    else if (this.#retired !== undefined) {
      this.answer(message.id, errorReply({ code: -32603, message: 'This connection is about to end' }));
    } else if (this.era === 'legacy' && CAPABILITY_OF_ASK.has(message.method)) this.#events.onAsk(message, of);
    else this.answer(message.id, errorReply({ code: -32601, message: `Method not found: ${message.method}` }));
  }

  #onTimeout(id: number, waiter: Waiter, afterMs: number): void {
    const seconds = `${afterMs / 1000} s`;
    if (waiter.isCancellable === true) {
      this.notify('notifications/cancelled', { requestId: id, reason: `no answer within ${seconds}` });
      this.#hangWatch.onTimeout(afterMs);
    }
    this.#transport.onSettled?.(id);
    waiter.onFailure(this.#errors.timedOut(seconds));
  }
}

/** A request of our own; `params` is its JSON. */
export function requestText(id: number, method: string, params: ByteString): ByteString {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}
