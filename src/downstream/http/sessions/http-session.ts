import type { ServerResponse } from 'node:http';
import { expectsPrimingEvent } from '../../../era/legacy/legacy.ts';
import type { Session } from '../../../session/session.ts';
import type { SessionOptions } from '../../../session/session-host.ts';
import type { Backlog } from '../streams/backlog.ts';
import { EventStream } from '../streams/event-stream.ts';
import type { ClientRoute } from './client-route.ts';

/** Streams that are kept for clients that lost their connection. */
const KEPT_STREAMS = 32;
const KEPT_BYTES = 16 * 1024 * 1024;

/** One legacy client over HTTP: its session and its event streams. */
export class HttpSession {
  readonly session: Session;
  /** The way in by which it was made: by no other it can be used. */
  readonly route: ClientRoute;
  /** Messages that belong to no request: the client reads them with GET. */
  readonly #standalone: EventStream;
  readonly #backlog: Backlog;
  readonly #streams = new Map<string, EventStream>();
  #nextStream = 1;
  #lastUsedAt = performance.now();

  constructor(
    openSession: (ways: Pick<SessionOptions, 'output' | 'isListening'>) => Session,
    route: ClientRoute,
    backlog: Backlog,
  ) {
    this.route = route;
    this.#backlog = backlog;
    this.#standalone = new EventStream('s', backlog);
    this.session = openSession({
      output: (bytes) => this.#standalone.sendIfRoom(bytes),
      isListening: () => this.#standalone.isAttached,
    });
  }

  touch(): void {
    this.#lastUsedAt = performance.now();
  }

  /** Milliseconds since the client was last heard; 0 while it listens or waits for an answer. */
  idleMs(now: number): number {
    return this.#standalone.isAttached || this.session.openCalls > 0 ? 0 : now - this.#lastUsedAt;
  }

  /** Returns a new stream for the answers to one POST. */
  openStream(): EventStream {
    const stream = new EventStream(String(this.#nextStream++), this.#backlog);
    this.#streams.set(stream.id, stream);
    this.#forgetOldStreams();
    // Old clients take the empty event for a message (2025-11-25 asks servers to send it).
    if (expectsPrimingEvent(this.session.introduction.revision)) stream.prime();
    return stream;
  }

  /** GET: listens to what belongs to no request. */
  listen(response: ServerResponse): void {
    this.#standalone.attachBeside(response, {});
  }

  /** GET with `Last-Event-ID`. `lost`: the events after this one are not kept. `over`: none will come any more. */
  resume(response: ServerResponse, lastEventId: string): 'resumed' | 'lost' | 'over' {
    const match = /^([a-z0-9]+)_([0-9]{1,15})$/.exec(lastEventId);
    if (match === null) return 'lost';
    const stream = match[1] === this.#standalone.id ? this.#standalone : this.#streams.get(match[1]!);
    const sequence = Number(match[2]);
    if (stream === undefined) return 'lost';
    const found = stream.findAfter(sequence);
    if (found !== 'more') return found;
    stream.attach(response, {}, sequence);
    return 'resumed';
  }

  keepAlive(): void {
    this.#standalone.keepAlive();
  }

  end(): void {
    this.session.end();
    for (const stream of [this.#standalone, ...this.#streams.values()]) {
      stream.finish();
      stream.forget();
    }
    this.#streams.clear();
  }

  /** Finished streams go first, oldest first; one that is still needed goes only when it takes too much room. */
  #forgetOldStreams(): void {
    let bytes = 0;
    for (const stream of this.#streams.values()) bytes += stream.keptBytes;
    for (const [id, stream] of this.#streams) {
      if (this.#streams.size <= KEPT_STREAMS && bytes <= KEPT_BYTES) return;
      if (!stream.isFinished || stream.isAttached) continue;
      this.#streams.delete(id);
      bytes -= stream.keptBytes;
      stream.forget();
    }
  }
}
