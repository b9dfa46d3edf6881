import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Bytes, toBuffer } from '../../wire/bytes.ts';
import { Frame } from '../../wire/frame.ts';
import { ownId } from '../../wire/ids.ts';
import { lastMember } from '../../wire/lens.ts';
import { readMessage } from '../../wire/message.ts';
import { type HttpEndpoint, openEndpoint } from './http/endpoint.ts';
import { POST_HEADERS } from './http/http-message.ts';
import { CHECK_ID, SessionCheck } from './http/session-check.ts';
import { Incoming } from './incoming.ts';
import { SessionGate } from './session-gate.ts';
import { type Post, SsePosts, type SsePostsHost } from './sse/sse-posts.ts';
import { SseStream } from './sse/sse-stream.ts';
import {
  type ClosedBecause,
  defineTransport,
  type FrameLimit,
  type RequestFailure,
  type Transport,
  type TransportContext,
  type TransportEvents,
} from './transport.ts';

/** The method that may not be repeated: a broken connection does not mean that nothing was done. */
const NOT_REPEATABLE = 'tools/call';
const GONE: ReadonlySet<number> = new Set([404]);
const FORGOTTEN: RequestFailure = {
  code: 'UPSTREAM_EXITED',
  reason: 'it has forgotten the session',
  effect: 'none',
  isUnheard: true,
};

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
export class SseTransport extends Incoming implements Transport, SsePostsHost {
  readonly pid = undefined;
  readonly #events: TransportEvents;
  readonly #log: Log;
  readonly #limits: FrameLimit;
  /** The endpoint of the stream; messages go to `#endpoint`, once it is known. */
  readonly #origin: HttpEndpoint;
  readonly #stream: SseStream;
  #endpoint: HttpEndpoint | undefined;
  readonly #gate = new SessionGate((body) => this.#send(body));
  readonly #check = new SessionCheck({ endpoint: () => this.#endpoint, headers: () => POST_HEADERS, gone: GONE });
  readonly #posts = new SsePosts(this);
  /** The session is over, though its stream may be open: what is open may still be answered there. */
  #isEnded = false;

  constructor(origin: HttpEndpoint, events: TransportEvents, context: Pick<TransportContext, 'log' | 'maxFrameBytes'>) {
    super(events);
    this.#events = events;
    this.#log = context.log;
    this.#limits = context;
    this.#origin = origin;
    // Nothing can be sent before the endpoint is known.
    this.#gate.close();
    this.#stream = new SseStream(origin, this, {
      onFrame: (frame) => {
        if (!isPingAnswer(frame)) this.onFrame(frame);
      },
      onEndpoint: (url) => {
        this.#endpoint = origin.at(url);
        this.#gate.open();
      },
      onEnd: (reason, why) => this.#end(reason, why),
    });
  }

  get maxFrameBytes(): number {
    return this.#limits.maxFrameBytes;
  }

  /** The server has named its endpoint: it speaks this transport. */
  get wasReached(): boolean {
    return this.#endpoint !== undefined;
  }

  get queuedBytes(): number {
    return (this.#endpoint?.queuedBytes ?? 0) + this.#gate.bytes;
  }

  send(frame: Bytes): void {
    this.#gate.send(toBuffer(frame));
  }

  onSettled(id: number): void {
    this.#posts.settle(id);
  }

  /** Answers come on the stream, as long as it is open. */
  finish(): boolean {
    this.#isEnded = true;
    return !this.isStopped;
  }

  async close(): Promise<void> {
    this.stop();
    this.#stream.stop();
    this.#origin.destroy();
    this.#endpoint?.destroy();
  }

  onPostFailed(id: number | undefined, failure: RequestFailure): void {
    if (this.isStopped) return;
    if (id === undefined) this.#log.debug(failure, 'a notification or an answer was not taken');
    else this.#events.onRequestFailed(id, failure);
  }

  /** The session is gone, or there is nothing of what was asked for. Requests on their way hear either for themselves. */
  async onNothingThere(id: number | undefined, failure: RequestFailure): Promise<void> {
    if (await this.#check.isAlive()) {
      this.onPostFailed(id, failure);
      return;
    }
    this.onPostFailed(id, FORGOTTEN);
    this.#end(FORGOTTEN.reason, 'expired');
  }

  #send(body: Buffer): void {
    if (this.isStopped) return;
    const message = readMessage(Frame.of(body));
    if (message.kind === 'request') {
      void this.#post({ body, id: ownId(message.id), isRepeatable: message.method !== NOT_REPEATABLE });
    } else if (message.kind === 'notification' && message.method === 'notifications/initialized') {
      void this.#gate.closeWhile(this.#post({ body })).then(() => this.#gate.open());
    } else void this.#post({ body });
  }

  /** The gate is open only while the endpoint is known. */
  #post(post: Post): Promise<void> {
    return this.#posts.post(this.#endpoint!, post);
  }

  /** The connection is over, though nobody asked for it. */
  #end(reason: string, why?: ClosedBecause): void {
    if (this.isStopped || (why === 'expired' && this.#isEnded)) return;
    if (why === 'expired') this.#isEnded = true;
    else void this.close();
    this.#events.onClosed(reason, why);
  }
}

function isPingAnswer(frame: Frame): boolean {
  const { members } = frame.outline;
  const id = lastMember(members, 'id');
  return id !== undefined && frame.raw(id) === `"${CHECK_ID}"` && lastMember(members, 'method') === undefined;
}
