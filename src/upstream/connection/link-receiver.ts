import type { Era } from '../../core/providers/provider.ts';
import { CAPABILITY_OF_ASK } from '../../era/legacy/legacy.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { Frame } from '../../wire/frame.ts';
import { echoedId } from '../../wire/ids.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import { lastMember } from '../../wire/lens.ts';
import type { FrameReceiver, LostLine } from '../../wire/lines/frame-receiver.ts';
import {
  type Message,
  type NotificationMessage,
  paramsOf,
  type RequestMessage,
  type ResponseMessage,
  readBatch,
  readMessage,
} from '../../wire/message.ts';
import { errorReply, resultReply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { LinkErrors } from '../faults/link-errors.ts';
import { answeredId, guessResponseId } from '../faults/lost-line.ts';
import { errorIn, sampleOf, sampleOfLine } from '../faults/samples.ts';
import type { RequestFailure, Transport } from '../transports/transport.ts';
import type { LinkOutbox } from './link-outbox.ts';
import type { PeerFaults } from './peer-faults.ts';
import type { PendingRequests, Waiter } from './pending.ts';

/** Receives what an upstream sends without being asked. */
export interface LinkEvents {
  /** A request that only a client can answer. `of` is the id of our request on whose response stream it came, if it did. */
  onAsk(message: RequestMessage, of?: number): void;
  /** The upstream takes back a request of its own; `id` is the raw token. */
  onAskCancelled(id: ByteString): void;
  onNotification(message: NotificationMessage, of?: number): void;
  /** An answer to a request that is no longer open. */
  onLateAnswer?(id: number): void;
  /** Progress of a request that is answered already. Returns whether it may mean something all the same. */
  onLateProgress(id: number, message: NotificationMessage): boolean;
}

/** Hears nothing: what a connection says that was replaced could belong to no present call. */
const NOBODY: LinkEvents = {
  onAsk: () => undefined,
  onAskCancelled: () => undefined,
  onNotification: () => undefined,
  onLateProgress: () => false,
};

/** The parts of a link that its receiver needs. */
export interface ReceivingLink {
  readonly transport: Pick<Transport, 'onSettled' | 'reward'>;
  readonly pending: Pick<PendingRequests, 'take' | 'touch' | 'waiterOf' | 'soleLimited'>;
  readonly outbox: Pick<LinkOutbox, 'answer'>;
  readonly errors: LinkErrors;
  readonly faults: PeerFaults;
  /** Returns the era of the peer. */
  era(): Era;
  /** Called when something has arrived. */
  onSign(): void;
}

/** Reads what one connection brings: gives answers to those who wait for them, and the rest to the owner of the connection. */
export class LinkReceiver implements FrameReceiver {
  readonly #link: ReceivingLink;
  #events: LinkEvents;
  #isMuted = false;
  #heardAt = 0;
  #isExpired = false;

  constructor(link: ReceivingLink, events: LinkEvents) {
    this.#link = link;
    this.#events = events;
  }

  /** The time when something came last, on the clock of `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** True if a request was refused unread because the peer has forgotten the session. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** Tells the owner nothing from now on; answers to open requests still find those who wait for them. */
  mute(): void {
    this.#isMuted = true;
    this.#events = NOBODY;
  }

  onFrame(frame: Frame, of?: number): void {
    this.#heardAt = performance.now();
    this.#link.onSign();
    // Batches were part of 2025-03-26 only, but a server that sends one means its messages.
    const batch = readBatch(frame);
    if (batch === undefined || batch.length === 0) this.#take(readMessage(frame), of);
    else for (const message of batch) this.#take(message, of);
  }

  /**
   * Tells whether a line that begins like this may be of use: an answer to nothing that was asked is not. A promise tells
   * that it is, and that its receiver has no room before the promise resolves.
   */
  isWanted(head: Buffer): boolean | Promise<void> {
    const id = answeredId(head);
    if (id === undefined) return true;
    const waiter = this.#link.pending.waiterOf(id);
    if (waiter === undefined) {
      this.#events.onLateAnswer?.(id);
      return false;
    }
    this.#link.transport.reward?.();
    return waiter.whenRoom?.() ?? true;
  }

  onLostLine(line: LostLine): void {
    const { faults, errors } = this.#link;
    this.#link.onSign();
    if (line.reason === 'unwanted') {
      faults.unknownId();
      return;
    }
    const id = guessResponseId(line);
    if (line.reason === 'too-large') faults.oversized(line.bytes);
    else faults.noise(line.problem ?? 'not JSON', sampleOfLine(line));
    const waiter = id === undefined ? undefined : this.#settle(id);
    waiter?.onFailure(errors.lostAnswer(line));
  }

  /** Fails a request of which the transport knows that it will not be answered. */
  onRequestFailed(id: number, failure: RequestFailure): void {
    const error = this.#link.errors.failed(failure);
    const waiter = this.#link.pending.take(id);
    const isUnheard = failure.isUnheard === true;
    if (isUnheard) this.#isExpired = true;
    if (isUnheard && waiter?.onUnheard !== undefined) waiter.onUnheard(error);
    else waiter?.onFailure(error);
  }

  /** Takes a message. One with more parts than anybody looks into counts as none. */
  #take(message: Message, of: number | undefined): void {
    try {
      this.#onMessage(message, of);
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      this.#link.faults.noise(error.message, sampleOf(message.frame));
      if (message.kind === 'request') this.#refuse(message, -32600, `Invalid request: ${error.message}`);
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
        this.#link.faults.noise(message.reason, sampleOf(message.frame));
        if (message.id !== undefined) this.#failById(message.id, message.reason);
    }
  }

  /** Returns who waits for a request that the peer has settled. */
  #settle(id: number): Waiter | undefined {
    const waiter = this.#link.pending.take(id);
    if (waiter !== undefined) this.#link.transport.onSettled?.(id);
    return waiter;
  }

  #onResponse(message: ResponseMessage): void {
    const id = echoedId(message.id);
    const waiter = id === undefined ? undefined : this.#settle(id);
    if (waiter === undefined) {
      this.#onStrayResponse(message, id);
      return;
    }
    // Not for lists: an upstream that keeps saying that they changed would pay for its flood with them.
    if (waiter.isCancellable === true) this.#link.transport.reward?.();
    try {
      waiter.onResponse(message);
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      waiter.onFailure(this.#link.errors.invalidAnswer(error.message));
    }
  }

  #onStrayResponse(message: ResponseMessage, id: number | undefined): void {
    if (message.id === 'null' && message.error !== undefined) {
      this.#onErrorWithoutId(message, message.error);
      return;
    }
    this.#link.faults.unknownId();
    if (id !== undefined) this.#events.onLateAnswer?.(id);
  }

  /**
   * Handles an error without an id: the peer could not read the id of a request (JSON-RPC 2.0, section 5). If only one
   * request is open, the error belongs to it; if several are, it cannot be assigned.
   */
  #onErrorWithoutId({ frame }: ResponseMessage, error: Span): void {
    const { code, message } = errorIn(frame, error);
    const id = this.#link.pending.soleLimited();
    const waiter = id === undefined ? undefined : this.#settle(id);
    if (waiter === undefined) this.#link.faults.noise('an error whose id is null', `error ${code}, id null`);
    else waiter.onFailure(this.#link.errors.invalidAnswer(`an error whose id is null: ${code} ${message}`));
  }

  #failById(id: ByteString, reason: string): void {
    const number = echoedId(id);
    const waiter = number === undefined ? undefined : this.#settle(number);
    waiter?.onFailure(this.#link.errors.invalidAnswer(reason));
  }

  #onNotification(message: NotificationMessage, of: number | undefined): void {
    switch (message.method) {
      case 'notifications/progress':
        this.#onProgress(message);
        break;
      case 'notifications/cancelled':
        this.#onCancelled(message);
        break;
      default:
        this.#events.onNotification(message, of);
    }
  }

  /** A legacy server takes back what it asked; a modern one asks nothing, and ends a stream of changes like this. */
  #onCancelled(message: NotificationMessage): void {
    const id = lastMember(paramsOf(message), 'requestId');
    if (id === undefined) return;
    if (this.#link.era() === 'legacy') this.#events.onAskCancelled(message.frame.raw(id));
    else this.#failById(message.frame.raw(id), 'it has ended the request');
  }

  #onProgress(message: NotificationMessage): void {
    const token = lastMember(paramsOf(message), 'progressToken');
    const id = token === undefined ? undefined : echoedId(message.frame.raw(token));
    const waiter = id === undefined ? undefined : this.#link.pending.touch(id);
    if (waiter?.onProgress !== undefined && token !== undefined) waiter.onProgress(message.frame, token);
    else if (id === undefined || !this.#events.onLateProgress(id, message)) this.#link.faults.unknownToken();
  }

  #onRequest(message: RequestMessage, of: number | undefined): void {
    if (message.method === 'ping') this.#link.outbox.answer(message.id, resultReply({}));
    else if (this.#isMuted) this.#refuse(message, -32603, 'This connection is about to end');
    else if (this.#link.era() === 'legacy' && CAPABILITY_OF_ASK.has(message.method)) this.#events.onAsk(message, of);
    else this.#refuse(message, -32601, `Method not found: ${message.method}`);
  }

  #refuse({ id }: RequestMessage, code: number, message: string): void {
    this.#link.outbox.answer(id, errorReply({ code, message }));
  }
}
