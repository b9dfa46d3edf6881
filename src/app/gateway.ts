import { setTimeout as delay } from 'node:timers/promises';
import { Catalogue } from '../catalogue/catalogue.ts';
import type { Config } from '../config/schema.ts';
import { GatewayError, toGatewayError } from '../core/errors.ts';
import type { SyncReport } from '../core/provider-status.ts';
import type { ToolExplanation } from '../core/tool-explanation.ts';
import { createPolicies } from '../policy/index.ts';
import { Router } from '../router/router.ts';
import { Admission } from '../session/admission.ts';
import type { ModernCall } from '../session/modern-call.ts';
import type { ModernClient, ModernClientOptions } from '../session/modern-client.ts';
import { Parking } from '../session/parking.ts';
import type { ExtraMethod, Session, SessionHost, SessionOptions } from '../session/session.ts';
import { Sessions } from '../session/sessions.ts';
import type { PinFiles } from '../store/pin-files.ts';
import type { Log, Masker } from '../telemetry/log.ts';
import { jsonBytes } from '../wire/bytes.ts';
import { explainTool } from './explain-tool.ts';
import type { GatewayStatus, ToolLine } from './gateway-status.ts';
import { explainFacts, reportOf } from './gateway-view.ts';
import { instructionsFor } from './instructions.ts';
import { PinDesk, type PinQuery } from './pin-desk.ts';
import { openPinStore } from './pin-store.ts';
import { ProviderSet, type RunningUpstream } from './provider-set.ts';
import { describeTools } from './tool-lines.ts';
import { VERSION } from './version.ts';

const SETTLE_POLL_MS = 50;

const SERVER_INFO = { name: 'viaduct', title: 'Viaduct', version: VERSION };
/** As results for modern clients name it. */
const SERVER_INFO_JSON = jsonBytes(SERVER_INFO);

export interface GatewayOptions {
  readonly config: Config;
  readonly configPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `$VIADUCT_HOME`: the gateway's folder for its own files. */
  readonly home: string;
  readonly log: Log;
  /** Knows what must be hidden in all that people see. */
  readonly masker: Masker;
  /** How long a list waits for upstreams of which nothing is known; from the config where absent. */
  readonly listGraceMs?: number;
}

interface AcceptParams {
  readonly upstream: string;
  readonly tools?: readonly string[];
}

/** Everything between the clients and the providers, built from a config. */
export class Gateway {
  readonly catalogue: Catalogue;
  readonly #options: GatewayOptions;
  readonly #providers: ProviderSet;
  readonly #pinStore: PinFiles;
  readonly #pins: PinDesk;
  readonly #sessions = new Sessions();
  readonly #parking = new Parking<ModernCall>();
  readonly #admission = new Admission(() => this.#config.limits);
  readonly #host: SessionHost;
  readonly #startedAt = Date.now();
  #config: Config;
  #isLeaving = false;
  #stopping: Promise<void> | undefined;
  #unwatchPins: (() => void) | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#config = options.config;
    this.catalogue = new Catalogue({
      maxNameLength: () => this.#config.names.maxLength,
      onChange: (kinds) => {
        // Upstreams that stop with the gateway are no news.
        if (!this.#isLeaving) this.#sessions.onCatalogueChange(kinds);
      },
    });
    const pins = openPinStore(options);
    this.#pinStore = pins;
    this.#pins = new PinDesk(pins, (key) => this.#onPinsChanged(key));
    this.#providers = new ProviderSet({
      ...options,
      pins,
      clientInfo: { name: 'viaduct', version: VERSION },
      directory: this.#sessions,
      view: { report: () => reportOf(this.status()), explain: (tool) => this.explain(tool) },
      onOffer: () => this.catalogue.onOffer(),
    });
    this.#host = {
      catalogue: this.catalogue,
      router: new Router(this.catalogue, createPolicies()),
      admission: this.#admission,
      log: options.log,
      serverInfo: SERVER_INFO,
      instructions: () => this.#instructions(),
      listGraceMs: options.listGraceMs ?? options.config.lists.graceMs,
      onSessionReady: () => undefined,
      onSessionEnded: (session) => this.#sessions.onEnded(session),
      serverInfoInResults: () => (this.#config.server.nameInResults ? SERVER_INFO_JSON : undefined),
      parking: this.#parking,
      directory: this.#sessions,
      onModernClientEnded: (client) => this.#sessions.onModernEnded(client),
    };
  }

  /** Starts the upstreams; returns at once. */
  start(): void {
    // A command may approve tools while this gateway is one that no command finds.
    this.#unwatchPins = this.#pinStore.watch(() => this.#onPinsChanged());
    this.#apply(this.#config).catch((error: unknown) => this.#options.log.error({ error }, 'starting failed'));
  }

  /** Goes over to another config: what did not change in it is not touched. */
  async reload(config: Config): Promise<void> {
    this.#config = config;
    await this.#apply(config);
  }

  /** Calls that are not answered yet. */
  get openCalls(): number {
    return this.#admission.openCalls;
  }

  /** From now on no call begins. Resolves when none is open any more, after `ms` milliseconds at the latest. */
  drain(ms: number): Promise<void> {
    this.#isLeaving = true;
    // Nobody may call again, so nobody can bring what these wait for.
    this.#parking.giveUpAll('the gateway stops');
    this.#sessions.endListeners();
    return this.#admission.drain(ms);
  }

  /** Ends all upstreams, which answers the calls that are open, then all sessions; resolves when every process is gone. */
  stop(reason: string): Promise<void> {
    this.#isLeaving = true;
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  openSession(options: SessionOptions): Session {
    return this.#sessions.open(this.#host, options);
  }

  /** Serves requests of the modern era that come one way: over a pipe, or over HTTP. */
  openModernClient(options: ModernClientOptions): ModernClient {
    return this.#sessions.openModern(this.#host, options);
  }

  /** Methods for the command line, on connections that only this user can make. */
  readonly controlMethods: ReadonlyMap<string, ExtraMethod> = new Map<string, ExtraMethod>([
    ['viaduct/status', async () => this.status()],
    ['viaduct/tools', async () => ({ tools: await this.tools() })],
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
      workflows: this.#providers.workflowNames(),
      upstreams: this.#providers.upstreams().map((upstream) => upstream.status()),
      disabled: this.#config.disabled.map((entry) => entry.key),
      sessions: this.#sessions.shown().map((session) => ({
        id: session.id,
        transport: session.transport,
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

  /** What clients can call now, once every upstream has said what it has or had its time. */
  async tools(): Promise<ToolLine[]> {
    await this.catalogue.whenKnown(this.#host.listGraceMs);
    return describeTools(this.catalogue);
  }

  /** Whether clients see a tool, and what keeps them from it: once every upstream has started or had its time. */
  async explain(tool: string): Promise<ToolExplanation> {
    const graceMs = this.#host.listGraceMs;
    await Promise.all([this.catalogue.whenKnown(graceMs), this.whenSettled(graceMs)]);
    const facts = explainFacts(this.catalogue, this.#providers.upstreams(), this.#config);
    const explanation = explainTool(tool, facts);
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
      const known = all.map((upstream) => upstream.id).join(', ') || 'none';
      throw new GatewayError('INVALID_PARAMS', `There is no upstream "${key}". Known: ${known}`);
    }
    const reports = await Promise.all(chosen.map((upstream) => syncOne(upstream)));
    return Object.fromEntries(chosen.map((upstream, index) => [upstream.id, reports[index]!]));
  }

  #acceptPins({ upstream, tools }: AcceptParams): string[] {
    const accepted = this.#pins.accept(upstream, tools);
    this.#options.log.info({ event: 'pin-accepted', upstream, tools: accepted }, 'tools were approved as they are now');
    return accepted;
  }

  /** Of one upstream, or of any. */
  #onPinsChanged(key?: string): void {
    for (const upstream of this.#providers.upstreams())
      if (key === undefined || upstream.id === key) upstream.onPinsChanged();
  }

  async #apply(config: Config): Promise<void> {
    const applied = this.#providers.apply(config);
    this.catalogue.setProviders(this.#providers.providers());
    await applied;
  }

  async #stop(reason: string): Promise<void> {
    this.#unwatchPins?.();
    this.#parking.giveUpAll('the gateway stops');
    this.#sessions.endListeners();
    await this.#providers.stop(reason);
    for (const session of this.#sessions.all()) session.end();
  }

  #instructions(): string {
    return instructionsFor(this.#providers.upstreams());
  }
}

async function syncOne(upstream: RunningUpstream): Promise<SyncReport | { error: string }> {
  try {
    return await upstream.sync();
  } catch (error) {
    return { error: toGatewayError(error).message };
  }
}
