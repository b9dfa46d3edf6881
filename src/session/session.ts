import type { Principal } from '../core/access/principal.ts';
import { GatewayError, toGatewayError } from '../core/errors.ts';
import { asObject } from '../core/json/as-object.ts';
import { startFolder } from '../core/providers/client-folder.ts';
import type {
  ClientAsk,
  ClientFacts,
  ClientSession,
  EntryKind,
  Provider,
  WithdrawAsk,
} from '../core/providers/provider.ts';
import type { Throttle } from '../core/timing/throttle.ts';
import { type PassedCapabilities, passedCapabilities } from '../era/extensions.ts';
import { allowsBatches, inNewestWords, type LegacyRevision, NEWEST_LEGACY, severityOf } from '../era/legacy/legacy.ts';
import { withoutTasks } from '../era/tasks.ts';
import { type Bytes, jsonBytes } from '../wire/bytes.ts';
import { readCallText, stringEdits } from '../wire/edits/call-text.ts';
import type { Frame } from '../wire/frame.ts';
import { idKey } from '../wire/ids.ts';
import { JsonTextError } from '../wire/json-error.ts';
import { lastMember, rawText } from '../wire/lens.ts';
import { type Message, type NotificationMessage, paramsOf, type RequestMessage } from '../wire/message.ts';
import { errorReply, type Reply } from '../wire/reply.ts';
import type { Span } from '../wire/scanning/outline.ts';
import { ActiveCall, type ActiveCallHost } from './active-call.ts';
import { ClientAsks } from './client-asks.ts';
import type { Exchange } from './exchange.ts';
import { denialError, failureReply } from './failure.ts';
import type { Denial } from './local/call-quota.ts';
import { localAnswer } from './local/local-answer.ts';
import { COUNTED_METHODS, PROVIDER_METHODS } from './local/local-methods.ts';
import { severityOfMessage } from './log-filter.ts';
import { LIST_OF, type ListName, listNotices } from './notices.ts';
import { askInRule } from './roots/asked-roots.ts';
import type { SessionHost, SessionOptions } from './session-host.ts';
import { ClientSubscriptions } from './subscriptions/client-subscriptions.ts';

const BAD_PARAMS = { code: -32602, message: 'Invalid params' };
const AMBIGUOUS = { code: -32600, message: 'Invalid request' };

/** Requests without a session, of clients that prove nothing, are counted together. */
const SESSIONLESS = 'sessionless';

/** One client from its first to its last message, in the legacy era. */
export class Session implements ClientSession, ActiveCallHost {
  readonly id: string;
  readonly transport: string;
  readonly profile: string | undefined;
  readonly startedAt = Date.now();
  readonly host: SessionHost;
  readonly #options: SessionOptions;
  /** Whose calls are counted together: all sessions of one principal are one client. */
  readonly #payer: string;
  readonly #calls = new Map<string, ActiveCall>();
  readonly #asks = new ClientAsks();
  readonly #subscriptions: ClientSubscriptions;
  /** Those that know the client's log level. */
  #levelled: readonly Provider[] = [];
  readonly #notices: Readonly<Record<ListName, Throttle>>;
  /** How many requests for each list wait for their answer. */
  readonly #listing: Record<EntryKind, number> = { tool: 0, prompt: 0, resource: 0, template: 0 };
  #revision: LegacyRevision = NEWEST_LEGACY;
  #capabilities: Readonly<Record<string, unknown>> = {};
  #clientInfo: Readonly<Record<string, unknown>> = {};
  #facts: ClientFacts;
  #logSeverity: number | undefined;
  #ready = false;
  #ended = false;

  constructor(host: SessionHost, options: SessionOptions) {
    this.id = options.id;
    this.transport = options.transport;
    this.profile = options.profile;
    this.host = host;
    this.#options = options;
    this.#payer = options.principal?.id || (options.isBrief === true ? SESSIONLESS : options.id);
    this.#facts = {
      era: 'legacy',
      clientId: options.id,
      principal: options.principal?.id,
      principalName: options.principal?.name,
      capabilities: '{}',
      clientInfo: undefined,
      logLevel: undefined,
      folder: startFolder(options.folder),
      folderRule: options.folderRule,
      depth: options.depth,
      ...(options.isBrief === true && { isSessionless: true }),
      scope: host.catalogue.scope,
    };
    this.#subscriptions = new ClientSubscriptions({
      host,
      caller: () => ({ sessionId: this.id, client: this.#facts, ask: (ask) => this.ask(ask) }),
    });
    this.#notices = listNotices((list) =>
      options.output(`{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}`),
    );
  }

  get sessionId(): string {
    return this.id;
  }

  get isListening(): boolean {
    return this.#options.isListening?.() ?? true;
  }

  get revision(): LegacyRevision {
    return this.#revision;
  }

  get clientInfo(): Readonly<Record<string, unknown>> {
    return this.#clientInfo;
  }

  get facts(): ClientFacts {
    return this.#facts;
  }

  get principal(): Principal | undefined {
    return this.#options.principal;
  }

  /** The client has said what it is. */
  get isIntroduced(): boolean {
    return this.#facts.clientInfo !== undefined;
  }

  /** What the client declares besides what it can be asked. */
  get passed(): PassedCapabilities {
    return passedCapabilities(this.#capabilities);
  }

  get openCalls(): number {
    return this.#calls.size;
  }

  /** The handshake is done. */
  get isReady(): boolean {
    return this.#ready;
  }

  get allowsBatches(): boolean {
    return allowsBatches(this.#revision);
  }

  /** Returns why a request of this client would be refused now. Calls are bounded, requests that ask no upstream are not. */
  denialOf(method: string): Denial | undefined {
    return COUNTED_METHODS.has(method) ? this.host.quota.denial(this.#payer) : undefined;
  }

  /** Takes one message of the client. What belongs to it goes to `exchange`. Never throws. */
  onMessage(message: Message, exchange: Exchange): void {
    try {
      this.#onMessage(message, exchange);
    } catch (error) {
      if (error instanceof JsonTextError && message.kind === 'request') {
        const parseError = { code: -32700, message: `Parse error: ${error.message}` };
        exchange.reply(errorReply(parseError).withId(message.id));
        return;
      }
      this.host.log.error({ error }, 'a fault of the gateway while it handled a message');
      if (message.kind === 'request')
        exchange.reply(failureReply(message.method, toGatewayError(error)).withId(message.id));
    }
  }

  /** What the client said of itself in `initialize`. */
  introduce(revision: LegacyRevision, params: Readonly<Record<string, unknown>>): void {
    this.#revision = revision;
    this.#capabilities = inNewestWords(revision, asObject(params.capabilities));
    this.#clientInfo = asObject(params.clientInfo);
    this.#facts = {
      ...this.#facts,
      capabilities: jsonBytes(withoutTasks(this.#capabilities)),
      clientInfo: jsonBytes(this.#clientInfo),
    };
  }

  /** The folder that the client says it works in now. */
  setFolder(folder: string): void {
    if (folder !== this.#facts.folder?.path)
      this.#facts = { ...this.#facts, folder: { path: folder, source: 'request' } };
  }

  /** From this level on the client wants log messages, from all providers. */
  setLogLevel(level: string): void {
    this.#logSeverity = severityOf(level);
    this.#facts = { ...this.#facts, logLevel: level };
    this.#levelled = [];
    this.#tellLogLevel();
  }

  /** Other providers are there: they get to know what the client wants to hear. */
  onProvidersChanged(): void {
    this.#tellLogLevel();
    this.#subscriptions.restore();
  }

  onSubscriptionsLost(provider: Provider): void {
    this.#subscriptions.onLost(provider);
  }

  onCatalogueChange(kinds: ReadonlySet<EntryKind>): void {
    if (!this.#ready) return;
    this.#subscriptions.restore();
    const news = [...kinds].filter((kind) => this.#listing[kind] === 0);
    for (const list of new Set(news.map((kind) => LIST_OF[kind]))) this.#notices[list].request();
  }

  /**
   * Waits until a list is known, then answers a request for it. A change before that is in the answer and needs no notice;
   * from the moment on at which `answer` is called, changes are told again.
   */
  async answerList(kind: EntryKind, whenKnown: Promise<void>, answer: () => Reply): Promise<Reply> {
    this.#listing[kind]++;
    try {
      await whenKnown;
    } finally {
      this.#listing[kind]--;
    }
    return answer();
  }

  onCallEnded(call: ActiveCall): void {
    this.#calls.delete(call.key);
    this.host.quota.onCallEnded(this.#payer);
  }

  ask(ask: ClientAsk, exchange?: Exchange): WithdrawAsk {
    const isOneWay = exchange?.takesOnlyAnswers === true;
    if (isOneWay && !this.isListening) {
      const how = 'it accepts no event stream (text/event-stream), and has none open by GET';
      ask.onFailure(new GatewayError('CAPABILITY_MISSING', `The client cannot be asked: ${how}`));
      return () => undefined;
    }
    const output = exchange === undefined || isOneWay ? this.#options.output : (bytes: Bytes) => exchange.send(bytes);
    return askInRule(ask, {
      rule: this.#facts.folderRule,
      tell: (message) => this.wantsNotification(message) && output(message.frame.bytes()),
      send: (checked) => this.#asks.send(checked, this.#capabilities, output),
    });
  }

  onNotification(message: NotificationMessage): void {
    if (this.wantsNotification(message)) this.#options.output(message.frame.bytes());
  }

  onTaskChanged(message: NotificationMessage): void {
    this.onNotification(message);
  }

  onResourceUpdated(uri: string, frame: Frame, uriSpan: Span): void {
    this.#options.output(frame.splice(stringEdits(frame, uriSpan, uri)));
  }

  /** Log messages below the client's level are not for it, whatever level another client of the upstream has asked for. */
  wantsNotification(message: NotificationMessage): boolean {
    if (message.method !== 'notifications/message' || this.#logSeverity === undefined) return true;
    return severityOfMessage(message) >= this.#logSeverity;
  }

  /** Nothing is served on the way any more by which the client has come. */
  hangUp(reason: string): void {
    this.#options.hangUp?.(reason);
    this.end();
  }

  /** The client has gone: its calls are cancelled, what it was asked fails. Harmless when called twice. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#ready = false;
    for (const notice of Object.values(this.#notices)) notice.cancel();
    for (const call of this.#calls.values()) call.cancel('"the client has disconnected"');
    this.#asks.end();
    this.#subscriptions.end();
    for (const provider of this.host.catalogue.providers) provider.onSessionEnded?.(this.id);
    this.host.onSessionEnded(this);
  }

  #onMessage(message: Message, exchange: Exchange): void {
    switch (message.kind) {
      case 'request':
        this.#onRequest(message, exchange);
        break;
      case 'notification':
        this.#onClientNotification(message);
        break;
      case 'response':
        if (!this.#asks.onResponse(message))
          this.host.log.debug({ id: message.id }, 'an answer to nothing that was asked');
        break;
      case 'invalid':
        exchange.reply(
          errorReply({ code: -32600, message: `Invalid request: ${message.reason}` }).withId(message.id ?? 'null'),
        );
    }
  }

  #onRequest(message: RequestMessage, exchange: Exchange): void {
    const answer = (reply: Reply) => exchange.reply(reply.withId(message.id));
    if (PROVIDER_METHODS.has(message.method)) {
      this.#callProvider(message, exchange, answer);
      return;
    }
    const outcome = localAnswer(message, { ...this.#options, session: this, payer: this.#payer });
    if (outcome instanceof Promise) void outcome.then(answer);
    else answer(outcome);
  }

  #callProvider(message: RequestMessage, exchange: Exchange, answer: (reply: Reply) => void): void {
    const text = readCallText(message);
    if ('problem' in text) {
      const error = text.isAmbiguous === true ? AMBIGUOUS : BAD_PARAMS;
      answer(errorReply({ code: error.code, message: `${error.message} for ${message.method}: ${text.problem}` }));
      return;
    }
    const key = idKey(message.id);
    if (this.#calls.has(key)) {
      answer(
        errorReply({
          code: -32600,
          message: `Invalid request: the id ${message.id} is in use by a request that is not answered yet`,
        }),
      );
      return;
    }
    const denial = this.host.quota.denial(this.#payer);
    if (denial !== undefined) {
      answer(failureReply(message.method, denialError(denial)));
      return;
    }
    const call = new ActiveCall(key, text, this, exchange);
    this.#calls.set(key, call);
    this.host.quota.onCallBegun(this.#payer);
    call.running = this.#subscriptions.call(text, call, (caller) => this.host.router.call(text, caller));
  }

  #tellLogLevel(): void {
    const { providers } = this.host.catalogue;
    const { logLevel } = this.#facts;
    if (logLevel === undefined) return;
    const before = this.#levelled;
    this.#levelled = providers;
    for (const provider of providers) if (!before.includes(provider)) provider.setLogLevel?.(this.id, logLevel);
  }

  #onClientNotification(message: NotificationMessage): void {
    switch (message.method) {
      case 'notifications/initialized':
        this.#onInitialized();
        break;
      case 'notifications/cancelled':
        this.#onCancelled(message);
        break;
      case 'notifications/progress':
        this.#asks.onProgress(message);
        break;
      case 'notifications/roots/list_changed':
        for (const provider of this.host.catalogue.providers) provider.onRootsChanged?.(this.id);
        break;
      default:
        this.host.log.debug({ method: message.method }, 'a notification that means nothing to the gateway');
    }
  }

  #onInitialized(): void {
    if (this.#ready || this.#ended) return;
    this.#ready = true;
    this.host.onSessionReady(this);
    if (this.#capabilities.roots === undefined) return;
    for (const provider of this.host.catalogue.providers) provider.onSessionReady?.(this.id);
  }

  #onCancelled(message: NotificationMessage): void {
    const { text } = message.frame;
    const params = paramsOf(message);
    const id = lastMember(params, 'requestId');
    const reason = lastMember(params, 'reason');
    if (id === undefined) return;
    this.#calls.get(idKey(rawText(text, id)))?.cancel(reason === undefined ? undefined : rawText(text, reason));
  }
}
