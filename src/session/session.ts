import type { ClientAsk, ClientSession, EntryKind } from '../core/providers/provider.ts';
import type { Message } from '../wire/message.ts';
import { ConnectedClient } from './connected-client.ts';
import type { Exchange } from './exchange.ts';
import { Inbox } from './legacy/inbox.ts';
import { LegacyIntroduction } from './legacy/introduction.ts';
import { ListNotices } from './legacy/list-notices.ts';
import { ClientLogLevel } from './legacy/log-level.ts';
import { Mailbox } from './legacy/mailbox.ts';
import { OpenCalls } from './legacy/open-calls.ts';
import { Questions } from './legacy/questions.ts';
import type { Denial } from './local/call-quota.ts';
import type { LocalClient } from './local/local-client.ts';
import type { SessionHost, SessionOptions } from './session-host.ts';
import { ClientSubscriptions } from './subscriptions/client-subscriptions.ts';

/** Requests without a session, of clients that prove nothing, are counted together. */
const SESSIONLESS = 'sessionless';

/** One client from its first to its last message, in the legacy era. */
export class Session extends ConnectedClient implements LocalClient {
  readonly introduction: LegacyIntroduction;
  readonly logLevel: ClientLogLevel;
  readonly lists: ListNotices;
  /** The client as providers reach it outside of its calls. */
  readonly mailbox: ClientSession;
  readonly #questions: Questions;
  readonly #subscriptions: ClientSubscriptions;
  readonly #calls: OpenCalls;
  readonly #inbox: Inbox;
  readonly #onEnded: (session: Session) => void;
  #state: 'new' | 'ready' | 'ended' = 'new';

  /** @param onEnded is called once, when the session has ended */
  constructor(host: SessionHost, options: SessionOptions, onEnded: (session: Session) => void) {
    super(host, options);
    const { id: sessionId, output, isListening = () => true, extraMethods } = options;
    const payer = payerOf(options);
    this.#onEnded = onEnded;
    const introduction = new LegacyIntroduction(options, host.catalogue.scope);
    const logLevel = new ClientLogLevel(sessionId, host.catalogue, introduction);
    const questions = new Questions({ introduction, logLevel, output, isListening });
    const caller = () => ({ sessionId, client: introduction.facts, ask: (ask: ClientAsk) => questions.ask(ask) });
    const subscriptions = new ClientSubscriptions({ host, caller });
    const calls = new OpenCalls({ sessionId, host, payer, introduction, logLevel, questions, subscriptions });
    this.introduction = introduction;
    this.logLevel = logLevel;
    this.lists = new ListNotices(output);
    this.mailbox = new Mailbox({ sessionId, output, isListening, logLevel, questions, subscriptions });
    this.#questions = questions;
    this.#subscriptions = subscriptions;
    this.#calls = calls;
    const onInitialized = () => this.#onInitialized();
    this.#inbox = new Inbox({ client: this, extraMethods, payer, calls, questions, onInitialized });
  }

  get openCalls(): number {
    return this.#calls.size;
  }

  /** The handshake is done, and the session has not ended. */
  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** Returns why a request of this client would be refused now. Calls are bounded, requests that ask no upstream are not. */
  denialOf(method: string): Denial | undefined {
    return this.#calls.denialOf(method);
  }

  /** Takes one message of the client. The answer, and what else belongs to it, goes to `exchange`. Never throws. */
  onMessage(message: Message, exchange: Exchange): void {
    this.#inbox.onMessage(message, exchange);
  }

  /** Tells new providers what the client wants to hear about. */
  onProvidersChanged(): void {
    this.logLevel.tell();
    this.#subscriptions.restore();
  }

  /** Lists of the client's view have changed. */
  onCatalogueChange(kinds: ReadonlySet<EntryKind>): void {
    if (!this.isReady) return;
    this.#subscriptions.restore();
    this.lists.onChange(kinds);
  }

  /** The client has gone: its calls are cancelled, what it was asked fails. Harmless when called twice. */
  end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.lists.cancel();
    this.#calls.cancelAll('"the client has disconnected"');
    this.#questions.end();
    this.#subscriptions.end();
    for (const provider of this.host.catalogue.providers) provider.onSessionEnded?.(this.id);
    this.#onEnded(this);
  }

  #onInitialized(): void {
    if (this.#state !== 'new') return;
    this.#state = 'ready';
    if (this.introduction.capabilities.roots === undefined) return;
    for (const provider of this.host.catalogue.providers) provider.onSessionReady?.(this.id);
  }
}

/** Returns the id under which the calls of a session are counted: all sessions of one principal are one client. */
function payerOf({ id, principal, isBrief }: SessionOptions): string {
  return principal?.id || (isBrief === true ? SESSIONLESS : id);
}
