import type { Config } from '../../config/schema.ts';
import { LiveFeed } from '../../core/providers/live-feed.ts';
import type { ClientDirectory } from '../../core/providers/provider.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { type Database, openDatabase } from '../../store/database/database.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Masker } from '../../telemetry/masker.ts';
import type { Upstream } from '../../upstream/upstream.ts';
import type { UpstreamPerWindow } from '../../upstream/windows/upstream-per-window.ts';
import type {
  CreateWorkflow,
  GatewayView,
  Workflow,
  WorkflowContext,
  WorkflowDefinition,
  WorkflowHealth,
  WorkflowUpstream,
} from '../../workflows/define.ts';
import { WORKFLOWS } from '../../workflows/index.ts';
import { WorkflowProvider } from '../../workflows/workflow-provider.ts';
import type { Guard } from '../../workspace/protection/guard.ts';
import { ModelLoader } from './model-loader.ts';
import { OwnAddresses } from './own-addresses.ts';
import { protectionOf } from './protection.ts';
import type { RunningUpstream } from './running-upstream.ts';
import { Successors } from './successors.ts';
import type { SharedTransport, UpstreamFactory } from './upstream-factory.ts';

export interface WorkflowSetOptions {
  readonly env: Environment;
  readonly home: string;
  readonly configPath: string;
  readonly log: Log;
  readonly masker: Masker;
  readonly directory: ClientDirectory;
  /** Returns the gateway as its own tools show it. */
  readonly view: () => GatewayView;
  readonly onOffer: () => void;
  readonly transport: Pick<SharedTransport, 'reaper' | 'loginPath'>;
  readonly factory: Pick<UpstreamFactory, 'createShared'>;
}

interface RunningWorkflow {
  /** Name, options, database, workspace and models: a workflow goes on only while they stay the same. */
  readonly identity: string;
  readonly workflow: Workflow;
  readonly provider: WorkflowProvider;
  readonly upstreams: readonly RunningUpstream[];
  /** Open if the workflow has asked for it. */
  readonly databases: readonly Database[];
}

/** The workflows that a config switches on. */
export class WorkflowSet {
  readonly #options: WorkflowSetOptions;
  readonly #definitions: readonly WorkflowDefinition[];
  readonly #live = new LiveFeed();
  readonly #code = new Map<string, CreateWorkflow>();
  readonly #models: ModelLoader;
  readonly #ownAddresses: OwnAddresses;
  #guard: Guard | undefined;
  #running: readonly RunningWorkflow[] = [];

  /** @param definitions the workflows that there are */
  constructor(options: WorkflowSetOptions, definitions: readonly WorkflowDefinition[] = WORKFLOWS) {
    this.#options = options;
    this.#definitions = definitions;
    this.#models = new ModelLoader(options.env);
    this.#ownAddresses = new OwnAddresses(options.home);
  }

  /** Returns the providers of the workflows that are switched on. */
  providers(): readonly WorkflowProvider[] {
    return this.#running.map(({ provider }) => provider);
  }

  /** Returns the upstreams that these workflows have brought along. */
  upstreams(): readonly RunningUpstream[] {
    return this.#running.flatMap(({ upstreams }) => upstreams);
  }

  /** Returns how the workflows are that are switched on, by their names. */
  health(): Readonly<Record<string, WorkflowHealth>> {
    return Object.fromEntries(this.#running.map(({ provider }) => [provider.id, provider.health()]));
  }

  /** Says what the workflows do that must not end with the last client. */
  work(): readonly string[] {
    return this.#running.flatMap(({ workflow }) => workflow.work?.() ?? []);
  }

  /** Loads the code of the workflows that a config asks for; `apply` needs it. Those that cannot be loaded are left out. */
  async load({ enabledWorkflows }: Pick<Config, 'enabledWorkflows'>): Promise<void> {
    const missing = this.#definitions.filter(({ name }) => enabledWorkflows.includes(name) && !this.#code.has(name));
    await Promise.all(missing.map((definition) => this.#loadOne(definition)));
  }

  /**
   * Starts the workflows that the config asks for and that do not run, and lets go of those that it no longer has. The new ones
   * are in place when this returns.
   * @returns what resolves when those that were let go of are gone.
   */
  apply(config: Config): Promise<unknown> {
    this.#guard = protectionOf(config, this.#options);
    this.#ownAddresses.configure(config);
    const before = new Successors(this.#running);
    const wanted = this.#definitions.filter(
      ({ name }) => config.enabledWorkflows.includes(name) && this.#code.has(name),
    );
    this.#running = wanted.map((definition) => {
      const identity = identityOf(definition, config);
      return before.keep(identity) ?? this.#start(definition.name, { identity, config, before: before.left() });
    });
    return Promise.all(before.left().map((running) => stopWorkflow(running, 'the workflow was switched off')));
  }

  /** Ends all workflows and the upstreams that they have brought along. Resolves when their processes are gone. */
  async stop(reason: string): Promise<void> {
    await Promise.all(this.#running.map((running) => stopWorkflow(running, reason)));
  }

  async #loadOne(definition: WorkflowDefinition): Promise<void> {
    try {
      this.#code.set(definition.name, await definition.load());
    } catch (error) {
      this.#options.log.error(
        { error, workflow: definition.name },
        'the code of a workflow cannot be loaded: if Viaduct was updated meanwhile, restart it',
      );
    }
  }

  #start(
    name: string,
    {
      identity,
      config,
      before,
    }: { readonly identity: string; readonly config: Config; readonly before: readonly RunningWorkflow[] },
  ): RunningWorkflow {
    const log = this.#options.log.child({ workflow: name });
    const upstreams: RunningUpstream[] = [];
    const databases: Database[] = [];
    let provider: WorkflowProvider | undefined;
    const replaced = before.find((running) => running.provider.id === name);
    const workflow = this.#code.get(name)!({
      ...this.#surroundings(config),
      options: config.workflows[name],
      log,
      handedOver: replaced?.workflow.handOver?.(),
      addUpstream: (entry, traits) => {
        const upstream = this.#options.factory.createShared(entry, { ...traits, workflow: name });
        upstreams.push(upstream);
        return asWorkflowUpstream(upstream);
      },
      openDatabase: () => {
        const database = openDatabase({ home: this.#options.home, url: config.database });
        databases.push(database);
        return database;
      },
      onResourceChanged: (uri) => provider?.onResourceChanged(uri),
    });
    provider = new WorkflowProvider({ name, workflow, log, directory: this.#options.directory });
    workflow.start();
    return { identity, workflow, provider, upstreams, databases };
  }

  /** Returns what all workflows of a config get alike. */
  #surroundings(config: Config): Omit<WorkflowContext<unknown>, OwnParts> {
    const { env, home, masker, view, transport, onOffer } = this.#options;
    return {
      env,
      home,
      mask: (text) => masker.mask(text),
      gateway: view(),
      reaper: transport.reaper,
      loginPath: transport.loginPath,
      live: this.#live,
      workspace: config.workspace,
      guard: () => this.#guard!,
      ownAddresses: () => this.#ownAddresses.list(),
      databaseUrl: config.database,
      models: this.#models.opener(config.models),
      onOffer,
    };
  }
}

/** The parts that each workflow gets for itself. */
type OwnParts = 'options' | 'log' | 'handedOver' | 'addUpstream' | 'openDatabase' | 'onResourceChanged';

function identityOf(definition: WorkflowDefinition, config: Config): string {
  const { name, usesDatabase, usesWorkspace, usesModels } = definition;
  const database = usesDatabase === true ? config.database : undefined;
  const workspace = usesWorkspace === true ? config.workspace : undefined;
  const models = usesModels === true ? config.models : undefined;
  return JSON.stringify([name, config.workflows[name], database, workspace, models]);
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
