import { setTimeout as delay } from 'node:timers/promises';
import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { Config } from '../config/schema.ts';
import type { KeepsAlive } from '../core/providers/keeps-alive.ts';
import type { ToolExplanation } from '../core/providers/tool-explanation.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Masker } from '../telemetry/masker.ts';
import type { GatewayView, Viewer, WorkflowHealth } from '../workflows/define.ts';
import { disabledKeys } from './disabled-keys.ts';
import { explainTool } from './explain-tool.ts';
import type { GatewayClients } from './gateway-clients.ts';
import type { GatewayStatus, SessionLine, ToolLine } from './gateway-status.ts';
import { clientCount, explainFacts, reportOf, type Sight, seesEverything, seesTool } from './gateway-view.ts';
import type { ProviderSet } from './providers/provider-set.ts';
import { describeTools } from './tool-lines.ts';
import type { ConfigNotices } from './trust/notices.ts';
import { VERSION } from './version.ts';

const SETTLE_POLL_MS = 50;

export interface GatewayReportsOptions {
  /** Returns the config as it is now. */
  readonly config: () => Config;
  readonly configPath: string;
  readonly notices: ConfigNotices;
  readonly masker: Masker;
  readonly providers: Pick<ProviderSet, 'upstreams' | 'workflowNames' | 'health' | 'work'>;
  readonly clients: Pick<GatewayClients, 'everything' | 'hasProfile' | 'sessions' | 'work'>;
  readonly listGraceMs: () => number;
}

interface GatewayHealth {
  readonly status: 'healthy' | 'degraded';
  readonly version: string;
  readonly uptime_seconds: number;
  /** The health of the workflows, by name. */
  readonly workflows: Readonly<Record<string, WorkflowHealth>>;
}

/** Tells people, commands and workflows how the gateway is. It changes nothing. */
export class GatewayReports implements KeepsAlive {
  readonly #options: GatewayReportsOptions;
  readonly #startedAt = Date.now();
  /** The gateway as its own tools show it. */
  readonly forWorkflows: GatewayView = {
    report: (viewer) => reportOf(this.status(), this.#sight(viewer)),
    explain: (tool, viewer) => this.explain(tool, viewer),
    offers: (workflow, tool, viewer) =>
      this.#options.providers.workflowNames().includes(workflow) && seesTool(this.#sight(viewer), workflow, tool),
    clients: (viewer) => clientCount(this.#options.clients.sessions.shown(), viewer),
    seesEverything,
  };

  constructor(options: GatewayReportsOptions) {
    this.#options = options;
  }

  /** Returns what `viaduct status` shows. */
  status(): GatewayStatus {
    const { config, configPath, notices, providers, clients } = this.#options;
    return {
      version: VERSION,
      pid: process.pid,
      startedAt: new Date(this.#startedAt).toISOString(),
      config: configPath,
      configNotices: notices.all(),
      workflows: providers.workflowNames(),
      upstreams: providers.upstreams().map((upstream) => upstream.status()),
      disabled: disabledKeys(config()),
      sessions: clients.sessions.shown().map((session) => this.#sessionLine(session)),
    };
  }

  /** Returns the work of the gateway that must not end with the last client. */
  work(): readonly string[] {
    const { clients, providers } = this.#options;
    return [...clients.work(), ...providers.work()];
  }

  /** Returns how the gateway and its workflows are, for `/health`. */
  health(): GatewayHealth {
    const workflows = this.#options.providers.health();
    const isWell = Object.values(workflows).every(({ ok }) => ok);
    const uptime_seconds = Math.floor((Date.now() - this.#startedAt) / 1_000);
    return { status: isWell ? 'healthy' : 'degraded', version: VERSION, uptime_seconds, workflows };
  }

  /**
   * Tells whether clients see a tool, and what keeps them from it, once every upstream has started or had its time. For a
   * viewer with a scope, what that leaves out does not exist.
   */
  async explain(tool: string, viewer: Viewer = {}): Promise<ToolExplanation> {
    const { clients, config, listGraceMs, masker } = this.#options;
    await Promise.all([clients.everything.whenKnown(listGraceMs()), this.whenSettled(listGraceMs())]);
    const explanation = explainTool(tool, explainFacts(this.#sight(viewer), config()));
    return { ...explanation, detail: masker.mask(explanation.detail) };
  }

  /** Resolves when no upstream is starting any more, or after `ms`. */
  async whenSettled(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    const isStarting = () =>
      this.#options.providers.upstreams().some((upstream) => upstream.status().state === 'starting');
    while (isStarting() && performance.now() < deadline) await delay(SETTLE_POLL_MS);
  }

  /** Resolves to what clients of a view can call now, once every upstream has said what it has or had its time. */
  async tools(view: CatalogueView): Promise<ToolLine[]> {
    await view.whenKnown(this.#options.listGraceMs());
    return describeTools(view);
  }

  #sessionLine(session: ReturnType<Sessions['shown']>[number]): SessionLine {
    const { name } = session.clientInfo;
    return {
      id: session.id,
      transport: session.transport,
      ...(this.#options.clients.hasProfile(session.profile) && { profile: session.profile! }),
      client: typeof name === 'string' ? name : 'unknown',
      ...(session.principal?.name && { principal: session.principal.name }),
      since: new Date(session.startedAt).toISOString(),
      openCalls: session.openCalls,
    };
  }

  #sight({ scope, principal }: Viewer = {}): Sight {
    const { clients, providers } = this.#options;
    const catalogue = clients.everything;
    return { catalogue, upstreams: providers.upstreams(), scope: scope ?? catalogue.scope, seesStderr: !principal };
  }
}
