import { throttle } from '../../../core/timing/throttle.ts';
import {
  acknowledgedUris,
  listenFilter,
  subscriptionOf,
  unstamped,
  type Wanted,
} from '../../../era/modern/subscription.ts';
import type { Log } from '../../../telemetry/log.ts';
import { jsonBytes } from '../../../wire/bytes.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../../../wire/lens.ts';
import type { NotificationMessage, ResponseMessage } from '../../../wire/message.ts';
import type { ServerFacts } from '../../connection/handshake.ts';
import { type Link, requestText } from '../../connection/link.ts';

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
  readonly uris: ReadonlySet<string>;
  readonly openedAt: number;
  timer: NodeJS.Timeout | undefined;
  /** The resources of which the server says that it tells; `undefined` until it says so. */
  told: ReadonlySet<string> | undefined;
}

/** What a server says to a subscription: nothing in time, or the connection ended first, where it says neither yes nor no. */
export type Confirmation = 'told' | 'refused' | 'silent' | 'lost';

interface Confirming {
  readonly uri: string;
  settle(confirmation: Confirmation): void;
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
  readonly #confirming = new Set<Confirming>();

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
    this.#settleAll('lost');
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

  /** Asks for a resource, which is wanted already. Resolves to what the server says of it, within `patienceMs`. */
  confirm(uri: string, patienceMs: number): Promise<Confirmation> {
    if (this.#source === undefined) return Promise.resolve('lost');
    if (this.#isUnknown) return Promise.resolve('refused');
    return new Promise((resolve) => {
      const timer = setTimeout(() => confirming.settle('silent'), patienceMs).unref();
      const confirming: Confirming = {
        uri,
        settle: (confirmation) => {
          clearTimeout(timer);
          this.#confirming.delete(confirming);
          resolve(confirmation);
        },
      };
      this.#confirming.add(confirming);
      void this.onWantedChanged();
    });
  }

  /** What a notification is to the gateway: without its stamp; `undefined` where it is of no use. */
  take(message: NotificationMessage): NotificationMessage | undefined {
    const isAcknowledgement = message.method === 'notifications/subscriptions/acknowledged';
    if (!isAcknowledgement && !STAMPED.has(message.method)) return message;
    const id = subscriptionOf(message);
    if (isAcknowledgement) this.#onTold(id, message);
    if (id !== undefined && id === this.#next?.id) this.#onAcknowledged(this.#next);
    if (isAcknowledgement) return undefined;
    // One that the stream before tells too would be heard twice.
    return id === undefined || id === this.#current?.id ? unstamped(message) : undefined;
  }

  #replace(): void {
    this.#isDue = false;
    const source = this.#source;
    if (source === undefined || this.#isUnknown) return;
    const wanted = this.#host.wanted();
    const filter = listenFilter(source.facts.capabilities, wanted);
    if (filter === undefined) this.#closeAll(source.link);
    else this.#open(source.link, jsonBytes(filter), new Set(wanted.uris));
  }

  #open(link: Link, filter: string, uris: ReadonlySet<string>): void {
    const newest = this.#next ?? this.#current;
    if (newest?.filter === filter) {
      if (this.#next === undefined) this.#release();
      this.#settleBy(newest);
      return;
    }
    clearTimeout(this.#retry);
    if (this.#next !== undefined) this.#close(link, this.#next);
    const openedAt = performance.now();
    const stream: Stream = { id: -1, filter, uris, openedAt, timer: undefined, told: undefined };
    this.#next = stream;
    stream.timer = setTimeout(() => this.#onAcknowledged(stream), ACKNOWLEDGE_MS).unref();
    const waiter = {
      onResponse: (message: ResponseMessage) => this.#onAnswer(stream, message),
      onFailure: () => this.#onEnded(stream),
    };
    const params = link.ownParams(`{"notifications":${filter}}`);
    stream.id = link.send(waiter, (id) => requestText(id, 'subscriptions/listen', params));
  }

  /** An acknowledgement names what the server tells of; one that names nothing at all agrees to everything. */
  #onTold(id: number | undefined, message: NotificationMessage): void {
    const stream = [this.#next, this.#current].find((one) => one !== undefined && one.id === id);
    if (stream === undefined) return;
    stream.told = acknowledgedUris(message) ?? stream.uris;
    this.#settleBy(stream);
  }

  #settleBy({ told, uris }: Stream): void {
    if (told === undefined) return;
    for (const confirming of this.#confirming)
      if (uris.has(confirming.uri)) confirming.settle(told.has(confirming.uri) ? 'told' : 'refused');
  }

  #settleAll(confirmation: Confirmation, isMeant: (uri: string) => boolean = () => true): void {
    for (const confirming of this.#confirming) if (isMeant(confirming.uri)) confirming.settle(confirmation);
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
      this.#settleAll('refused');
      this.#host.log.debug({ event: 'listen' }, 'the server has no subscriptions/listen: changes are not heard of');
    }
    // Where it does not even open, what is new in it may be the reason: without that the next one opens.
    if (message.error !== undefined && stream.told === undefined)
      this.#settleAll('refused', (uri) => stream.uris.has(uri));
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
