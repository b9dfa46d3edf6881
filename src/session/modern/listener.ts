import { randomUUID } from 'node:crypto';
import type { CatalogueView } from '../../catalogue/catalogue-view.ts';
import type { Scope } from '../../core/access/permissions.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ClientAsk, ClientFacts, EntryKind, Provider, WithdrawAsk } from '../../core/providers/provider.ts';
import type { Throttle } from '../../core/timing/throttle.ts';
import { forModernClient } from '../../era/modern/modern-result.ts';
import { FLAG_OF, type ListenFilter } from '../../era/modern/subscription.ts';
import { jsonBytes } from '../../wire/bytes.ts';
import { stringEdits } from '../../wire/edits/call-text.ts';
import type { Frame } from '../../wire/frame.ts';
import type { NotificationMessage, RequestMessage } from '../../wire/message.ts';
import { madeReply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { ChangeListener } from '../change-listener.ts';
import type { Exchange } from '../exchange.ts';
import { LIST_OF, type ListName, listNotices } from '../notices.ts';
import type { SessionHost } from '../session-host.ts';
import { ClientSubscriptions } from '../subscriptions/client-subscriptions.ts';
import { honouredFilter } from './honoured-filter.ts';
import { ListenerOutput } from './listener-output.ts';

export interface ListenerOptions {
  /** The client whose process is asked, where each has its own, and whose tasks are told of. */
  readonly client: Pick<ClientFacts, 'clientId' | 'principal' | 'folderRule'>;
  readonly message: RequestMessage;
  readonly filter: ListenFilter;
  readonly exchange: Exchange;
  readonly onEnded: () => void;
}

/** One stream of changes: it acknowledges, tells what its filter lets pass, and ends with an empty result. */
export class Listener implements ChangeListener {
  readonly sessionId = randomUUID();
  /** Always false: it hears about changes, and nothing else. */
  readonly isListening = false;
  readonly #host: SessionHost;
  readonly #options: ListenerOptions;
  readonly #output: ListenerOutput;
  readonly #notices: Readonly<Record<ListName, Throttle>>;
  readonly #subscriptions: ClientSubscriptions;

  constructor(host: SessionHost, options: ListenerOptions) {
    const { client, message, exchange } = options;
    this.#host = host;
    this.#options = options;
    const output = new ListenerOutput(exchange, message.id);
    this.#output = output;
    const facts = subscriberFacts(client, host.catalogue.scope);
    const caller = { sessionId: this.sessionId, client: facts, ask: refuseAsk };
    this.#subscriptions = new ClientSubscriptions({ host, caller: () => caller });
    this.#notices = listNotices((list) =>
      output.tell(`{"jsonrpc":"2.0","method":"notifications/${list}/list_changed","params":{${output.meta}}}`),
    );
  }

  get catalogue(): CatalogueView {
    return this.#host.catalogue;
  }

  /** Says what it will tell, and begins. */
  open(): void {
    this.#host.directory.addListener(this);
    const { client, filter } = this.#options;
    const watcher = { sessionId: this.sessionId, ...client };
    const honoured = honouredFilter(filter, {
      catalogue: this.catalogue,
      subscriptions: this.#subscriptions,
      watcher,
    });
    const acknowledge = (agreed: ListenFilter) => this.#output.acknowledge(jsonBytes(agreed));
    if (honoured instanceof Promise) void honoured.then(acknowledge);
    else acknowledge(honoured);
  }

  onProvidersChanged(): void {
    this.#subscriptions.restore();
  }

  onSubscriptionsLost(provider: Provider): void {
    this.#subscriptions.onLost(provider);
  }

  onCatalogueChange(kinds: ReadonlySet<EntryKind>): void {
    this.#subscriptions.restore();
    const { filter } = this.#options;
    for (const list of new Set([...kinds].map((kind) => LIST_OF[kind])))
      if (this.#output.isOpen && filter[FLAG_OF[list]] === true) this.#notices[list].request();
  }

  onResourceUpdated(uri: string, frame: Frame, uriSpan: Span): void {
    this.#output.pass(frame, stringEdits(frame, uriSpan, uri));
  }

  onTaskChanged({ frame }: NotificationMessage): void {
    this.#output.pass(frame);
  }

  /** Drops the notification: none that belongs to no request is for a stream of changes. */
  onNotification(): void {}

  ask(ask: ClientAsk): WithdrawAsk {
    return refuseAsk(ask);
  }

  /** Ends the stream for the gateway: the empty result tells the client that this was meant. */
  finish(): void {
    if (!this.#end()) return;
    const { message, exchange } = this.#options;
    const result = madeReply('result', `{${this.#output.meta}}`);
    const reply = forModernClient(message.method, result, this.#host.serverInfoInResults());
    exchange.reply(reply.withId(message.id));
  }

  /** Ends the stream for its client, which has closed it or cancelled. */
  close(): void {
    if (this.#end()) this.#options.exchange.abandon();
  }

  #end(): boolean {
    if (!this.#output.close()) return false;
    for (const notice of Object.values(this.#notices)) notice.cancel();
    this.#host.directory.removeListener(this);
    this.#subscriptions.end();
    for (const provider of this.catalogue.providers) provider.onSessionEnded?.(this.sessionId);
    this.#options.onEnded();
    return true;
  }
}

/** Returns the client for requests in its name. They are made as legacy servers know them: `resources/subscribe` is not modern. */
function subscriberFacts(client: ListenerOptions['client'], scope: Scope): ClientFacts {
  return { era: 'legacy', ...client, capabilities: '{}', clientInfo: undefined, logLevel: undefined, scope };
}

function refuseAsk(ask: ClientAsk): WithdrawAsk {
  ask.onFailure(new GatewayError('CAPABILITY_MISSING', 'A stream of changes cannot be asked anything'));
  return () => undefined;
}
