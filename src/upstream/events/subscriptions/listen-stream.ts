import { listenFilter, subscriptionOf, unstamped, type Wanted } from '../../../era/modern/subscription.ts';
import type { Log } from '../../../telemetry/log.ts';
import { jsonBytes } from '../../../wire/bytes.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../../../wire/lens.ts';
import type { NotificationMessage, ResponseMessage } from '../../../wire/message.ts';
import type { ServerFacts } from '../../connection/handshake.ts';
import type { Link } from '../../connection/link.ts';
import { type Confirmation, Confirmations } from './confirmations.ts';
import { OpenStream, type StreamFilter } from './open-stream.ts';
import { RetryPause } from './retry-pause.ts';
import { StreamPair } from './stream-pair.ts';
import { WantedChanges } from './wanted-changes.ts';

const STAMPED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tasks',
]);

export interface ListenStreamHost {
  readonly log: Log;
  /** Returns the resources and tasks of which clients want to hear. */
  wanted(): Wanted;
  /** Lists may have changed while no stream was open. */
  onMissed(): void;
}

/**
 * The one `subscriptions/listen` request to a modern upstream that is kept open (2026-07-28, "Subscriptions"). Where
 * another filter is wanted, a new stream is opened first and the old one ended once the new one is acknowledged, so
 * that nothing is missed in between.
 */
export class ListenStream {
  readonly #host: ListenStreamHost;
  readonly #changes = new WantedChanges(() => this.#replace());
  #source: { readonly link: Link; readonly facts: ServerFacts } | undefined;
  readonly #streams = new StreamPair();
  /** A stream has ended, or could not be opened. */
  readonly #retry = new RetryPause(() => this.#replace());
  #hasMissed = false;
  #isUnknown = false;
  readonly #confirmations = new Confirmations();

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
    this.#streams.forget();
    this.#retry.reset();
    this.#hasMissed = false;
    this.#isUnknown = false;
    this.#changes.clear();
    this.#confirmations.settleAll('lost');
  }

  /** Tells whether the server has no such streams. */
  get isUnknown(): boolean {
    return this.#isUnknown;
  }

  /** Called when other resources or tasks are wanted. Resolves when a stream reports them, or when it is clear that none will. */
  onWantedChanged(): Promise<void> {
    if (this.#source === undefined || this.#isUnknown) return Promise.resolve();
    return this.#changes.note();
  }

  /** Asks for a resource, which is wanted already. Resolves to what the server says about it, within `patienceMs`. */
  confirm(uri: string, patienceMs: number): Promise<Confirmation> {
    if (this.#source === undefined) return Promise.resolve('lost');
    if (this.#isUnknown) return Promise.resolve('refused');
    const confirmed = this.#confirmations.wait(uri, patienceMs);
    void this.onWantedChanged();
    return confirmed;
  }

  /** Returns a notification without its stamp; `undefined` if it is of no use to the gateway. */
  take(message: NotificationMessage): NotificationMessage | undefined {
    const isAcknowledgement = message.method === 'notifications/subscriptions/acknowledged';
    if (!isAcknowledgement && !STAMPED.has(message.method)) return message;
    const id = subscriptionOf(message);
    const stream = this.#streams.find(id);
    if (isAcknowledgement && stream !== undefined) {
      stream.onAcknowledgement(message);
      this.#confirmations.settleBy(stream);
    }
    if (stream !== undefined) this.#onAcknowledged(stream);
    if (isAcknowledgement) return undefined;
    // One that the stream before tells too would be heard twice.
    return id === undefined || id === this.#streams.current?.id ? unstamped(message) : undefined;
  }

  #replace(): void {
    this.#changes.begin();
    const source = this.#source;
    if (source === undefined || this.#isUnknown) return;
    const wanted = this.#host.wanted();
    const filter = listenFilter(source.facts.capabilities, wanted);
    if (filter === undefined) {
      this.#streams.close();
      this.#changes.release();
    } else this.#open(source.link, { json: jsonBytes(filter), uris: new Set(wanted.uris) });
  }

  #open(link: Link, filter: StreamFilter): void {
    const { newest, next } = this.#streams;
    if (newest?.filter.json === filter.json) {
      if (next === undefined) this.#changes.release();
      this.#confirmations.settleBy(newest);
      return;
    }
    this.#retry.cancel();
    const stream = new OpenStream(filter, {
      onOverdue: () => this.#onAcknowledged(stream),
      onAnswer: (message) => this.#onAnswer(stream, message),
      onEnded: () => this.#onEnded(stream),
    });
    // A stream that fails at once must already be known as the newest one.
    this.#streams.follow(stream);
    stream.open(link);
  }

  /** A stream tells something, or is overdue: if it is the next one, it takes over. */
  #onAcknowledged(stream: OpenStream): void {
    if (stream !== this.#streams.next) return;
    this.#streams.promote();
    if (!this.#changes.isDue) this.#changes.release();
    if (this.#hasMissed) this.#host.onMissed();
    this.#hasMissed = false;
  }

  #onAnswer(stream: OpenStream, message: ResponseMessage): void {
    if (message.error !== undefined && isUnknownMethod(message)) {
      this.#isUnknown = true;
      this.#confirmations.settleAll('refused');
      this.#host.log.debug({ event: 'listen' }, 'the server has no subscriptions/listen: changes are not heard of');
    }
    // If it does not even open, what is new in it may be the reason: without that the next one opens.
    if (message.error !== undefined && stream.told === undefined) this.#confirmations.settleAll('refused', stream.uris);
    this.#onEnded(stream);
  }

  /** A stream that was not closed here has ended: another follows, after a while. */
  #onEnded(stream: OpenStream): void {
    if (!this.#streams.remove(stream)) return;
    this.#changes.release();
    if (this.#source === undefined || this.#isUnknown || this.#streams.next !== undefined) return;
    this.#hasMissed = true;
    this.#retry.begin(performance.now() - stream.openedAt);
  }
}

function isUnknownMethod({ frame, error }: ResponseMessage): boolean {
  const { text } = frame;
  if (error === undefined || typeOfByte(text[error.start]) !== 'object') return false;
  const code = lastMember(membersOf(text, error), 'code');
  return code !== undefined && rawText(text, code) === '-32601';
}
