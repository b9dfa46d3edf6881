import { GatewayError, toGatewayError } from '../core/errors.ts';
import type { SyncReport } from '../core/providers/provider-status.ts';
import { nameHint } from '../core/text/name-hint.ts';
import type { ExtraMethod } from '../session/session-host.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayReports } from './gateway-reports.ts';
import type { PinQuery, PinReview } from './providers/pin-review.ts';
import type { ProviderSet } from './providers/provider-set.ts';
import type { RunningUpstream } from './providers/running-upstream.ts';

export interface GatewayControlOptions {
  readonly reports: GatewayReports;
  readonly pins: PinReview;
  readonly providers: Pick<ProviderSet, 'upstreams'>;
  readonly log: Log;
}

interface AcceptParams {
  readonly upstream: string;
  readonly tools?: readonly string[];
  /** SHA-256 of the definitions that the user has seen. */
  readonly shown?: readonly string[];
}

/** Does for commands of this user what they ask of a gateway that runs. */
export class GatewayControl {
  readonly #options: GatewayControlOptions;

  constructor(options: GatewayControlOptions) {
    this.#options = options;
  }

  /** Methods for the command line, on connections that only this user can make and that are bound to a profile. */
  readonly profileMethods: ReadonlyMap<string, ExtraMethod> = new Map<string, ExtraMethod>([
    ['viaduct/tools', async (_params, { host }) => ({ tools: await this.#options.reports.tools(host.catalogue) })],
  ]);

  /** The same for connections that see everything. */
  readonly methods: ReadonlyMap<string, ExtraMethod> = new Map<string, ExtraMethod>([
    ...this.profileMethods,
    ['viaduct/status', async () => this.#options.reports.status()],
    ['viaduct/why', async (params) => this.#options.reports.explain((params as { tool: string }).tool)],
    ['viaduct/sync', async (params) => this.sync((params as { upstream?: string }).upstream)],
    ['viaduct/pins', async (params) => ({ pins: this.#options.pins.list(params as PinQuery) })],
    ['viaduct/pins/accept', async (params) => ({ accepted: this.#acceptPins(params as AcceptParams) })],
  ]);

  /**
   * Reads the lists of one upstream, or of all, connecting if there is no connection.
   * @returns a report, or an error, for each upstream.
   * @throws GatewayError when there is no upstream with this key.
   */
  async sync(key?: string): Promise<Record<string, SyncReport | { error: string }>> {
    const all = this.#options.providers.upstreams();
    const chosen = key === undefined ? all : all.filter((upstream) => upstream.id === key);
    if (key !== undefined && chosen.length === 0) {
      const known = all.map((upstream) => upstream.id);
      throw new GatewayError('INVALID_PARAMS', `There is no upstream "${key}". ${nameHint(key, known)}`);
    }
    const reports = await Promise.all(chosen.map((upstream) => syncOne(upstream)));
    return Object.fromEntries(chosen.map((upstream, index) => [upstream.id, reports[index]!]));
  }

  #acceptPins({ upstream, tools, shown }: AcceptParams): string[] {
    const accepted = this.#options.pins.accept(upstream, tools, shown);
    this.#options.log.info(
      { event: 'pin-accepted', upstream, tools: accepted },
      'tools were approved in their present form',
    );
    return accepted;
  }
}

async function syncOne(upstream: Pick<RunningUpstream, 'sync'>): Promise<SyncReport | { error: string }> {
  try {
    return await upstream.sync();
  } catch (error) {
    return { error: toGatewayError(error).message };
  }
}
