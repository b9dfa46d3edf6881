import { randomUUID } from 'node:crypto';
import { GatewayError } from '../core/errors.ts';
import type {
  Caller,
  ClientAsk,
  ClientFacts,
  ClientSession,
  EntryKind,
  Provider,
  WithdrawAsk,
} from '../core/provider.ts';
import { type Throttle, throttle } from '../core/throttle.ts';
import { META } from '../era/modern.ts';
import { forModernClient } from '../era/modern-result.ts';
import { type ByteString, jsonBytes } from '../wire/bytes.ts';
import { edit, readCallText } from '../wire/call-text.ts';
import { Frame } from '../wire/frame.ts';
import { lastMember, membersOf, typeOfByte, valueAt } from '../wire/lens.ts';
import { paramsOf, type RequestMessage, readMessage } from '../wire/message.ts';
import { memberAdded } from '../wire/object-edits.ts';
import { madeReply, type Reply } from '../wire/reply.ts';
import type { Span } from '../wire/scanner.ts';
import type { Exchange } from './exchange.ts';
import { LIST_OF, type ListName, NOTICE_LIMITS } from './notices.ts';
import type { SessionHost } from './session.ts';

/** What a client wants to hear of (2026-07-28, "Subscriptions", "Notification Filter"). */
interface Filter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

const MAX_RESOURCES = 1_000;

const FLAG_OF: Readonly<Record<ListName, 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged'>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};

/** The filter of a `subscriptions/listen` request, or what is wrong with it. */
export function readFilter(message: RequestMessage): Filter | string {
  const span = lastMember(paramsOf(message), 'notifications');
  if (span === undefined || typeOfByte(message.frame.text[span.start]) !== 'object')
    return '"params.notifications" must be an object';
  const given = valueAt(message.frame.text, span) as Record<string, unknown>;
  for (const flag of Object.values(FLAG_OF))
    if (given[flag] !== undefined && typeof given[flag] !== 'boolean')
      return `"params.notifications.${flag}" must be true or false`;
  const uris = given.resourceSubscriptions;
  if (uris !== undefined && !(Array.isArray(uris) && uris.every((uri) => typeof uri === 'string')))
    return '"params.notifications.resourceSubscriptions" must be an array of strings';
  if (Array.isArray(uris) && uris.length > MAX_RESOURCES)
    return `"params.notifications.resourceSubscriptions" may have ${MAX_RESOURCES} uris`;
  return given as Filter;
}

export interface ListenerOptions {
  /** Whose process is asked, where each client has its own. */
  readonly clientId: string;
  readonly message: RequestMessage;
  readonly filter: Filter;
  readonly exchange: Exchange;
  readonly onEnded: () => void;
}

/** One stream of changes: it acknowledges, tells what its filter lets pass, and ends with an empty result. */
export class Listener implements ClientSession {
  readonly sessionId = randomUUID();
  readonly #host: SessionHost;
  readonly #clientId: string;
  readonly #message: RequestMessage;
  readonly #filter: Filter;
  readonly #exchange: Exchange;
  readonly #onEnded: () => void;
  readonly #notices: Readonly<Record<ListName, Throttle>>;
  #isOpen = true;

  constructor(host: SessionHost, { clientId, message, filter, exchange, onEnded }: ListenerOptions) {
    this.#host = host;
    this.#clientId = clientId;
    this.#message = message;
    this.#filter = filter;
    this.#exchange = exchange;
    this.#onEnded = onEnded;
    const notice = (list: ListName) =>
      throttle(
        () =>
          exchange.sendIfRoom(
            `{"jsonrpc":"2.0","method":"notifications/${list}/list_changed","params":{${this.#meta()}}}`,
          ),
        NOTICE_LIMITS,
      );
    this.#notices = { tools: notice('tools'), prompts: notice('prompts'), resources: notice('resources') };
  }

  /** Says what it will tell, and begins. */
  open(): void {
    const honoured = this.#honoured();
    this.#exchange.send(
      `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{${this.#meta()},"notifications":${jsonBytes(honoured)}}}`,
    );
    this.#host.directory.addListener(this);
    for (const uri of honoured.resourceSubscriptions ?? []) this.#subscribe(uri);
  }

  onCatalogueChange(kinds: ReadonlySet<EntryKind>): void {
    for (const list of new Set([...kinds].map((kind) => LIST_OF[kind])))
      if (this.#isOpen && this.#filter[FLAG_OF[list]] === true) this.#notices[list].request();
  }

  onResourceUpdated(provider: Provider, uri: string, frame: Frame, uriSpan: Span): void {
    const publicUri = this.#host.catalogue.publicUri(provider, uri);
    const { text } = frame;
    const params = lastMember(frame.outline.members, 'params')!;
    const meta = lastMember(membersOf(text, params), '_meta');
    const stamp =
      meta !== undefined && typeOfByte(text[meta.start]) === 'object'
        ? memberAdded(text, meta, this.#stamp())
        : memberAdded(text, params, this.#meta());
    const edits = publicUri === uri ? [stamp] : [stamp, edit(uriSpan, jsonBytes(publicUri))];
    this.#exchange.sendIfRoom(frame.splice(edits.sort((a, b) => a.start - b.start)));
  }

  /** Nothing that belongs to no request is for a stream of changes. */
  onNotification(): void {}

  ask(ask: ClientAsk): WithdrawAsk {
    ask.onFailure(new GatewayError('CAPABILITY_MISSING', 'A stream of changes cannot be asked anything'));
    return () => undefined;
  }

  /** The gateway ends it: the empty result tells the client that this was meant. */
  finish(): void {
    if (!this.#end()) return;
    const result = madeReply('result', `{${this.#meta()}}`);
    const reply = forModernClient(this.#message.method, result, this.#host.serverInfoInResults());
    this.#exchange.reply(reply.withId(this.#message.id));
  }

  /** The client has closed it, or cancelled. */
  close(): void {
    if (this.#end()) this.#exchange.abandon();
  }

  #end(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    for (const notice of Object.values(this.#notices)) notice.cancel();
    this.#host.directory.removeListener(this);
    for (const provider of this.#host.catalogue.providers) provider.onSessionEnded?.(this.sessionId);
    this.#onEnded();
    return true;
  }

  #honoured(): Filter {
    const flags = Object.values(FLAG_OF).filter((flag) => this.#filter[flag] === true);
    const uris = this.#filter.resourceSubscriptions?.filter((uri) => this.#host.catalogue.findResource(uri).length > 0);
    return {
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
      ...(uris !== undefined && { resourceSubscriptions: uris }),
    };
  }

  #subscribe(uri: string): void {
    const json = `{"jsonrpc":"2.0","id":0,"method":"resources/subscribe","params":{"uri":${jsonBytes(uri)}}}`;
    const message = readMessage(Frame.of(Buffer.from(json, 'latin1')));
    const text = message.kind === 'request' ? readCallText(message) : undefined;
    if (text !== undefined && !('problem' in text)) this.#host.router.call(text, this.#subscriber(uri));
  }

  #subscriber(uri: string): Caller {
    const { log } = this.#host;
    return {
      sessionId: this.sessionId,
      client: this.#facts(),
      ask: (ask) => this.ask(ask),
      onReply: (reply: Reply) => {
        if (reply.outcome === 'error') log.debug({ uri }, 'an upstream does not tell of changes of this resource');
      },
      onFailure: (error) => log.debug({ error, uri }, 'an upstream does not tell of changes of this resource'),
      onProgress: () => undefined,
      onNotification: () => undefined,
    };
  }

  #facts(): ClientFacts {
    // Our own request, made as legacy servers know it: `resources/subscribe` is none of the modern methods.
    return { era: 'legacy', clientId: this.#clientId, capabilities: '{}', clientInfo: undefined, logLevel: undefined };
  }

  #id(): ByteString {
    return this.#message.id;
  }

  #stamp(): ByteString {
    return `"${META.subscriptionId}":${this.#id()}`;
  }

  #meta(): ByteString {
    return `"_meta":{${this.#stamp()}}`;
  }
}
