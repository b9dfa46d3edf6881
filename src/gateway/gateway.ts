import { setTimeout as delay } from 'node:timers/promises';
import { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { UriOwners } from '../catalogue/uris/uri-owners.ts';
import type { Config } from '../config/schema.ts';
import { GatewayError, toGatewayError } from '../core/errors.ts';
import type { SyncReport } from '../core/providers/provider-status.ts';
import type { ToolExplanation } from '../core/providers/tool-explanation.ts';
import { nameHint } from '../core/text/name-hint.ts';
import { APPS_EXTENSION, type PassedCapabilities, unionOf } from '../era/extensions.ts';
import { createPolicies } from '../policy/index.ts';
import { Router } from '../router/router.ts';
import { CallQuota } from '../session/local/call-quota.ts';
import type { CallInput } from '../session/modern/call-input.ts';
import type { ModernClient, ModernClientOptions } from '../session/modern/modern-client.ts';
import { Parking } from '../session/modern/parking.ts';
import type { Session } from '../session/session.ts';
import type { ExtraMethod, SessionHost, SessionOptions } from '../session/session-host.ts';
import { Sessions } from '../session/sessions.ts';
import type { CredentialFiles } from '../store/credentials/credential-files.ts';
import type { PinFiles } from '../store/pin-files.ts';
import type { Log } from '../telemetry/log.ts';
import type { Masker } from '../telemetry/masker.ts';
import { jsonBytes } from '../wire/bytes.ts';
import type { Viewer, WorkflowHealth } from '../workflows/define.ts';
import { ClientViews } from './client-views.ts';
import { explainTool } from './explain-tool.ts';
import { GatewayAudit } from './gateway-audit.ts';
import type { GatewayStatus, ToolLine } from './gateway-status.ts';
import { clientCount, explainFacts, reportOf, type Sight, seesEverything, seesTool } from './gateway-view.ts';
import { instructionsFor } from './instructions.ts';
import { openCredentialStore } from './providers/credential-store.ts';
import { openUriOwners } from './providers/open-uri-owners.ts';
import { type PinQuery, PinReview } from './providers/pin-review.ts';
import { openPinStore } from './providers/pin-store.ts';
import { ProviderSet, type RunningUpstream } from './providers/provider-set.ts';
import { TrialCredentials } from './providers/trial-credentials.ts';
import { describeTools } from './tool-lines.ts';
import { troubleOf } from './trouble-of.ts';
import type { ConfigNotices } from './trust/notices.ts';
import { VERSION } from './version.ts';

const SETTLE_POLL_MS = 50;

const SERVER_INFO = { name: 'viaduct', title: 'Viaduct', version: VERSION };
/** As results for modern clients name it. */
const SERVER_INFO_JSON = jsonBytes(SERVER_INFO);

export interface GatewayOptions {
  readonly config: Config;
  readonly configPath: string;
  readonly notices: ConfigNotices;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `$VIADUCT_HOME`: the gateway's folder for its own files. */
  readonly home: string;
  readonly log: Log;
  /** Knows what must be hidden in all that people see. */
  readonly masker: Masker;
  /** One client, and no other, is served. */
  readonly isForOneClient?: boolean;
  /** It runs to see how upstreams are: `home` is a copy, and what it keeps there is for nobody. */
  readonly trial?: {
    /** The gateway's own folder, which has the logins. */
    readonly credentialsHome: string;
  };
  /** How long a list waits for upstreams of which nothing is known; from the config where absent. */
  readonly listGraceMs?: number;
}

interface AcceptParams {
  readonly upstream: string;
  readonly tools?: readonly string[];
  /** SHA-256 of the definitions that the user has seen. */
  readonly shown?: readonly string[];
}

interface GatewayHealth {
  readonly status: 'healthy' | 'degraded';
  readonly version: string;
  readonly uptime_seconds: number;
  /** By their names. */
  readonly workflows: Readonly<Record<string, WorkflowHealth>>;
}

/** Everything between the clients and the providers, built from a config. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #uris: UriOwners;
  readonly #catalogue: Catalogue;
  readonly #clientViews: ClientViews;
  readonly #providers: ProviderSet;
  readonly #pinStore: PinFiles;
  readonly #pins: PinReview;
  readonly #credentials: CredentialFiles;
  readonly #sessions = new Sessions();
  readonly #policies = createPolicies();
  readonly #audit: GatewayAudit;
  readonly #parking = new Parking<CallInput>();
  readonly #quota = new CallQuota(() => this.#config.limits);
  readonly #startedAt = Date.now();
  #config: Config;
  #isStarted = false;
  #isLeaving = false;
  #stopping: Promise<void> | undefined;
  #unwatchPins: (() => void) | undefined;
  #unwatchCredentials: (() => void) | undefined;

  private constructor(options: GatewayOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#audit = new GatewayAudit(options);
    this.#uris = openUriOwners(options);
    this.#catalogue = new Catalogue({ maxNameLength: () => this.#config.names.maxLength, uris: this.#uris });
    const pins = openPinStore(options);
    this.#pinStore = pins;
    this.#pins = new PinReview(pins, (key) => this.#onPinsChanged(key));
    const { trial } = options;
    this.#credentials = openCredentialStore({ ...options, home: trial?.credentialsHome ?? options.home });
    this.#providers = new ProviderSet({
      ...options,
      pins,
      credentials: trial === undefined ? this.#credentials : new TrialCredentials(this.#credentials),
      uris: this.#uris,
      passed: () => this.#passed(),
      clientInfo: { name: 'viaduct', version: VERSION },
      directory: this.#sessions,
      view: {
        report: (viewer) => reportOf(this.status(), this.#sight(viewer)),
        explain: (tool, viewer) => this.explain(tool, viewer),
        offers: (workflow, tool, viewer) =>
          this.#providers.workflowNames().includes(workflow) && seesTool(this.#sight(viewer), workflow, tool),
        clients: (viewer) => clientCount(this.#sessions.shown(), viewer),
        seesEverything,
      },
      onOffer: () => this.#catalogue.onOffer(),
      isBusy: () => this.openCalls > 0,
    });
    this.#clientViews = new ClientViews({
      catalogue: this.#catalogue,
      sessions: this.#sessions,
      profiles: options.config.profiles,
      createHost: (view) => this.#createHost(view),
      isLeaving: () => this.#isLeaving,
    });
  }

  /** A gateway that is ready to start: the code of what its config switches on is there. */
  static async load(options: GatewayOptions): Promise<Gateway> {
    const gateway = new Gateway(options);
    await gateway.#providers.load(options.config);
    return gateway;
  }

  /** Starts the upstreams, once; returns at once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    if (this.#options.trial === undefined) this.#watchStores();
    this.#apply(this.#config).catch((error: unknown) => this.#options.log.error({ error }, 'starting failed'));
  }

  /** A command may approve tools, or log in, while this gateway is one that no command finds. */
  #watchStores(): void {
    this.#unwatchPins = this.#pinStore.watch(() => this.#onPinsChanged());
    this.#unwatchCredentials = this.#credentials.watch(() => this.#onCredentialsChanged());
  }

  /** Goes over to another config: what did not change in it is not touched. */
  async reload(config: Config): Promise<void> {
    await this.#providers.load(config);
    this.#config = config;
    this.#audit.configure(config);
    this.#clientViews.apply(config.profiles);
    await this.#apply(config);
  }

  /** Calls that are not answered yet. */
  get openCalls(): number {
    return this.#quota.openCalls;
  }

  /** From now on no call begins. Resolves when none is open any more, after `ms` milliseconds at the latest. */
  drain(ms: number): Promise<void> {
    this.#isLeaving = true;
    // Nobody may call again, so nobody can bring what these wait for.
    this.#parking.giveUpAll('the gateway stops');
    this.#sessions.endListeners();
    this.#audit.hurry();
    return this.#quota.drain(ms);
  }

  /** Ends all upstreams, which answers the calls that are open, then all sessions; resolves when every process is gone. */
  stop(reason: string): Promise<void> {
    this.#isLeaving = true;
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  /** Whether the config has a profile of this name. */
  hasProfile(name: string): boolean {
    return this.#clientViews.has(name);
  }

  openSession(options: SessionOptions): Session {
    return this.#sessions.open(this.#clientViews.hostFor(options), options);
  }

  /** Serves requests of the modern era that come one way: over a pipe, or over HTTP. */
  openModernClient(options: ModernClientOptions): ModernClient {
    return this.#sessions.openModern(this.#clientViews.hostFor(options), options);
  }

  /** Methods for the command line, on connections that only this user can make and that are bound to a profile. */
  readonly profileMethods: ReadonlyMap<string, ExtraMethod> = new Map<string, ExtraMethod>([
    ['viaduct/tools', async (_params, { host }) => ({ tools: await this.#tools(host.catalogue) })],
  ]);

  /** The same for connections that see everything. */
  readonly controlMethods: ReadonlyMap<string, ExtraMethod> = new Map<string, ExtraMethod>([
    ...this.profileMethods,
    ['viaduct/status', async () => this.status()],
    ['viaduct/why', async (params) => this.explain((params as { tool: string }).tool)],
    ['viaduct/sync', async (params) => this.sync((params as { upstream?: string }).upstream)],
    ['viaduct/pins', async (params) => ({ pins: this.#pins.list(params as PinQuery) })],
    ['viaduct/pins/accept', async (params) => ({ accepted: this.#acceptPins(params as AcceptParams) })],
  ]);

  status(): GatewayStatus {
    return {
      version: VERSION,
      pid: process.pid,
      startedAt: new Date(this.#startedAt).toISOString(),
      config: this.#options.configPath,
      configNotices: this.#options.notices.all(),
      workflows: this.#providers.workflowNames(),
      upstreams: this.#providers.upstreams().map((upstream) => upstream.status()),
      disabled: disabledKeys(this.#config),
      sessions: this.#sessions.shown().map((session) => ({
        id: session.id,
        transport: session.transport,
        ...(this.#clientViews.has(session.profile) && { profile: session.profile! }),
        client: typeof session.clientInfo.name === 'string' ? session.clientInfo.name : 'unknown',
        ...(session.principal?.name && { principal: session.principal.name }),
        since: new Date(session.startedAt).toISOString(),
        openCalls: session.openCalls,
      })),
    };
  }

  /** Resolves when no upstream is starting any more, or after `ms`. */
  async whenSettled(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    const isStarting = () => this.#providers.upstreams().some((upstream) => upstream.status().state === 'starting');
    while (isStarting() && performance.now() < deadline) await delay(SETTLE_POLL_MS);
  }

  /**
   * Whether clients see a tool, and what keeps them from it: once every upstream has started or had its time. For a viewer
   * with a scope, what that leaves out does not exist.
   */
  async explain(tool: string, viewer: Viewer = {}): Promise<ToolExplanation> {
    const { catalogue } = this.#sight();
    await Promise.all([catalogue.whenKnown(this.#listGraceMs), this.whenSettled(this.#listGraceMs)]);
    const explanation = explainTool(tool, explainFacts(this.#sight(viewer), this.#config));
    return { ...explanation, detail: this.#options.masker.mask(explanation.detail) };
  }

  /**
   * Reads the lists of one upstream, or of all, connecting where there is no connection.
   * @throws GatewayError when there is no upstream with this key.
   */
  async sync(key?: string): Promise<Record<string, SyncReport | { error: string }>> {
    const all = this.#providers.upstreams();
    const chosen = key === undefined ? all : all.filter((upstream) => upstream.id === key);
    if (key !== undefined && chosen.length === 0) {
      const known = all.map((upstream) => upstream.id);
      throw new GatewayError('INVALID_PARAMS', `There is no upstream "${key}". ${nameHint(key, known)}`);
    }
    const reports = await Promise.all(chosen.map((upstream) => syncOne(upstream)));
    return Object.fromEntries(chosen.map((upstream, index) => [upstream.id, reports[index]!]));
  }

  /** Returns how the gateway and its workflows are, for `/health`. */
  health(): GatewayHealth {
    const workflows = this.#providers.health();
    const isWell = Object.values(workflows).every(({ ok }) => ok);
    const uptime_seconds = Math.floor((Date.now() - this.#startedAt) / 1_000);
    return { status: isWell ? 'healthy' : 'degraded', version: VERSION, uptime_seconds, workflows };
  }

  /** The largest message of a client or an upstream, as the config has it now. */
  get maxFrameBytes(): number {
    return this.#config.limits.frameBytes;
  }

  get #listGraceMs(): number {
    return this.#options.listGraceMs ?? this.#config.lists.graceMs;
  }

  /** Returns what upstreams are told about the clients. It covers every possible client, unless only one can come. */
  #passed(): PassedCapabilities {
    const clients = this.#sessions.passed();
    const isSole = this.#options.isForOneClient === true && clients.length > 0;
    return unionOf(isSole ? clients : [APPS_EXTENSION, ...clients]);
  }

  #acceptPins({ upstream, tools, shown }: AcceptParams): string[] {
    const accepted = this.#pins.accept(upstream, tools, shown);
    this.#options.log.info({ event: 'pin-accepted', upstream, tools: accepted }, 'tools were approved as they are now');
    return accepted;
  }

  /** Of one upstream, or of any. */
  #onPinsChanged(key?: string): void {
    for (const upstream of this.#providers.upstreams())
      if (key === undefined || upstream.id === key) upstream.onPinsChanged();
  }

  #onCredentialsChanged(): void {
    for (const upstream of this.#providers.upstreams()) {
      upstream
        .onCredentialsChanged()
        .catch((error: unknown) => this.#options.log.warn({ error, upstream: upstream.id }, 'a login cannot be read'));
    }
  }

  async #apply(config: Config): Promise<void> {
    const applied = this.#providers.apply(config);
    const upstreams = this.#providers.upstreams().map(({ id }) => id);
    this.#uris.keepOnly(new Set([...upstreams, ...disabledKeys(config)]));
    this.#catalogue.setProviders(this.#providers.providers());
    this.#sessions.onProvidersChanged();
    await applied;
  }

  async #stop(reason: string): Promise<void> {
    this.#unwatchPins?.();
    this.#unwatchCredentials?.();
    this.#parking.giveUpAll('the gateway stops');
    this.#sessions.endListeners();
    await this.#providers.stop(reason);
    for (const session of this.#sessions.all()) session.end();
    this.#uris.flush();
    await this.#audit.close();
  }

  #createHost(view: CatalogueView): SessionHost {
    return {
      catalogue: view,
      router: new Router(view, this.#policies, { audit: this.#audit.calls, troubles: () => this.#troublesOf(view) }),
      quota: this.#quota,
      log: this.#options.log,
      serverInfo: SERVER_INFO,
      instructions: () => instructionsFor(this.#providers.upstreams().filter((one) => view.allowsProvider(one))),
      listGraceMs: () => this.#listGraceMs,
      serverInfoInResults: () => (this.#config.server.nameInResults ? SERVER_INFO_JSON : undefined),
      parking: this.#parking,
      directory: this.#sessions,
    };
  }

  #troublesOf(view: CatalogueView): string[] {
    const seen = this.#providers.upstreams().filter((upstream) => view.allowsProvider(upstream));
    return seen.flatMap((upstream) => troubleOf(upstream.status()));
  }

  /** What clients of a view can call now, once every upstream has said what it has or had its time. */
  async #tools(view: CatalogueView): Promise<ToolLine[]> {
    await view.whenKnown(this.#listGraceMs);
    return describeTools(view);
  }

  #sight({ scope, principal }: Viewer = {}): Sight {
    const { catalogue } = this.#clientViews.everything;
    const upstreams = this.#providers.upstreams();
    return { catalogue, upstreams, scope: scope ?? catalogue, seesStderr: !principal };
  }
}

/** Entries that are switched off, whether or not something is wrong with them. */
function disabledKeys({ disabled, broken }: Config): string[] {
  return [...disabled, ...broken.filter(({ isDisabled }) => isDisabled)].map(({ key }) => key);
}

async function syncOne(upstream: RunningUpstream): Promise<SyncReport | { error: string }> {
  try {
    return await upstream.sync();
  } catch (error) {
    return { error: toGatewayError(error).message };
  }
}
