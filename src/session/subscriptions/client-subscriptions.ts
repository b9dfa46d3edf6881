import type { CatalogueView } from '../../catalogue/catalogue-view.ts';
import { GatewayError } from '../../core/errors.ts';
import { callerWith } from '../../core/providers/caller.ts';
import { type Caller, NOTHING_TO_CANCEL, type Provider, type RunningCall } from '../../core/providers/provider.ts';
import { jsonBytes } from '../../wire/bytes.ts';
import { type CallText, readCallText } from '../../wire/edits/call-text.ts';
import { madeRequest } from '../../wire/message.ts';
import type { SessionHost } from '../session-host.ts';
import { type OpenSubscribe, OpenSubscribes } from './open-subscribes.ts';
import { UriAliases } from './uri-aliases.ts';
import { WantedResource } from './wanted-resource.ts';

/** The most subscriptions of one client. A client that watches each file of a large project has fewer. */
const MAX_SUBSCRIPTIONS = 10_000;
/** The most characters of a uri. */
const MAX_URI = 8 * 1024;

export interface SubscriberOptions {
  readonly host: Pick<SessionHost, 'catalogue' | 'router' | 'log'>;
  /** The client, for requests that are made in its name. */
  readonly caller: () => Pick<Caller, 'sessionId' | 'client' | 'ask'>;
}

/**
 * The resources of which one client hears, by the uri that it used. Providers come and go with the config: what the client was
 * promised is asked for again of the one that takes another's place, until that agrees.
 */
export class ClientSubscriptions {
  readonly #options: SubscriberOptions;
  readonly #wanted = new Map<string, WantedResource>();
  readonly #open = new OpenSubscribes();
  /** The uris of both that mean the same resource. */
  readonly #aliases: UriAliases;
  /** First requests that are not answered yet. */
  readonly #first = new Set<RunningCall>();
  #isEnded = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.#aliases = new UriAliases((uri) => resourceOf(options.host.catalogue, uri));
  }

  /** Sends a request of the client on its way, and notes the outcome where it is about a subscription. */
  call(text: CallText, caller: Caller, send: (caller: Caller) => RunningCall): RunningCall {
    const { message, target } = text;
    if (message.method === 'resources/unsubscribe') this.#dropAll(target);
    return message.method === 'resources/subscribe' ? this.#callNoting(target, caller, send) : send(caller);
  }

  /** Asks for a resource in the client's name. Resolves to whether the client will hear about its changes. */
  subscribe(uri: string): Promise<boolean> {
    return new Promise((resolve) => {
      let running: RunningCall | undefined;
      let isSettled = false;
      const settle = (isGood: boolean) => {
        isSettled = true;
        if (running !== undefined) this.#first.delete(running);
        resolve(isGood);
      };
      running = this.#ask(uri, (failure) => settle(failure === undefined));
      if (running === undefined) settle(false);
      else if (!isSettled) this.#first.add(running);
    });
  }

  /** Asks again for resources that no provider reports any more: other providers may be there, or may offer something else. */
  restore(): void {
    this.#aliases.forget();
    for (const [uri, wanted] of this.#wanted) this.#check(uri, wanted);
  }

  /** Asks again for the resources of a provider: it has lost what it had for this client. */
  onLost(provider: Provider): void {
    for (const wanted of this.#wanted.values()) if (wanted.provider === provider) wanted.lose();
    this.restore();
  }

  /** Takes back everything: the client has gone. */
  end(): void {
    this.#isEnded = true;
    for (const running of this.#first) running.cancel();
    this.#first.clear();
    for (const uri of this.#wanted.keys()) this.#drop(uri);
  }

  #callNoting(uri: string, caller: Caller, send: (caller: Caller) => RunningCall): RunningCall {
    const refusal = refusalOf(uri, this.#wanted.has(uri) ? 0 : this.#wanted.size + this.#open.size);
    if (refusal !== undefined) {
      caller.onFailure(refusal);
      return NOTHING_TO_CANCEL;
    }
    const request = this.#open.add(uri);
    this.#aliases.add(uri);
    let provider: Provider | undefined;
    const noting = callerWith(caller, {
      onReply: (reply) => {
        this.#close(uri, request);
        const isGood = reply.outcome === 'result' && !request.isTakenBack;
        if (isGood && provider !== undefined) this.#note(uri, provider);
        caller.onReply(reply);
      },
      onFailure: (error) => {
        this.#close(uri, request);
        caller.onFailure(error);
      },
    });
    const onRoute: Caller['onRoute'] = (to, descriptor) => {
      provider = to;
      caller.onRoute?.(to, descriptor);
    };
    const running = send({ ...noting, onRoute });
    return {
      cancel: (reason) => {
        this.#close(uri, request);
        running.cancel(reason);
      },
    };
  }

  #note(uri: string, provider: Provider): void {
    if (this.#isEnded) return;
    this.#drop(uri);
    const wanted = new WantedResource(provider);
    this.#wanted.set(uri, wanted);
    this.#aliases.add(uri);
    // It may have been replaced while it answered.
    this.#check(uri, wanted);
  }

  /** Drops a resource by each of its uris: the client may use the public one and the server's own. */
  #dropAll(uri: string): void {
    const all = () => [...this.#wanted.keys(), ...this.#open.uris()];
    for (const other of new Set([uri, ...this.#aliases.of(uri, all)])) {
      this.#open.takeBack(other);
      this.#drop(other);
    }
  }

  #check(uri: string, wanted: WantedResource): void {
    const { providers } = this.#options.host.catalogue;
    if (wanted.provider !== undefined && !providers.includes(wanted.provider)) wanted.lose();
    if (wanted.provider === undefined) this.#restore(uri, wanted);
  }

  #close(uri: string, request: OpenSubscribe): void {
    this.#open.delete(uri, request);
    if (!this.#wanted.has(uri) && !this.#open.has(uri)) this.#aliases.remove(uri);
  }

  #drop(uri: string): void {
    const wanted = this.#wanted.get(uri);
    if (wanted === undefined) return;
    this.#wanted.delete(uri);
    if (!this.#open.has(uri)) this.#aliases.remove(uri);
    wanted.end();
  }

  #restore(uri: string, wanted: WantedResource): void {
    const { catalogue, log } = this.#options.host;
    // A uri must not be told to another server than the one that the client has subscribed to.
    if (wanted.asking !== undefined || soleRoute(catalogue, uri)?.provider.id !== wanted.id) return;
    wanted.stopWaiting();
    let isSettled = false;
    const running = this.#ask(uri, (failure) => {
      isSettled = true;
      wanted.asking = undefined;
      if (failure === undefined || this.#wanted.get(uri) !== wanted) return;
      log.debug({ uri, failure }, 'changes of a subscribed resource are no longer reported');
      wanted.tryLater(() => this.restore());
    });
    if (!isSettled) wanted.asking = running;
  }

  /** `onSettled` gets nothing where the provider has agreed, which then is noted. */
  #ask(uri: string, onSettled: (failure?: GatewayError | 'refused') => void): RunningCall | undefined {
    const text = readCallText(madeRequest('resources/subscribe', `{"uri":${jsonBytes(uri)}}`));
    if ('problem' in text) return undefined;
    const { sessionId, client, ask } = this.#options.caller();
    const caller: Caller = {
      sessionId,
      client,
      ask,
      onReply: ({ outcome }) => onSettled(outcome === 'result' ? undefined : 'refused'),
      onFailure: onSettled,
      onProgress: () => undefined,
      onNotification: () => undefined,
    };
    return this.#callNoting(uri, caller, (noting) => this.#options.host.router.call(text, noting));
  }
}

/**
 * Returns why a client may not subscribe: what is kept of it has a bound.
 * @param kept the number of its other subscriptions; 0 for a resource that it has already, which takes no more room
 */
function refusalOf(uri: string, kept: number): GatewayError | undefined {
  if (uri.length > MAX_URI) {
    const text = `Invalid params: "uri" has ${uri.length} characters; a subscription may have ${MAX_URI}`;
    return new GatewayError('INVALID_PARAMS', text, { effect: 'none' });
  }
  if (kept < MAX_SUBSCRIPTIONS) return undefined;
  const text = `This client has ${MAX_SUBSCRIPTIONS} subscriptions, which is the most. Unsubscribe from some first`;
  return new GatewayError('OVERLOADED', text, { effect: 'none' });
}

/** Returns the one route of a resource; `undefined` if it has none, or several. */
function soleRoute(
  catalogue: CatalogueView,
  uri: string,
): ReturnType<CatalogueView['finder']['findResource']>[number] | undefined {
  const routes = catalogue.finder.findResource(uri);
  return routes.length === 1 ? routes[0] : undefined;
}

/** Returns the owner of a resource and its name there; `undefined` if it has no owner. */
function resourceOf(catalogue: CatalogueView, uri: string): string | undefined {
  const route = soleRoute(catalogue, uri);
  return route && `${route.provider.id} ${route.ownName}`;
}
