import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { brokenReason } from '../../config/upstreams/broken-entry.ts';
import { LiveFeed } from '../../core/providers/live-feed.ts';
import type { ClientDirectory, Provider } from '../../core/providers/provider.ts';
import type { UpstreamControl } from '../../core/providers/provider-status.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { NO_TRAITS, type UpstreamEntry, type UpstreamTraits } from '../../core/settings/upstream-entry.ts';
import type { CredentialStore } from '../../core/stores/credentials.ts';
import type { PinStore } from '../../core/stores/pin-store.ts';
import type { PublicUris } from '../../core/uris/public-uris.ts';
import type { PassedCapabilities } from '../../era/extensions.ts';
import { LoginPath } from '../../process/login-path.ts';
import { Reaper } from '../../process/reaper.ts';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { EraFiles } from '../../store/era-files.ts';
import { DeclaredFiles } from '../../store/extensions/declared-files.ts';
import { ListingFiles } from '../../store/listing-files.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Masker } from '../../telemetry/masker.ts';
import { RecentSecrets } from '../../telemetry/recent-secrets.ts';
import { UpstreamAuthorization } from '../../upstream/auth/upstream-authorization.ts';
import { BrokenUpstream } from '../../upstream/broken/broken-upstream.ts';
import type { Implementation } from '../../upstream/connection/handshake.ts';
import { connectionIdentity, LiveEntry } from '../../upstream/entry/live-entry.ts';
import { AskingTrait } from '../../upstream/events/asks/asking-trait.ts';
import { ToldIds } from '../../upstream/events/asks/told-ids.ts';
import { ProcessQuota } from '../../upstream/sharing/process-quota.ts';
import { UpstreamPool } from '../../upstream/sharing/upstream-pool.ts';
import { StartTurns, usualStarts } from '../../upstream/starts/start-turns.ts';
import type { Authorization, TransportContext } from '../../upstream/transports/transport.ts';
import { Upstream } from '../../upstream/upstream.ts';
import type { UpstreamOptions } from '../../upstream/upstream-options.ts';
import { UpstreamPerWindow } from '../../upstream/windows/upstream-per-window.ts';
import type {
  CreateWorkflow,
  GatewayView,
  Workflow,
  WorkflowHealth,
  WorkflowUpstream,
} from '../../workflows/define.ts';
import { WORKFLOWS } from '../../workflows/index.ts';
import { WorkflowProvider } from '../../workflows/workflow-provider.ts';
import type { Guard } from '../../workspace/protection/guard.ts';
import { VERSION } from '../version.ts';
import { makeHome } from './make-home.ts';
import { ModelLoader } from './model-loader.ts';
import { openContainers } from './open-containers.ts';
import { OwnAddresses } from './own-addresses.ts';
import { protectionOf } from './protection.ts';

export interface ProviderSetOptions {
  readonly env: Environment;
  readonly home: string;
  readonly configPath: string;
  readonly pins: PinStore;
  readonly credentials: CredentialStore;
  readonly uris: PublicUris;
  /** Returns what upstreams are told about the clients besides what clients can be asked. */
  readonly passed: () => PassedCapabilities;
  readonly log: Log;
  readonly masker: Masker;
  readonly clientInfo: Implementation;
  readonly directory: ClientDirectory;
  /** The gateway as its own tools show it. */
  readonly view: GatewayView;
  readonly onOffer: () => void;
  /** Whether clients wait for answers. */
  readonly isBusy: () => boolean;
}

/** An upstream as the gateway handles it. */
export type RunningUpstream = Provider &
  UpstreamControl & {
    start(): void;
    stop(reason: string): Promise<void>;
    onPinsChanged(): void;
    /** The rules of its entry are others now; absent where each change makes another one of it. */
    onRulesChanged?(): void;
    onCredentialsChanged(): Promise<void>;
  };

interface RunningWorkflow {
  /** Name, options, database, workspace and models: a workflow goes on only while they stay the same. */
  readonly identity: string;
  readonly workflow: Workflow;
  readonly provider: WorkflowProvider;
  readonly upstreams: readonly RunningUpstream[];
  /** Open if the workflow has asked for it. */
  readonly databases: readonly Database[];
}

interface RunningEntry {
  /** What of its entry decides about its process. */
  readonly identity: string;
  /** Absent where the entry has a fault. */
  readonly live?: LiveEntry;
  readonly upstream: RunningUpstream;
}

/** The providers that a config asks for. A new config keeps those whose part of it did not change. */
export class ProviderSet {
  readonly #options: ProviderSetOptions;
  readonly #transport: Omit<TransportContext, 'log' | 'maxFrameBytes' | 'authorization'>;
  readonly #cache: ListingFiles;
  readonly #eras: EraFiles;
  readonly #declared: DeclaredFiles;
  readonly #live = new LiveFeed();
  readonly #told = new ToldIds();
  readonly #processes = new ProcessQuota();
  readonly #code = new Map<string, CreateWorkflow>();
  readonly #models: ModelLoader;
  readonly #ownAddresses: OwnAddresses;
  #guard: Guard | undefined;
  readonly #starts: StartTurns;
  #startsAtOnce = usualStarts();
  #maxFrameBytes = 0;
  #workflows: readonly RunningWorkflow[] = [];
  #entries: readonly RunningEntry[] = [];

  constructor(options: ProviderSetOptions) {
    this.#options = options;
    this.#models = new ModelLoader(options.env);
    this.#ownAddresses = new OwnAddresses(options.home);
    makeHome(options.home);
    this.#starts = new StartTurns({ atOnce: () => this.#startsAtOnce, isBusy: options.isBusy });
    const loginPath = new LoginPath(options.env);
    this.#transport = {
      env: options.env,
      loginPath,
      reaper: new Reaper(),
      containers: openContainers({ ...options, loginPath }),
    };
    const onError = (error: unknown) => options.log.warn({ error }, 'a cache failed; nothing depends on it');
    this.#cache = new ListingFiles(path.join(options.home, 'cache', 'lists'), { program: VERSION, onError });
    this.#eras = new EraFiles(path.join(options.home, 'cache', 'eras'), onError);
    this.#declared = new DeclaredFiles(path.join(options.home, 'cache', 'declared'), onError);
  }

  /** In the order of the catalogue: the gateway's own tools first, then upstreams as the config has them. */
  providers(): Provider[] {
    return [
      ...this.#workflows.map((running) => running.provider),
      ...this.#workflows.flatMap((running) => running.upstreams),
      ...this.#entries.map((running) => running.upstream),
    ];
  }

  upstreams(): RunningUpstream[] {
    return [
      ...this.#workflows.flatMap((running) => running.upstreams),
      ...this.#entries.map((running) => running.upstream),
    ];
  }

  /** Returns how the workflows are that are switched on, by their names. */
  health(): Readonly<Record<string, WorkflowHealth>> {
    return Object.fromEntries(this.#workflows.map(({ provider }) => [provider.id, provider.health()]));
  }

  workflowNames(): string[] {
    return this.#workflows.map((running) => running.provider.id);
  }

  /** Loads the code of the workflows that a config asks for; `apply` needs it. Those that cannot be loaded are left out. */
  async load({ enabledWorkflows }: Pick<Config, 'enabledWorkflows'>): Promise<void> {
    const missing = WORKFLOWS.filter(({ name }) => enabledWorkflows.includes(name) && !this.#code.has(name));
    await Promise.all(
      missing.map(async (definition) => {
        try {
          this.#code.set(definition.name, await definition.load());
        } catch (error) {
          this.#options.log.error(
            { error, workflow: definition.name },
            'the code of a workflow cannot be loaded: if Viaduct was updated meanwhile, restart it',
          );
        }
      }),
    );
  }

  /**
   * Starts what the config asks for and is not there, lets go of what it no longer has. Resolves when what was let go
   * of is gone; the new providers are in place at once.
   */
  async apply(config: Config): Promise<void> {
    void this.#transport.containers.sweep();
    this.#maxFrameBytes = config.limits.frameBytes;
    this.#startsAtOnce = config.limits.startsAtOnce ?? usualStarts();
    this.#guard = protectionOf(config, this.#options);
    this.#ownAddresses.configure(config);
    const leaving: Promise<void>[] = [];
    this.#entries = this.#applyEntries(config, leaving);
    this.#workflows = this.#applyWorkflows(config, leaving);
    this.#options.onOffer();
    await Promise.all(leaving);
  }

  async stop(reason: string): Promise<void> {
    await Promise.all([
      ...this.#workflows.map((running) => stopWorkflow(running, reason)),
      ...this.#entries.map((running) => running.upstream.stop(reason)),
    ]);
  }

  #applyEntries(config: Config, leaving: Promise<void>[]): RunningEntry[] {
    const before = new Map(this.#entries.map((running) => [running.identity, running]));
    const after = config.upstreams.map((entry): RunningEntry => {
      const identity = connectionIdentity(entry);
      const kept = before.get(identity);
      before.delete(identity);
      if (kept !== undefined) {
        if (kept.live?.take(entry) === true) kept.upstream.onRulesChanged?.();
        return kept;
      }
      const live = new LiveEntry(entry);
      const upstream = this.#createUpstream(live.entry, NO_TRAITS);
      upstream.start();
      return { identity, live, upstream };
    });
    after.push(...this.#applyBroken(config, before));
    for (const { upstream } of before.values()) leaving.push(upstream.stop('its entry was changed or removed'));
    return inOrder(after, config.order);
  }

  /** Entries that have a fault are shown as failed. Takes those that did not change out of `before`. */
  #applyBroken({ broken }: Config, before: Map<string, RunningEntry>): RunningEntry[] {
    const shown = broken.filter(({ isDisabled }) => !isDisabled);
    return shown.map((entry): RunningEntry => {
      const { key, prefix } = entry;
      const reason = this.#options.masker.mask(brokenReason(entry));
      const identity = JSON.stringify(['broken', key, prefix, reason]);
      const kept = before.get(identity);
      before.delete(identity);
      if (kept !== undefined) return kept;
      this.#options.log.error({ event: 'entry-fault', upstream: key, reason }, 'an entry of the config cannot be used');
      return { identity, upstream: new BrokenUpstream({ key, prefix, reason }) };
    });
  }

  #applyWorkflows(config: Config, leaving: Promise<void>[]): RunningWorkflow[] {
    const before = new Map(this.#workflows.map((running) => [running.identity, running]));
    const wanted = WORKFLOWS.filter(({ name }) => config.enabledWorkflows.includes(name) && this.#code.has(name));
    const after = wanted.map((definition): RunningWorkflow => {
      const options = config.workflows[definition.name];
      const database = definition.usesDatabase === true ? config.database : undefined;
      const workspace = definition.usesWorkspace === true ? config.workspace : undefined;
      const models = definition.usesModels === true ? config.models : undefined;
      const identity = JSON.stringify([definition.name, options, database, workspace, models]);
      const kept = before.get(identity);
      before.delete(identity);
      if (kept !== undefined) return kept;
      const replaced = [...before.values()].find(({ provider }) => provider.id === definition.name);
      const handedOver = replaced?.workflow.handOver?.();
      const running = this.#createWorkflow(definition.name, { identity, config, handedOver });
      running.workflow.start();
      return running;
    });
    for (const running of before.values()) leaving.push(stopWorkflow(running, 'the workflow was switched off'));
    return after;
  }

  #createWorkflow(
    name: string,
    {
      identity,
      config,
      handedOver,
    }: { readonly identity: string; readonly config: Config; readonly handedOver: unknown },
  ): RunningWorkflow {
    const { env, home, directory, onOffer, view: gateway } = this.#options;
    const log = this.#options.log.child({ workflow: name });
    const upstreams: RunningUpstream[] = [];
    const databases: Database[] = [];
    let provider: WorkflowProvider | undefined;
    const workflow = this.#code.get(name)!({
      options: config.workflows[name],
      env,
      home,
      log,
      mask: (text) => this.#options.masker.mask(text),
      gateway,
      reaper: this.#transport.reaper,
      loginPath: this.#transport.loginPath,
      live: this.#live,
      handedOver,
      workspace: config.workspace,
      guard: () => this.#guard!,
      ownAddresses: () => this.#ownAddresses.list(),
      addUpstream: (entry, traits) => {
        const upstream = this.#createShared(entry, { ...traits, workflow: name });
        upstreams.push(upstream);
        return asWorkflowUpstream(upstream);
      },
      openDatabase: () => {
        const database = openDatabase({ home, url: config.database });
        databases.push(database);
        return database;
      },
      databaseUrl: config.database,
      models: this.#models.opener(config.models),
      onOffer,
      onResourceChanged: (uri) => provider?.onResourceChanged(uri),
    });
    provider = new WorkflowProvider({ name, workflow, log, directory });
    return { identity, workflow, provider, upstreams, databases };
  }

  #createUpstream(entry: UpstreamEntry, traits: UpstreamTraits): RunningUpstream {
    // A window of an IDE is one, whoever looks into it.
    if (entry.share === 'gateway' || entry.ports !== undefined) return this.#createShared(entry, traits);
    return new UpstreamPool(this.#upstreamOptions(entry, traits));
  }

  #createShared(entry: UpstreamEntry, traits: UpstreamTraits): Upstream | UpstreamPerWindow {
    const options = this.#upstreamOptions(entry, traits);
    return entry.ports === undefined ? new Upstream(options) : new UpstreamPerWindow({ ...options, entry });
  }

  #upstreamOptions(entry: UpstreamEntry, traits: UpstreamTraits): UpstreamOptions {
    const log = this.#options.log.child({ upstream: entry.key });
    const maxFrameBytes = () => this.#maxFrameBytes;
    return {
      asking: new AskingTrait(entry, this.#cache),
      told: this.#told,
      processes: this.#processes,
      ...this.#options,
      entry,
      traits,
      log,
      mask: (text) => this.#options.masker.mask(text),
      starts: this.#starts,
      cache: this.#cache,
      eras: this.#eras,
      declared: this.#declared,
      transport: {
        ...this.#transport,
        log,
        /** Asked by each message: the config may change. */
        get maxFrameBytes() {
          return maxFrameBytes();
        },
        authorization: this.#authorizationOf(entry, log),
      },
    };
  }

  #authorizationOf(entry: UpstreamEntry, log: Log): Authorization | undefined {
    if (entry.url === undefined || entry.auth === undefined) return undefined;
    const { credentials: store, env, masker } = this.#options;
    const recent = new RecentSecrets(masker);
    const onSecrets = (secrets: readonly string[]) => recent.add(secrets);
    return new UpstreamAuthorization({ entry, auth: entry.auth, store, env, log, onSecrets });
  }
}

/** As the config has them. */
function inOrder(entries: readonly RunningEntry[], order: readonly string[]): RunningEntry[] {
  const places = new Map(order.map((key, place) => [key, place]));
  const placeOf = ({ upstream }: RunningEntry) => places.get(upstream.id) ?? order.length;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
}

async function stopWorkflow(running: RunningWorkflow, reason: string): Promise<void> {
  const { workflow, upstreams, databases } = running;
  await Promise.all([workflow.stop(), ...upstreams.map((upstream) => upstream.stop(reason))]);
  await Promise.all(databases.map((database) => database.close()));
}

function asWorkflowUpstream(upstream: Upstream | UpstreamPerWindow): WorkflowUpstream {
  return {
    start: () => upstream.start(),
    isLive: () => upstream.isLive(),
    status: () => upstream.status(),
    sync: () => upstream.sync(),
    disconnect: (reason) => upstream.disconnect(reason),
  };
}
