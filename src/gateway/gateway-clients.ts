import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { Config } from '../config/schema.ts';
import type { CallAudit } from '../core/providers/call-audit.ts';
import type { KeepsAlive } from '../core/providers/keeps-alive.ts';
import { APPS_EXTENSION, type PassedCapabilities, unionOf } from '../era/extensions.ts';
import type { Policy } from '../policy/policy.ts';
import { Router } from '../router/router.ts';
import { CallQuota } from '../session/local/call-quota.ts';
import type { CallInput } from '../session/modern/call-input.ts';
import type { ModernClient, ModernClientOptions } from '../session/modern/modern-client.ts';
import { Parking } from '../session/modern/parking.ts';
import type { Session } from '../session/session.ts';
import type { SessionHost, SessionOptions } from '../session/session-host.ts';
import { Sessions } from '../session/sessions.ts';
import type { Log } from '../telemetry/log.ts';
import { jsonBytes } from '../wire/bytes.ts';
import { ClientViews, type Profiles } from './client-views.ts';
import { instructionsFor } from './instructions.ts';
import type { RunningUpstream } from './providers/running-upstream.ts';
import { troubleOf } from './trouble-of.ts';
import { VERSION } from './version.ts';

const SERVER_INFO = { name: 'viaduct', title: 'Viaduct', version: VERSION };
/** The same as results for modern clients carry it. */
const SERVER_INFO_JSON = jsonBytes(SERVER_INFO);

export interface GatewayClientsOptions {
  /** Returns the config as it is now. */
  readonly config: () => Config;
  readonly catalogue: Catalogue;
  /** Returns the upstreams that run now. */
  readonly upstreams: () => readonly RunningUpstream[];
  readonly calls: CallAudit;
  /** Every call passes these. */
  readonly policies: readonly Policy[];
  readonly listGraceMs: () => number;
  /** One client, and no other, is served. */
  readonly isForOneClient?: boolean | undefined;
  readonly log: Log;
}

/** The clients of a gateway: opens them, gives them what they share, and lets them go. */
export class GatewayClients implements KeepsAlive {
  /** All clients that are connected now. */
  readonly sessions = new Sessions();
  readonly #options: GatewayClientsOptions;
  readonly #quota: CallQuota;
  readonly #parking = new Parking<CallInput>();
  readonly #views: ClientViews;
  #isLeaving = false;

  constructor(options: GatewayClientsOptions) {
    this.#options = options;
    this.#quota = new CallQuota(() => options.config().limits);
    this.#views = new ClientViews({
      catalogue: options.catalogue,
      sessions: this.sessions,
      profiles: options.config().profiles,
      createHost: (view) => this.#createHost(view),
      isLeaving: () => this.#isLeaving,
    });
  }

  /** The view of the gateway itself and of its user's commands: it shows everything. */
  get everything(): CatalogueView {
    return this.#views.everything.catalogue;
  }

  /** The number of calls that are not answered yet. */
  get openCalls(): number {
    return this.#quota.openCalls;
  }

  /** The largest message of a client or an upstream, as the config has it now. */
  get maxFrameBytes(): number {
    return this.#options.config().limits.frameBytes;
  }

  /** Returns whether the config has a profile of this name. */
  hasProfile(name: string | undefined): boolean {
    return this.#views.has(name);
  }

  /** Says which calls are not answered yet: those that run, and those that wait until their client comes back. */
  work(): readonly string[] {
    const parked = this.#parking.size;
    const open = this.openCalls - parked;
    return [
      ...(open > 0 ? [`${open} open call${open === 1 ? '' : 's'}`] : []),
      ...(parked > 0 ? [`${parked} call${parked === 1 ? '' : 's'} that wait for an answer of the user`] : []),
    ];
  }

  /** Begins a session of a legacy client. */
  openSession(options: SessionOptions): Session {
    return this.sessions.open(this.#views.hostFor(options), options);
  }

  /** Serves requests of the modern era that come one way: over a pipe, or over HTTP. */
  openModern(options: ModernClientOptions): ModernClient {
    return this.sessions.openModern(this.#views.hostFor(options), options);
  }

  /** Returns what upstreams are told about the clients. It covers every possible client, unless only one can come. */
  passed(): PassedCapabilities {
    const clients = this.sessions.passed();
    const isSole = this.#options.isForOneClient === true && clients.length > 0;
    return unionOf(isSole ? clients : [APPS_EXTENSION, ...clients]);
  }

  /** Goes over to other profiles. */
  applyProfiles(profiles: Profiles): void {
    this.#views.apply(profiles);
  }

  /** Gives up what would never end by itself: calls that wait for their client, and streams of changes. */
  leave(): void {
    this.#isLeaving = true;
    // No client may call again, so the answers that these wait for cannot arrive.
    this.#parking.giveUpAll('the gateway stops');
    this.sessions.endListeners();
  }

  /** Refuses new calls from now on. Resolves when no call is open, or after `ms` milliseconds at the latest. */
  drain(ms: number): Promise<void> {
    return this.#quota.drain(ms);
  }

  /** Ends all sessions. */
  end(): void {
    for (const client of this.sessions.all()) client.end();
  }

  #createHost(view: CatalogueView): SessionHost {
    const { sessions } = this;
    const { calls, log, listGraceMs, config, policies } = this.#options;
    const upstreamsOfView = () => this.#options.upstreams().filter((upstream) => view.scope.allowsProvider(upstream));
    const troubles = () => upstreamsOfView().flatMap((upstream) => troubleOf(upstream.status()));
    return {
      catalogue: view,
      router: new Router(view, policies, { audit: calls, troubles }),
      quota: this.#quota,
      log,
      serverInfo: SERVER_INFO,
      instructions: () => instructionsFor(upstreamsOfView()),
      listGraceMs,
      serverInfoInResults: () => (config().server.nameInResults ? SERVER_INFO_JSON : undefined),
      parking: this.#parking,
      directory: sessions,
    };
  }
}
