import { throttle } from '../core/throttle.ts';
import { listenFilter, subscriptionOf, unstamped, type Wanted } from '../era/subscription.ts';
import type { Log } from '../telemetry/log.ts';
import { jsonBytes } from '../wire/bytes.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../wire/lens.ts';
import type { NotificationMessage, ResponseMessage } from '../wire/message.ts';
import type { ServerFacts } from './handshake.ts';
import { type Link, requestText } from './link.ts';

/** However fast clients come and go, a stream is replaced less than four times a second. */
const CHANGE_LIMITS = { burst: 4, intervalMs: 300 };
/** A server that does not acknowledge a stream for so long may have opened it all the same. */
const ACKNOWLEDGE_MS = 2_000;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

const STAMPED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tasks',
]);

export interface ListenStreamHost {
  readonly log: Log;
  /** The resources and tasks of which clients want to hear. */
  wanted(): Wanted;
  /** Lists may have changed while nobody listened. */
  onMissed(): void;
}

interface Stream {
  id: number;
  readonly filter: string;
  readonly openedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The one `subscriptions/listen` request to a modern upstream that is kept open (2026-07-28, "Subscriptions"). Where
 * another filter is wanted, a new stream is opened first and the old one ended once the new one is acknowledged, so
 * that nothing is missed in between.
 */
export class ListenStream {
  readonly #host: ListenStreamHost;
  readonly #changes = throttle(() => this.#replace(), CHANGE_LIMITS);
  #source: { readonly link: Link; readonly facts: ServerFacts } | undefined;
  #current: Stream | undefined;
  /** Opened, not acknowledged yet. */
  #next: Stream | undefined;
  /** A stream ended, or could not be opened; so often in a row. */
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #hasMissed = false;
  #isUnknown = false;
  #isDue = false;
  #waiting: (() => void)[] = [];

  constructor(host: ListenStreamHost) {
    this.#host = host;
  }

  attach(link: Link, facts: ServerFacts): void {
    this.#source = { link, facts };
    this.#replace();
  }

  /** The connection is gone, and the streams with it. */
  detach(): void {
    this.#source = undefined;
    for (const stream of [this.#current, this.#next]) clearTimeout(stream?.timer);
    this.#current = undefined;
    this.#next = undefined;
    this.#changes.cancel();
    clearTimeout(this.#retry);
    this.#failures = 0;
    this.#hasMissed = false;
    this.#isUnknown = false;
    this.#isDue = false;
    this.#release();
  }

  /** Whether the server has no such streams. */
  get isUnknown(): boolean {
    return this.#isUnknown;
  }

  /** Other resources or tasks are wanted. Resolves when a stream tells of them, or it is clear that none will. */
  onWantedChanged(): Promise<void> {
    if (this.#source === undefined || this.#isUnknown) return Promise.resolve();
    this.#isDue = true;
    const changed = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#changes.request();
    return changed;
  }

  /** What a notification is to the gateway: without its stamp; `undefined` where it is of no use. */
  take(message: NotificationMessage): NotificationMessage | undefined {
    const isAcknowledgement = message.method === 'notifications/subscriptions/acknowledged';
    if (!isAcknowledgement && !STAMPED.has(message.method)) return message;
    const id = subscriptionOf(message);
    if (id !== undefined && id === this.#next?.id) this.#onAcknowledged(this.#next);
    if (isAcknowledgement) return undefined;
    // One that the stream before tells too would be heard twice.
    return id === undefined || id === this.#current?.id ? unstamped(message) : undefined;
  }

  #replace(): void {
    this.#isDue = false;
    const source = this.#source;
    if (source === undefined || this.#isUnknown) return;
    const filter = listenFilter(source.facts.capabilities, this.#host.wanted());
    if (filter === undefined) this.#closeAll(source.link);
    else this.#open(source.link, jsonBytes(filter));
  }

  #open(link: Link, filter: string): void {
    if ((this.#next ?? this.#current)?.filter === filter) {
      if (this.#next === undefined) this.#release();
      return;
    }
    clearTimeout(this.#retry);
    if (this.#next !== undefined) this.#close(link, this.#next);
    const stream: Stream = { id: -1, filter, openedAt: performance.now(), timer: undefined };
    this.#next = stream;
    stream.timer = setTimeout(() => this.#onAcknowledged(stream), ACKNOWLEDGE_MS).unref();
    const waiter = {
      onResponse: (message: ResponseMessage) => this.#onAnswer(stream, message),
      onFailure: () => this.#onEnded(stream),
    };
    const params = link.ownParams(`{"notifications":${filter}}`);
    stream.id = link.send(waiter, (id) => requestText(id, 'subscriptions/listen', params));
  }

  #onAcknowledged(stream: Stream): void {
    if (stream !== this.#next) return;
    clearTimeout(stream.timer);
    const before = this.#current;
    this.#current = stream;
    this.#next = undefined;
    if (before !== undefined && this.#source !== undefined) this.#close(this.#source.link, before);
    if (!this.#isDue) this.#release();
    if (this.#hasMissed) this.#host.onMissed();
    this.#hasMissed = false;
  }

  #onAnswer(stream: Stream, message: ResponseMessage): void {
    if (message.error !== undefined && isUnknownMethod(message)) {
      this.#isUnknown = true;
      this.#host.log.debug({ event: 'listen' }, 'the server has no subscriptions/listen: changes are not heard of');
    }
    this.#onEnded(stream);
  }

  /** A stream that was not closed here has ended: another follows, after a while. */
  #onEnded(stream: Stream): void {
    clearTimeout(stream.timer);
    if (stream === this.#next) this.#next = undefined;
    else if (stream === this.#current) this.#current = undefined;
    else return;
    this.#release();
    if (this.#source === undefined || this.#isUnknown || this.#next !== undefined) return;
    this.#hasMissed = true;
    this.#failures = performance.now() - stream.openedAt > MAX_DELAY_MS ? 1 : this.#failures + 1;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (this.#failures - 1), MAX_DELAY_MS);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#replace(), delayMs).unref();
  }

  #closeAll(link: Link): void {
    for (const stream of [this.#current, this.#next]) if (stream !== undefined) this.#close(link, stream);
    this.#current = undefined;
    this.#next = undefined;
    this.#release();
  }

  #close(link: Link, stream: Stream): void {
    clearTimeout(stream.timer);
    link.cancel(stream.id);
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function isUnknownMethod({ frame, error }: ResponseMessage): boolean {
  const { text } = frame;
  if (error === undefined || typeOfByte(text[error.start]) !== 'object') return false;
  const code = lastMember(membersOf(text, error), 'code');
  return code !== undefined && rawText(text, code) === '-32601';
}
