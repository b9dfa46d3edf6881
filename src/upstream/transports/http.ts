import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Bytes, toBuffer } from '../../wire/bytes.ts';
import { Frame } from '../../wire/frame.ts';
import { ownId } from '../../wire/ids.ts';
import { lastMember } from '../../wire/lens.ts';
import { type NotificationMessage, paramsOf, type RequestMessage, readMessage } from '../../wire/message.ts';
import { HeldFrames } from './held-frames.ts';
import { type HttpEndpoint, openEndpoint, POST_HEADERS } from './http/endpoint.ts';
import { type ExchangeOwner, HttpExchange } from './http/exchange.ts';
import { GetStream, type Refusal } from './http/get-stream.ts';
import { HttpOrSse } from './http/http-or-sse.ts';
import { ModernHeaders } from './http/outgoing.ts';
import type { HttpPeer } from './http/peer.ts';
import { HttpSession } from './http/session.ts';
import { SessionCheck } from './http/session-check.ts';
import { Incoming } from './incoming.ts';
import {
  type ClosedBecause,
  defineTransport,
  type FrameLimit,
  type RequestFailure,
  type Transport,
  type TransportContext,
  type TransportEvents,
} from './transport.ts';

/** A session is ended politely, but nobody waits long for that. */
const GOODBYE_MS = 500;

/** What begins a session is answered at once; a server that does not is not waited for. */
const MAX_HOLD_MS = 2_000;

/** A session that is gone is answered with 404 (2025-11-25, "Session Management"); some servers say 400. */
const GONE: ReadonlySet<number> = new Set([400, 404]);

const EXPIRED: RequestFailure = {
  code: 'UPSTREAM_EXITED',
  reason: 'its session has expired',
  effect: 'none',
  isUnheard: true,
};

/** A server that is reached by Streamable HTTP, of either era: each message that goes out says by itself of which it is. */
export const http = defineTransport({
  async open(entry: RemoteEntry, events, context) {
    const endpoint = await openEndpoint(entry, context);
    const open = (own: TransportEvents) => new HttpTransport(endpoint, own, context);
    return new HttpOrSse({ open, endpoint, isTypeGuessed: entry.isTypeGuessed === true }, events, context);
  },
});

class HttpTransport extends Incoming implements Transport, HttpPeer, ExchangeOwner {
  readonly pid = undefined;
  readonly endpoint: HttpEndpoint;
  readonly session = new HttpSession();
  readonly log: Log;
  readonly #limits: FrameLimit;
  readonly #events: TransportEvents;
  readonly #modern: ModernHeaders;
  readonly #exchanges = new Map<number, HttpExchange>();
  #standing: GetStream | undefined;
  /** What came after `notifications/initialized` waits until the server has taken that. */
  #held: HeldFrames<Buffer> | undefined;
  readonly #check: SessionCheck;
  /** The connection is over, as far as new requests are concerned: those that are open may be answered all the same. */
  #isEnded = false;
  #closing: Promise<void> | undefined;

  constructor(endpoint: HttpEndpoint, events: TransportEvents, context: TransportContext) {
    super(events);
    this.endpoint = endpoint;
    this.log = context.log;
    this.#limits = context;
    this.#events = events;
    this.#modern = new ModernHeaders((ownName) => events.toolText(ownName));
    const headers = () => ({ ...this.session.headers, ...POST_HEADERS });
    this.#check = new SessionCheck({ endpoint: () => endpoint, headers, gone: GONE });
  }

  get maxFrameBytes(): number {
    return this.#limits.maxFrameBytes;
  }

  get queuedBytes(): number {
    return this.endpoint.queuedBytes + (this.#held?.bytes ?? 0);
  }

  send(frame: Bytes): void {
    const body = toBuffer(frame);
    if (this.#held === undefined) this.#send(body);
    else this.#held.add(body);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Each answer comes on a connection of its own, whatever has become of the session. */
  finish(): boolean {
    this.#isEnded = true;
    this.#standing?.stop();
    return !this.isStopped && this.#exchanges.size > 0;
  }

  onSettled(id: number): void {
    const exchange = this.#exchanges.get(id);
    this.#exchanges.delete(id);
    exchange?.linger();
  }

  /** Somebody has logged in. */
  onCredentialsChanged(): void {
    this.#standing?.hurry();
  }

  onAnswered(exchange: HttpExchange): void {
    this.#exchanges.delete(exchange.id);
  }

  onFailed(exchange: HttpExchange, failure: RequestFailure): void {
    this.#exchanges.delete(exchange.id);
    if (!this.isStopped) this.#events.onRequestFailed(exchange.id, failure);
  }

  onUnreachable(exchange: HttpExchange, reason: string): void {
    this.onFailed(exchange, { code: 'UPSTREAM_NOT_CONNECTED', reason, effect: 'none' });
    this.#end(reason);
  }

  onExpired(exchange: HttpExchange): void {
    this.onFailed(exchange, EXPIRED);
    this.#end(EXPIRED.reason, 'expired');
  }

  isSessionAlive(): Promise<boolean> {
    return this.#check.isAlive();
  }

  #send(body: Buffer): void {
    if (this.isStopped) return;
    const message = readMessage(Frame.of(body));
    switch (message.kind) {
      case 'request':
        this.#request(message, body);
        break;
      case 'notification':
        this.#notify(message, body);
        break;
      case 'response':
        // A modern server asks nothing, so it gets no answers.
        if (this.session.isOpen) void this.#tell(body);
        break;
      case 'invalid':
        this.log.error({ reason: message.reason }, 'a message of our own is none and was not sent');
    }
  }

  #request(message: RequestMessage, body: Buffer): void {
    const id = ownId(message.id);
    if (id === undefined) return;
    const modernHeaders = this.session.isOpen ? undefined : this.#modern.of(message);
    const exchange = new HttpExchange({ id, message, body, modernHeaders }, this, this);
    this.#exchanges.set(id, exchange);
    exchange.start();
  }

  #notify(message: NotificationMessage, body: Buffer): void {
    switch (message.method) {
      case 'notifications/cancelled':
        this.#cancel(message, body);
        break;
      case 'notifications/initialized':
        void this.#begin(body);
        break;
      default:
        // The modern protocol has no notifications to servers (2026-07-28, "Sending Messages").
        if (this.session.isOpen) void this.#tell(body);
    }
  }

  #cancel(message: NotificationMessage, body: Buffer): void {
    const requestId = lastMember(paramsOf(message), 'requestId');
    const id = requestId === undefined ? undefined : ownId(message.frame.raw(requestId));
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    if (exchange === undefined) return;
    this.#exchanges.delete(exchange.id);
    if (exchange.isModern) exchange.abort();
    // To a legacy server a connection that ends says nothing; and it may leave open what nobody waits for any more.
    else void this.#tell(body).then(() => exchange.abort());
  }

  /** The session begins: some servers refuse whatever overtakes this message. */
  async #begin(body: Buffer): Promise<void> {
    this.#held = new HeldFrames();
    await Promise.race([this.#tell(body), delay(MAX_HOLD_MS, undefined, { ref: false })]);
    const held = this.#held.take();
    this.#held = undefined;
    this.#listen();
    for (const each of held) this.#send(each);
  }

  /** Sends what is not answered. Resolves once the server has it, or could not be told. */
  async #tell(body: Buffer): Promise<void> {
    const headers = { ...this.session.headers, ...POST_HEADERS };
    const outcome = await this.endpoint.tell({ method: 'POST', headers, body, isRepeatable: true });
    if ('status' in outcome) {
      if (outcome.status === 404) await this.#expireUnlessAlive();
      else if (outcome.status >= 400) this.log.debug(outcome, 'a notification or an answer was refused');
    } else if (outcome.isUnreachable) this.#end(outcome.reason);
    else this.log.debug(outcome, 'a notification or an answer may not have got there');
  }

  /** Opens the server's own stream, if it has one. */
  #listen(): void {
    if (this.isStopped || this.#isEnded) return;
    const options = { position: { lastEventId: undefined, retryMs: undefined }, maxFaults: Number.POSITIVE_INFINITY };
    this.#standing = new GetStream(this, options, {
      onFrame: (frame) => this.onFrame(frame),
      onMissed: () => this.#events.onMissed?.(),
      onRefused: (refusal) => void this.#onNoStream(refusal),
    });
    this.#standing.open();
  }

  async #onNoStream({ status, reason }: Refusal): Promise<void> {
    this.log.debug({ reason }, 'it has no stream of its own, or no longer');
    // To some servers this is how a stream is refused that they do not have.
    if (status === 404 || status === 400) await this.#expireUnlessAlive();
  }

  async #expireUnlessAlive(): Promise<void> {
    if (this.session.hasId && !(await this.isSessionAlive())) this.#end(EXPIRED.reason, 'expired');
  }

  /** The connection is over, though nobody asked for it. What the server works on may still be answered: see `finish`. */
  #end(reason: string, why?: ClosedBecause): void {
    if (this.isStopped || this.#isEnded) return;
    this.#isEnded = true;
    this.#standing?.stop();
    this.#events.onClosed(reason, why);
  }

  #cutOff(): void {
    this.stop();
    for (const exchange of this.#exchanges.values()) exchange.abort();
    this.#exchanges.clear();
    this.#standing?.stop();
  }

  async #close(): Promise<void> {
    this.#cutOff();
    // A session that is over needs no farewell.
    if (this.session.hasId && !this.#isEnded) await this.#sayGoodbye();
    this.endpoint.destroy();
  }

  async #sayGoodbye(): Promise<void> {
    await this.endpoint.tell({ method: 'DELETE', headers: this.session.headers, isRepeatable: true }, GOODBYE_MS);
  }
}
