import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../core/errors.ts';
import type {
  ClientAsk,
  ClientFacts,
  ClientSession,
  EntryKind,
  Provider,
  WithdrawAsk,
} from '../../core/providers/provider.ts';
import type { Throttle } from '../../core/timing/throttle.ts';
import { META } from '../../era/modern/modern.ts';
import { forModernClient } from '../../era/modern/modern-result.ts';
import { FLAG_OF, type ListenFilter } from '../../era/modern/subscription.ts';
import { type ByteString, type Bytes, jsonBytes } from '../../wire/bytes.ts';
import { stringEdits } from '../../wire/edits/call-text.ts';
import { memberAdded } from '../../wire/edits/object-edits.ts';
import type { Edit, Frame } from '../../wire/frame.ts';
import { lastMember, membersOf, typeOfByte } from '../../wire/lens.ts';
import type { NotificationMessage, RequestMessage } from '../../wire/message.ts';
import { madeReply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { Exchange } from '../exchange.ts';
import { LIST_OF, type ListName, listNotices } from '../notices.ts';
import type { SessionHost } from '../session-host.ts';
import { ClientSubscriptions } from '../subscriptions/client-subscriptions.ts';

/** The acknowledgement waits this long for the upstreams; what they have not agreed to by then is left out of it. */
const AGREE_MS = 5_000;

/** So much is kept until a stream is acknowledged: nothing may come before that. */
const MAX_HELD = 64;

export interface ListenerOptions {
  /** Whose process is asked, where each client has its own, and whose tasks are told of. */
  readonly client: Pick<ClientFacts, 'clientId' | 'principal' | 'folderRule'>;
  readonly message: RequestMessage;
  readonly filter: ListenFilter;
  readonly exchange: Exchange;
  readonly onEnded: () => void;
}

/** One stream of changes: it acknowledges, tells what its filter lets pass, and ends with an empty result. */
export class Listener implements ClientSession {
  readonly sessionId = randomUUID();
  /** It hears of changes, and of nothing else. */
  readonly isListening = false;
  readonly host: SessionHost;
  readonly #client: ListenerOptions['client'];
  readonly #message: RequestMessage;
  readonly #filter: ListenFilter;
  readonly #exchange: Exchange;
  readonly #onEnded: () => void;
  readonly #notices: Readonly<Record<ListName, Throttle>>;
  readonly #subscriptions: ClientSubscriptions;
  #isOpen = true;
  /** What came before the acknowledgement. */
  #held: Bytes[] | undefined = [];

  constructor(host: SessionHost, { client, message, filter, exchange, onEnded }: ListenerOptions) {
    this.host = host;
    this.#client = client;
    this.#message = message;
    this.#filter = filter;
    this.#exchange = exchange;
    this.#onEnded = onEnded;
    this.#subscriptions = new ClientSubscriptions({
      host,
      caller: () => ({ sessionId: this.sessionId, client: this.#facts(), ask: (ask) => this.ask(ask) }),
    });
    this.#notices = listNotices((list) =>
      this.#tell(`{"jsonrpc":"2.0","method":"notifications/${list}/list_changed","params":{${this.#meta()}}}`),
    );
  }

  /** Says what it will tell, and begins. */
  open(): void {
    this.host.directory.addListener(this);
    const { taskIds, resourceSubscriptions: uris } = this.#filter;
    // A client need not ask for what it hears of: it must miss nothing while the upstreams are being told.
    if (taskIds === undefined && uris === undefined) this.#acknowledge(undefined, undefined);
    else
      void Promise.all([taskIds && this.#watch(taskIds), uris && this.#subscribe(uris)]).then(([watched, subscribed]) =>
        this.#acknowledge(watched, subscribed),
      );
  }

  onProvidersChanged(): void {
    this.#subscriptions.restore();
  }

  onSubscriptionsLost(provider: Provider): void {
    this.#subscriptions.onLost(provider);
  }

  onCatalogueChange(kinds: ReadonlySet<EntryKind>): void {
    this.#subscriptions.restore();
    for (const list of new Set([...kinds].map((kind) => LIST_OF[kind])))
      if (this.#isOpen && this.#filter[FLAG_OF[list]] === true) this.#notices[list].request();
  }

  onResourceUpdated(uri: string, frame: Frame, uriSpan: Span): void {
    const edits = [this.#stampOn(frame), ...stringEdits(frame, uriSpan, uri)];
    this.#tell(frame.splice(edits.sort((a, b) => a.start - b.start)));
  }

  onTaskChanged({ frame }: NotificationMessage): void {
    this.#tell(frame.splice([this.#stampOn(frame)]));
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
    const reply = forModernClient(this.#message.method, result, this.host.serverInfoInResults());
    this.#exchange.reply(reply.withId(this.#message.id));
  }

  /** The client has closed it, or cancelled. */
  close(): void {
    if (this.#end()) this.#exchange.abandon();
  }

  async #watch(ids: readonly string[]): Promise<readonly string[]> {
    const watcher = { sessionId: this.sessionId, ...this.#client };
    const watched = await Promise.all(
      ids.map(async (id) => {
        const route = this.host.catalogue.finder.findTask(id);
        return (await route?.provider.tasks?.watch(route.ownName, watcher)) === true;
      }),
    );
    return ids.filter((_id, index) => watched[index]);
  }

  /** Those of which it is clear in time that the client will hear of their changes. */
  async #subscribe(uris: readonly string[]): Promise<readonly string[]> {
    const known = uris.filter((uri) => this.host.catalogue.finder.findResource(uri).length > 0);
    const agreed = await Promise.all(known.map((uri) => trueWithin(this.#subscriptions.subscribe(uri), AGREE_MS)));
    return known.filter((_uri, index) => agreed[index]);
  }

  #acknowledge(taskIds: readonly string[] | undefined, uris: readonly string[] | undefined): void {
    if (!this.#isOpen) return;
    const honoured = this.#honoured(taskIds, uris);
    this.#exchange.send(
      `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{${this.#meta()},"notifications":${jsonBytes(honoured)}}}`,
    );
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const bytes of held) this.#tell(bytes);
  }

  #tell(bytes: Bytes): void {
    if (this.#held === undefined) this.#exchange.sendIfRoom(bytes);
    else if (this.#held.length < MAX_HELD) this.#held.push(bytes);
  }

  #end(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    for (const notice of Object.values(this.#notices)) notice.cancel();
    this.host.directory.removeListener(this);
    this.#subscriptions.end();
    for (const provider of this.host.catalogue.providers) provider.onSessionEnded?.(this.sessionId);
    this.#onEnded();
    return true;
  }

  #honoured(taskIds: readonly string[] | undefined, uris: readonly string[] | undefined): ListenFilter {
    const filter = this.#filter;
    const flags = Object.values(FLAG_OF).filter((flag) => filter[flag] === true);
    return {
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
      ...(uris !== undefined && { resourceSubscriptions: uris }),
      ...(taskIds !== undefined && { taskIds }),
    };
  }

  #facts(): ClientFacts {
    // Our own request, made as legacy servers know it: `resources/subscribe` is none of the modern methods.
    return {
      era: 'legacy',
      ...this.#client,
      capabilities: '{}',
      clientInfo: undefined,
      logLevel: undefined,
      scope: this.host.catalogue.scope,
    };
  }

  #id(): ByteString {
    return this.#message.id;
  }

  /** The edit that names this stream in a notification. */
  #stampOn({ text, outline }: Frame): Edit {
    const params = lastMember(outline.members, 'params')!;
    const members = membersOf(text, params);
    const meta = lastMember(members, '_meta');
    return meta !== undefined && typeOfByte(text[meta.start]) === 'object'
      ? memberAdded(meta, membersOf(text, meta), this.#stamp())
      : memberAdded(params, members, this.#meta());
  }

  #stamp(): ByteString {
    return `"${META.subscriptionId}":${this.#id()}`;
  }

  #meta(): ByteString {
    return `"_meta":{${this.#stamp()}}`;
  }
}

/** Whether a promise resolves to true within `ms`. */
function trueWithin(promise: Promise<boolean>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void promise.then((isTrue) => {
      clearTimeout(timer);
      resolve(isTrue);
    });
  });
}
