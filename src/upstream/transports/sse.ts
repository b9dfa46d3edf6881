import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import { type Bytes, toBuffer } from '../../wire/bytes.ts';
import type { Frame } from '../../wire/frame.ts';
import { lastMember } from '../../wire/lens.ts';
import { type HttpEndpoint, openEndpoint } from './http/endpoint.ts';
import { POST_HEADERS } from './http/http-message.ts';
import { CHECK_ID, SessionCheck } from './http/session-check.ts';
import { Incoming } from './incoming.ts';
import type { SsePostsHost } from './sse/sse-posts.ts';
import { SseSender } from './sse/sse-sender.ts';
import { SseStream } from './sse/sse-stream.ts';
import {
  type ClosedBecause,
  defineTransport,
  type RequestFailure,
  type Transport,
  type TransportContext,
  type TransportEvents,
} from './transport.ts';

const GONE: ReadonlySet<number> = new Set([404]);
const FORGOTTEN: RequestFailure = {
  code: 'UPSTREAM_EXITED',
  reason: 'it has forgotten the session',
  effect: 'none',
  isUnheard: true,
};

type SseContext = Pick<TransportContext, 'log' | 'maxFrameBytes'>;

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
  readonly #context: SseContext;
  /** The endpoint of the stream. */
  readonly #origin: HttpEndpoint;
  readonly #stream: SseStream;
  readonly #sender = new SseSender(this);
  readonly #check = new SessionCheck({
    endpoint: () => this.#sender.endpoint,
    headers: () => POST_HEADERS,
    gone: GONE,
  });
  /** The session is over, though its stream may be open: what is open may still be answered there. */
  #isEnded = false;

  constructor(origin: HttpEndpoint, events: TransportEvents, context: SseContext) {
    super(events);
    this.#events = events;
    this.#context = context;
    this.#origin = origin;
    this.#stream = new SseStream(origin, this, {
      onFrame: (frame) => {
        if (!isPingAnswer(frame)) this.onFrame(frame);
      },
      onEndpoint: (url) => this.#sender.open(origin.at(url)),
      onEnd: (reason, why) => this.#end(reason, why),
    });
  }

  get maxFrameBytes(): number {
    return this.#context.maxFrameBytes;
  }

  /** The server has named its endpoint: it speaks this transport. */
  get wasReached(): boolean {
    return this.#sender.endpoint !== undefined;
  }

  get queuedBytes(): number {
    return this.#sender.queuedBytes;
  }

  send(frame: Bytes): void {
    this.#sender.send(toBuffer(frame));
  }

  onSettled(id: number): void {
    this.#sender.settle(id);
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
    this.#sender.endpoint?.destroy();
  }

  onPostFailed(id: number | undefined, failure: RequestFailure): void {
    if (this.isStopped) return;
    if (id === undefined) this.#context.log.debug(failure, 'a notification or an answer was not taken');
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

  /** The connection has closed, without having been asked to. */
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
