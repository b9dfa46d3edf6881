import { GatewayError } from '../../core/errors.ts';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { attachBrowser } from '../attach/attach-browser.ts';
import { type DebugAddress, parseDebugUrl } from '../attach/debug-url.ts';
import { CdpError } from '../cdp/cdp-error.ts';
import { browserFailed } from '../failure.ts';
import { type AddressRules, type AddressRulesOptions, addressRules } from '../guard/address-rules.ts';
import type { Page } from '../page/page.ts';
import { disposeContext, type Ground, makeContext } from './ground.ts';
import { type Launch, SharedBrowsers } from './shared-browsers.ts';
import { type OwnClaims, TargetClaims } from './target-claims.ts';
import { requireUsable } from './usable-page.ts';
import { Visit } from './visit.ts';

export interface VisitsOptions {
  /** Starts a browser. */
  readonly launch: Launch;
  /** The allowed addresses. `own` are those of the gateways; the browsers' debugging addresses are added. */
  readonly addresses: AddressRulesOptions;
  /** Hosts besides this machine whose browsers may be connected to. */
  readonly debugHosts: readonly string[];
  /** Absolute path of the folder for downloads; `undefined` refuses them. */
  readonly downloads?: string | undefined;
  /** Limits; `{ visits: 16, tabs: 20 }` if missing. */
  readonly limits?: { readonly visits: number; readonly tabs: number };
  /** @param sentence says what happened to a page */
  readonly onEvent: (page: Page, sentence: string) => void;
}

/** The browser that a client asks for. */
export interface VisitRequest {
  /** `http://host:port` of a browser that listens for debuggers; `undefined` starts one. */
  readonly debugUrl?: string | undefined;
  /** True for a context of its own in that browser. A browser that is started always gives one. */
  readonly isolated?: boolean | undefined;
  /** False opens windows; true if missing. */
  readonly headless?: boolean | undefined;
  /** Limit for each later operation, in milliseconds. */
  readonly timeoutMs: number;
  /** Gives up; then nothing is left of the visit. */
  readonly signal: AbortSignal;
}

interface OpenVisit {
  readonly abort: AbortController;
  readonly opened: Promise<Visit>;
  visit: Visit | undefined;
  closing: Promise<void> | undefined;
}

interface Opening {
  readonly ground: Ground;
  readonly claims: OwnClaims;
  readonly targetId: string | undefined;
}

const LIMITS = { visits: 16, tabs: 20 };

/** The browsers of all clients: each client has one visit at most. */
export class Visits {
  readonly #options: VisitsOptions;
  readonly #browsers: SharedBrowsers;
  readonly #claims = new TargetClaims();
  readonly #places = new Map<string, OpenVisit>();
  readonly #debugAddresses = new Set<DebugAddress>();
  #isStopped = false;
  /** The addresses that the clients' pages may have. */
  readonly rules: AddressRules;

  /** @throws GlobError if a glob of the rules cannot be used */
  constructor(options: VisitsOptions) {
    this.#options = options;
    const { addresses } = options;
    this.rules = addressRules({ ...addresses, own: () => [...addresses.own(), ...this.#debugAddresses] });
    this.#browsers = new SharedBrowsers(options.launch, this.rules);
  }

  /**
   * Connects a client with a browser. Its earlier visit is closed first.
   * @throws GatewayError that says why it failed; the reason of `signal`
   */
  async connect(clientId: string, request: VisitRequest): Promise<Visit> {
    while (this.#places.has(clientId)) await this.disconnect(clientId);
    const { visits: max } = this.#limits;
    if (this.#isStopped) throw browserFailed('the workflow webview was stopped');
    if (this.#places.size >= max) throw browserFailed(`${max} clients have a browser, which is the limit: try later`);
    const abort = new AbortController();
    const signal = AbortSignal.any([request.signal, abort.signal]);
    const place: OpenVisit = { abort, opened: this.#open(request, signal), visit: undefined, closing: undefined };
    this.#places.set(clientId, place);
    try {
      const visit = await place.opened;
      abort.signal.throwIfAborted();
      place.visit = visit;
      return visit;
    } catch (error) {
      if (this.#places.get(clientId) === place) this.#places.delete(clientId);
      throw readable(error, signal);
    }
  }

  /** Ends a client's visit. Returns false if it has none. @throws the system's error if something of the browser is left */
  async disconnect(clientId: string): Promise<boolean> {
    const place = this.#places.get(clientId);
    if (place === undefined) return false;
    const wasOpen = place.visit !== undefined;
    place.abort.abort(browserFailed('the client has disconnected'));
    place.closing ??= this.#close(clientId, place);
    await place.closing;
    return wasOpen;
  }

  /** Returns a client's visit. @throws GatewayError if it has none */
  get(clientId: string): Visit {
    const place = this.#places.get(clientId);
    if (place?.visit === undefined || place.closing !== undefined)
      throw browserFailed('not connected; use webview_connect first');
    return place.visit;
  }

  /**
   * Ends what a client that has gone leaves.
   * @returns a promise for those who have to wait; it rejects as `disconnect` does
   */
  async onSessionEnded(clientId: string): Promise<void> {
    await this.disconnect(clientId);
  }

  /** Ends all visits; no client can connect any more. @throws as `disconnect`, once all have ended */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const ended = await Promise.allSettled([...this.#places.keys()].map((clientId) => this.disconnect(clientId)));
    const failed = ended.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  get #limits() {
    return this.#options.limits ?? LIMITS;
  }

  async #close(clientId: string, place: OpenVisit): Promise<void> {
    try {
      const visit = await place.opened.catch(() => undefined); // one that failed has left nothing
      await visit?.close();
    } finally {
      if (this.#places.get(clientId) === place) this.#places.delete(clientId);
    }
  }

  async #open(request: VisitRequest, signal: AbortSignal): Promise<Visit> {
    const claims = this.#claims.open();
    try {
      signal.throwIfAborted();
      const opening = await (request.debugUrl === undefined
        ? this.#launched(request, claims, signal)
        : this.#attached(request.debugUrl, { isIsolated: request.isolated === true, claims, signal }));
      return await this.#begin(opening, request, signal);
    } catch (error) {
      claims.releaseAll();
      throw error;
    }
  }

  async #begin(
    { ground, claims, targetId }: Opening,
    { timeoutMs }: VisitRequest,
    signal: AbortSignal,
  ): Promise<Visit> {
    const { downloads, onEvent } = this.#options;
    const visit = new Visit({
      ground,
      claims,
      timeoutMs,
      downloads,
      onEvent,
      rules: this.rules,
      maxTabs: this.#limits.tabs,
    });
    const beginning = visit.begin(targetId);
    try {
      await unlessAborted(beginning, signal);
      return visit;
    } catch (error) {
      await visit.abandon(beginning);
      throw error;
    }
  }

  async #launched({ headless = true }: VisitRequest, claims: OwnClaims, signal: AbortSignal): Promise<Opening> {
    return { ground: await this.#browsers.enter(headless, signal), claims, targetId: undefined };
  }

  async #attached(
    debugUrl: string,
    { isIsolated, claims, signal }: { isIsolated: boolean; claims: OwnClaims; signal: AbortSignal },
  ): Promise<Opening> {
    const address = parseDebugUrl(debugUrl, this.#options.debugHosts);
    const claim = (targetId: string, url: string) => this.#claimUsable(claims, targetId, url);
    const { connection, targetId, isPageOnly } = await attachBrowser({ address, claim, isIsolated, signal });
    this.#debugAddresses.add(address);
    const leave = () => {
      this.#debugAddresses.delete(address);
      connection.close();
    };
    try {
      const contextId = isIsolated ? await makeContext(connection, signal) : undefined;
      const leaveAll = async () => {
        if (contextId !== undefined) await disposeContext(connection, contextId);
        leave();
      };
      return { claims, targetId, ground: { connection, contextId, isPageOnly, onDenied: undefined, leave: leaveAll } };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #claimUsable(claims: OwnClaims, targetId: string, url: string): Promise<boolean> {
    try {
      await requireUsable(url, this.rules);
      return claims.take(targetId);
    } catch (error) {
      if (error instanceof GatewayError) return false;
      throw error;
    }
  }
}

/** Makes the error that a client gets: the browser may have ended while it was prepared. */
function readable(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof CdpError ? browserFailed(`failed to connect: ${error.message}: try again`, error) : error;
}
