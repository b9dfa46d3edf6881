import { GatewayError } from '../../core/errors.ts';
import { callerWith } from '../../core/providers/caller.ts';
import { type Caller, NOTHING_TO_CANCEL, type Provider, type RunningCall } from '../../core/providers/provider.ts';
import { jsonBytes } from '../../wire/bytes.ts';
import { type CallText, readCallText } from '../../wire/edits/call-text.ts';
import { madeRequest } from '../../wire/message.ts';
import type { SessionHost } from '../session-host.ts';
import { type OpenSubscribe, OpenSubscribes } from './open-subscribes.ts';
import { UriAliases } from './uri-aliases.ts';

/** After a failure it is tried again after this long, and later each time. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** A client that watches each file of a large project has fewer. */
const MAX_SUBSCRIPTIONS = 10_000;
/** The number of characters of a uri. */
const MAX_URI = 8 * 1024;

export interface SubscriberOptions {
  readonly host: Pick<SessionHost, 'catalogue' | 'router' | 'log'>;
  /** The client, for requests that are made in its name. */
  readonly caller: () => Pick<Caller, 'sessionId' | 'client' | 'ask'>;
}

/** A resource of which the client was told that it hears of changes. */
interface Wanted {
  /** Who has agreed; `undefined` while nobody does, because that provider has been replaced. */
  provider: Provider | undefined;
  /** The id of the provider, which the one that takes its place has too. */
  readonly id: string;
  asking: RunningCall | undefined;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The resources of which one client hears, by the uri that it used. Providers come and go with the config: what the client was
 * promised is asked for again of the one that takes another's place, until that agrees.
 */
export class ClientSubscriptions {
  readonly #options: SubscriberOptions;
  readonly #wanted = new Map<string, Wanted>();
  readonly #open = new OpenSubscribes();
  /** The uris of both that mean the same resource. */
  readonly #aliases = new UriAliases((uri) => this.#resourceOf(uri));
  /** First requests that are not answered yet. */
  readonly #first = new Set<RunningCall>();
  #isEnded = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
  }

  /** Sends a request of the client on its way; what comes of it is noted where it is about a subscription. */
  call(text: CallText, caller: Caller, send: (caller: Caller) => RunningCall): RunningCall {
    const { message, target } = text;
    if (message.method === 'resources/unsubscribe') this.#dropAll(target);
    return message.method === 'resources/subscribe' ? this.#callNoting(target, caller, send) : send(caller);
  }

  /** Asks for a resource in the client's name. Resolves to whether the client will hear of its changes. */
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

  /** Other providers may be there, or may offer something else: what nobody tells of any more is asked for again. */
  restore(): void {
    this.#aliases.forget();
    for (const [uri, wanted] of this.#wanted) this.#check(uri, wanted);
  }

  /** A provider has lost what it had for this client. */
  onLost(provider: Provider): void {
    for (const wanted of this.#wanted.values()) if (wanted.provider === provider) lose(wanted);
    this.restore();
  }

  /** The client has gone. */
  end(): void {
    this.#isEnded = true;
    for (const running of this.#first) running.cancel();
    this.#first.clear();
    for (const uri of this.#wanted.keys()) this.#drop(uri);
  }

  #callNoting(uri: string, caller: Caller, send: (caller: Caller) => RunningCall): RunningCall {
    const refusal = this.#refusalOf(uri);
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

  /** What is kept of a client has a bound. A resource that it has already is asked for again without taking more room. */
  #refusalOf(uri: string): GatewayError | undefined {
    if (uri.length > MAX_URI) {
      const text = `Invalid params: "uri" has ${uri.length} characters; a subscription may have ${MAX_URI}`;
      return new GatewayError('INVALID_PARAMS', text, { effect: 'none' });
    }
    if (this.#wanted.has(uri) || this.#wanted.size + this.#open.size < MAX_SUBSCRIPTIONS) return undefined;
    const text = `This client has ${MAX_SUBSCRIPTIONS} subscriptions, which is the most. Unsubscribe from some first`;
    return new GatewayError('OVERLOADED', text, { effect: 'none' });
  }

  #note(uri: string, provider: Provider): void {
    if (this.#isEnded) return;
    this.#drop(uri);
    const wanted: Wanted = { provider, id: provider.id, asking: undefined, failures: 0, timer: undefined };
    this.#wanted.set(uri, wanted);
    this.#aliases.add(uri);
    // It may have been replaced while it answered.
    this.#check(uri, wanted);
  }

  /** The client may name one resource by the public uri and by the server's own. */
  #dropAll(uri: string): void {
    const all = () => [...this.#wanted.keys(), ...this.#open.uris()];
    for (const other of new Set([uri, ...this.#aliases.of(uri, all)])) {
      this.#open.takeBack(other);
      this.#drop(other);
    }
  }

  #check(uri: string, wanted: Wanted): void {
    const { providers } = this.#options.host.catalogue;
    if (wanted.provider !== undefined && !providers.includes(wanted.provider)) lose(wanted);
    if (wanted.provider === undefined) this.#restore(uri, wanted);
  }

  #close(uri: string, request: OpenSubscribe): void {
    this.#open.delete(uri, request);
    if (!this.#wanted.has(uri) && !this.#open.has(uri)) this.#aliases.remove(uri);
  }

  /** Whose resource it is and what it is called there; `undefined` where nobody owns it. */
  #resourceOf(uri: string): string | undefined {
    const routes = this.#options.host.catalogue.finder.findResource(uri);
    return routes.length === 1 ? `${routes[0]!.provider.id} ${routes[0]!.ownName}` : undefined;
  }

  #drop(uri: string): void {
    const wanted = this.#wanted.get(uri);
    if (wanted === undefined) return;
    this.#wanted.delete(uri);
    if (!this.#open.has(uri)) this.#aliases.remove(uri);
    clearTimeout(wanted.timer);
    wanted.asking?.cancel();
  }

  #restore(uri: string, wanted: Wanted): void {
    if (wanted.asking !== undefined || !this.#isStillOf(uri, wanted.id)) return;
    clearTimeout(wanted.timer);
    let isSettled = false;
    const running = this.#ask(uri, (failure) => {
      isSettled = true;
      wanted.asking = undefined;
      if (failure !== undefined && this.#wanted.get(uri) === wanted) this.#onFailed(uri, wanted, failure);
    });
    if (!isSettled) wanted.asking = running;
  }

  #onFailed(uri: string, wanted: Wanted, failure: GatewayError | 'refused'): void {
    this.#options.host.log.debug(
      { uri, failure },
      'nobody tells of changes of a resource now, of which a client was to hear',
    );
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** wanted.failures++, MAX_DELAY_MS);
    clearTimeout(wanted.timer);
    wanted.timer = setTimeout(() => this.restore(), delayMs).unref();
  }

  /** A uri must not be told to another server than the one that the client has subscribed to. */
  #isStillOf(uri: string, id: string): boolean {
    const routes = this.#options.host.catalogue.finder.findResource(uri);
    return routes.length === 1 && routes[0]!.provider.id === id;
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

function lose(wanted: Wanted): void {
  wanted.provider = undefined;
  wanted.failures = 0;
}
