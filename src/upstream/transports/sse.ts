import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Bytes, toBuffer } from '../../wire/bytes.ts';
import { Frame } from '../../wire/frame.ts';
import { echoedId, ownId } from '../../wire/ids.ts';
import { lastMember } from '../../wire/lens.ts';
import { readMessage } from '../../wire/message.ts';
import { HeldFrames } from './held-frames.ts';
import { type Body, readBody } from './http/body.ts';
import { discard } from './http/discard.ts';
import { type HttpCall, type HttpEndpoint, openEndpoint, POST_HEADERS, TELL_MS } from './http/endpoint.ts';
import { errorFor } from './http/error-frame.ts';
import type { StreamPosition } from './http/event-framer.ts';
import { EventReader } from './http/event-reader.ts';
import { LINGER_MS } from './http/exchange.ts';
import type { EventPeer } from './http/peer.ts';
import { failureOf, type HttpResponse, hasType, statusOf } from './http/response.ts';
import { CHECK_ID, SessionCheck } from './http/session-check.ts';
import { Incoming } from './incoming.ts';
import type { NetworkFault } from './network/network-fault.ts';
import {
  type ClosedBecause,
  defineTransport,
  type FrameLimit,
  type RequestFailure,
  type Transport,
  type TransportContext,
  type TransportEvents,
} from './transport.ts';

/** What begins a session is taken at once; a server that does not is not waited for. */
const MAX_HOLD_MS = 2_000;
/** That a connection broke does not say that nothing was done; only these may be done twice. */
const NOT_REPEATABLE = 'tools/call';
const GONE: ReadonlySet<number> = new Set([404]);
const FORGOTTEN: RequestFailure = {
  code: 'UPSTREAM_EXITED',
  reason: 'it has forgotten the session',
  effect: 'none',
  isUnheard: true,
};

/** A stream of this transport cannot be gone on with on another connection. */
const noPosition = (): StreamPosition => ({ lastEventId: undefined, retryMs: undefined });

/** A server that is reached by HTTP with server-sent events, the transport of revision 2024-11-05. */
export const sse = defineTransport({
  async open(entry: RemoteEntry, events, context) {
    return new SseTransport(await openEndpoint(entry, context), events, context);
  },
});

/**
 * One stream on which everything comes, and an endpoint, named by its first event, that takes everything. The session
 * is the stream: with its end the connection is lost. No message names the revision in a header: only Streamable HTTP
 * has that.
 */
export class SseTransport extends Incoming implements Transport, EventPeer {
  readonly pid = undefined;
  readonly #events: TransportEvents;
  readonly #log: Log;
  readonly #limits: FrameLimit;
  readonly #stream: HttpEndpoint;
  readonly #opening: HttpCall;
  #reader: EventReader | undefined;
  #endpoint: HttpEndpoint | undefined;
  /** What is not sent yet: the endpoint is not known, or the server has not taken what begins the session. */
  #held: HeldFrames<Buffer> | undefined = new HeldFrames();
  readonly #check = new SessionCheck({ endpoint: () => this.#endpoint, headers: () => POST_HEADERS, gone: GONE });
  /** What is posted and not answered in full: requests by their ids. */
  readonly #posts = new Map<number, HttpCall>();
  /** The session is over, though its stream may be open: what is open may still be answered there. */
  #isEnded = false;

  constructor(stream: HttpEndpoint, events: TransportEvents, context: Pick<TransportContext, 'log' | 'maxFrameBytes'>) {
    super(events);
    this.#events = events;
    this.#log = context.log;
    this.#limits = context;
    this.#stream = stream;
    this.#opening = this.#listen();
  }

  get maxFrameBytes(): number {
    return this.#limits.maxFrameBytes;
  }

  /** The server has named its endpoint: it speaks this transport. */
  get wasReached(): boolean {
    return this.#endpoint !== undefined;
  }

  get queuedBytes(): number {
    return (this.#endpoint?.queuedBytes ?? 0) + (this.#held?.bytes ?? 0);
  }

  send(frame: Bytes): void {
    this.#sendOrHold(toBuffer(frame));
  }

  /** A server should end its response to a request that is over; one that does not is helped. */
  onSettled(id: number): void {
    const call = this.#posts.get(id);
    this.#posts.delete(id);
    if (call !== undefined) setTimeout(() => call.destroy(), LINGER_MS).unref();
  }

  /** Answers come on the stream, as long as it is open. */
  finish(): boolean {
    this.#isEnded = true;
    return !this.isStopped;
  }

  async close(): Promise<void> {
    this.stop();
    this.#opening.destroy();
    this.#reader?.stop();
    this.#stream.destroy();
    this.#endpoint?.destroy();
  }

  #listen(): HttpCall {
    const message = { method: 'GET', headers: { accept: 'text/event-stream' }, isRepeatable: true } as const;
    return this.#stream.send(message, {
      onResponse: (response) => this.#onStream(response),
      onFault: ({ reason, failure }) =>
        this.#end(reason, failure?.code === 'UPSTREAM_NEEDS_AUTH' ? 'unauthorized' : undefined),
    });
  }

  #onStream(response: HttpResponse): void {
    const status = statusOf(response);
    if (status === 200 && hasType(response, 'text/event-stream')) this.#read(response);
    else {
      discard(response);
      this.#end(status < 400 ? `its url opens no stream of events (HTTP ${status})` : failureOf(response).reason);
    }
  }

  #read(response: HttpResponse): void {
    this.#reader = new EventReader(response, noPosition(), this, {
      onFrame: (frame) => {
        if (!isPingAnswer(frame)) this.onFrame(frame);
      },
      onNamedEvent: (type, data) => {
        if (type === 'endpoint') this.#onEndpoint(data.toString('utf8').trim());
      },
      onEnd: () => this.#end('the stream of events ended'),
    });
  }

  /** Only the first one counts: a session does not move. */
  #onEndpoint(reference: string): void {
    if (this.#endpoint !== undefined) return;
    const { url } = this.#opening;
    const named = URL.canParse(reference, url.href) ? new URL(reference, url) : undefined;
    if (named === undefined) this.#end('the endpoint that it names is no url');
    else if (named.origin !== url.origin) {
      this.#end(`it names an endpoint at another origin (${named.origin}), which gets nothing`);
    } else {
      this.#endpoint = this.#stream.at(named);
      this.#release();
    }
  }

  #sendOrHold(body: Buffer): void {
    if (this.#held === undefined) this.#send(body);
    else this.#held.add(body);
  }

  #release(): void {
    const held = this.#held?.take() ?? [];
    this.#held = undefined;
    for (const body of held) this.#sendOrHold(body);
  }

  #send(body: Buffer): void {
    if (this.isStopped) return;
    const message = readMessage(Frame.of(body));
    switch (message.kind) {
      case 'request':
        void this.#post(body, ownId(message.id), message.method !== NOT_REPEATABLE);
        break;
      case 'notification':
        if (message.method === 'notifications/initialized') void this.#begin(body);
        else void this.#post(body);
        break;
      default:
        void this.#post(body);
    }
  }

  /** The session begins: some servers refuse whatever overtakes this message. */
  async #begin(body: Buffer): Promise<void> {
    this.#held = new HeldFrames();
    await Promise.race([this.#post(body), delay(MAX_HOLD_MS, undefined, { ref: false })]);
    this.#release();
  }

  /**
   * Resolves once the server has taken the message, or could not be told; `id` is that of a request. What is no request is
   * given up after a while: nobody waits for what is behind it.
   */
  #post(body: Buffer, id?: number, isRepeatable = true): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const forget = () => {
        clearTimeout(timer);
        if (id !== undefined) this.#posts.delete(id);
      };
      const message = { method: 'POST', headers: POST_HEADERS, body, isRepeatable } as const;
      const call = this.#endpoint?.send(message, {
        onResponse: (response) => {
          resolve();
          response.once('close', forget);
          this.#onResponse(response, id);
        },
        onFault: (fault) => {
          forget();
          resolve();
          this.#onFault(fault, id);
        },
      });
      if (call === undefined) return;
      if (id !== undefined) this.#posts.set(id, call);
      else {
        timer = setTimeout(() => {
          call.destroy();
          resolve();
        }, TELL_MS).unref();
      }
    });
  }

  /** Mostly nothing but "accepted"; some servers answer here, and not on the stream. */
  #onResponse(response: HttpResponse, id: number | undefined): void {
    if (statusOf(response) < 300 && hasType(response, 'text/event-stream')) {
      new EventReader(response, noPosition(), this, {
        onFrame: (frame) => this.onFrame(frame),
        onEnd: () => undefined,
      });
    } else {
      readBody(response, { maxBytes: this.maxFrameBytes, peer: this }, (body) => this.#onBody(response, body, id));
    }
  }

  #onBody(response: HttpResponse, body: Body, id: number | undefined): void {
    if (this.isStopped) return;
    const status = statusOf(response);
    const answer = id === undefined ? undefined : answerIn(body, id, status);
    if (answer !== undefined) {
      this.onSpeaking(undefined);
      this.onFrame(answer);
    } else if (status === 404) void this.#onNothingThere(response, id);
    else if (status >= 300) this.#fail(id, failureOf(response));
  }

  /** The session is gone, or there is nothing of what was asked for. Requests on their way hear either for themselves. */
  async #onNothingThere(response: HttpResponse, id: number | undefined): Promise<void> {
    if (await this.#check.isAlive()) {
      this.#fail(id, failureOf(response));
      return;
    }
    this.#fail(id, FORGOTTEN);
    this.#end(FORGOTTEN.reason, 'expired');
  }

  #onFault({ reason, isUnreachable, failure }: NetworkFault, id: number | undefined): void {
    if (failure !== undefined) this.#fail(id, failure);
    else if (isUnreachable) this.#fail(id, { code: 'UPSTREAM_NOT_CONNECTED', reason, effect: 'none' });
    else this.#fail(id, { code: 'UPSTREAM_EXITED', reason, effect: 'unknown' });
  }

  #fail(id: number | undefined, failure: RequestFailure): void {
    if (this.isStopped) return;
    if (id === undefined) this.#log.debug(failure, 'a notification or an answer was not taken');
    else this.#events.onRequestFailed(id, failure);
  }

  /** The connection is over, though nobody asked for it. */
  #end(reason: string, why?: ClosedBecause): void {
    if (this.isStopped || (why === 'expired' && this.#isEnded)) return;
    if (why === 'expired') this.#isEnded = true;
    else void this.close();
    this.#events.onClosed(reason, why);
  }
}

/** The answer to a request in the body of its POST; an error that names no request can be about no other. */
function answerIn(body: Body, id: number, status: number): Frame | undefined {
  if (body.kind !== 'frame') return undefined;
  const message = readMessage(body.frame);
  if (message.kind === 'response' && echoedId(message.id) === id) return message.frame;
  return status >= 400 ? errorFor(id, body.frame) : undefined;
}

function isPingAnswer(frame: Frame): boolean {
  const { members } = frame.outline;
  const id = lastMember(members, 'id');
  return id !== undefined && frame.raw(id) === `"${CHECK_ID}"` && lastMember(members, 'method') === undefined;
}
