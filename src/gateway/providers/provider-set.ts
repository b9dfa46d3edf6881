import type { Config } from '../../config/schema.ts';
import { runningBuilds } from '../../core/processes/running-builds.ts';
import type { Provider } from '../../core/providers/provider.ts';
import { LoginPath } from '../../process/login-path.ts';
import { Reaper } from '../../process/reaper.ts';
import type { WorkflowHealth } from '../../workflows/define.ts';
import { makeHome } from './make-home.ts';
import { openContainers } from './open-containers.ts';
import type { RunningUpstream } from './running-upstream.ts';
import { type SharedTransport, UpstreamFactory, type UpstreamFactoryOptions } from './upstream-factory.ts';
import { UpstreamSet } from './upstream-set.ts';
import { WorkflowSet, type WorkflowSetOptions } from './workflow-set.ts';

export type ProviderSetOptions = UpstreamFactoryOptions & Omit<WorkflowSetOptions, 'transport' | 'factory'>;

/** The providers that a config asks for. A new config keeps those whose part of it did not change. */
export class ProviderSet {
  readonly #onOffer: () => void;
  readonly #transport: SharedTransport;
  readonly #factory: UpstreamFactory;
  readonly #workflows: WorkflowSet;
  readonly #entries: UpstreamSet;

  constructor(options: ProviderSetOptions) {
    const { env, home, onOffer } = options;
    makeHome(home);
    this.#onOffer = onOffer;
    const loginPath = new LoginPath(env);
    const containers = openContainers({ ...options, loginPath });
    this.#transport = { env, loginPath, reaper: new Reaper(), containers };
    this.#factory = new UpstreamFactory(options, this.#transport);
    this.#entries = new UpstreamSet({ ...options, factory: this.#factory });
    this.#workflows = new WorkflowSet({ ...options, transport: this.#transport, factory: this.#factory });
  }

  /** Returns all providers in the order of the catalogue: the gateway's own tools first, then upstreams as the config has them. */
  providers(): Provider[] {
    return [...this.#workflows.providers(), ...this.upstreams()];
  }

  /** Returns the upstreams that workflows have brought along, then those of the config. */
  upstreams(): RunningUpstream[] {
    return [...this.#workflows.upstreams(), ...this.#entries.upstreams()];
  }

  /** Returns how the workflows are that are switched on, by their names. */
  health(): Readonly<Record<string, WorkflowHealth>> {
    return this.#workflows.health();
  }

  /** Says what the providers do that must not end with the last client. */
  work(): readonly string[] {
    const builds = runningBuilds().map((id) => `build ${id}`);
    return [
      ...builds,
      ...this.#workflows.work(),
      ...this.upstreams().flatMap((upstream) => upstream.tasks?.work() ?? []),
    ];
  }

  /** Returns the names of the workflows that are switched on. */
  workflowNames(): string[] {
    return this.#workflows.providers().map(({ id }) => id);
  }

  /** Loads the code of the workflows that a config asks for; `apply` needs it. Those that cannot be loaded are left out. */
  load(config: Pick<Config, 'enabledWorkflows'>): Promise<void> {
    return this.#workflows.load(config);
  }

  /**
   * Starts what the config asks for and is not there, lets go of what it no longer has. Resolves when what was let go
   * of is gone; the new providers are in place at once.
   */
  async apply(config: Config): Promise<void> {
    void this.#transport.containers.sweep();
    this.#factory.configure(config.limits);
    const leaving = [this.#entries.apply(config), this.#workflows.apply(config)];
    this.#onOffer();
    await Promise.all(leaving);
  }

  /** Ends all providers. Resolves when every process is gone. */
  async stop(reason: string): Promise<void> {
    await Promise.all([this.#workflows.stop(reason), this.#entries.stop(reason)]);
  }
}
