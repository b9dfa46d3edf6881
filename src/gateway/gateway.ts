import { Catalogue } from '../catalogue/catalogue.ts';
import type { Config } from '../config/schema.ts';
import type { PolicyDefinition } from '../policy/policy.ts';
import { PolicySet } from '../policy/policy-set.ts';
import type { Log } from '../telemetry/log.ts';
import type { Masker } from '../telemetry/masker.ts';
import { disabledKeys } from './disabled-keys.ts';
import { GatewayAudit } from './gateway-audit.ts';
import { GatewayClients } from './gateway-clients.ts';
import { GatewayControl } from './gateway-control.ts';
import { GatewayReports } from './gateway-reports.ts';
import { openCredentialStore } from './providers/credential-store.ts';
import { openUriOwners } from './providers/open-uri-owners.ts';
import { PinReview } from './providers/pin-review.ts';
import { openPinStore } from './providers/pin-store.ts';
import { ProviderSet } from './providers/provider-set.ts';
import { StoreWatch } from './providers/store-watch.ts';
import { TrialCredentials } from './providers/trial-credentials.ts';
import type { ConfigNotices } from './trust/notices.ts';
import { VERSION } from './version.ts';

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
  /** The gateway runs only to check upstreams: `home` is a copy, and what is kept there is thrown away. */
  readonly trial?: {
    /** The gateway's own folder, which has the logins. */
    readonly credentialsHome: string;
  };
  /** The time that a list waits for upstreams whose offer is unknown, in milliseconds; taken from the config if absent. */
  readonly listGraceMs?: number;
  /** The policies that every call passes; those of this build if absent. */
  readonly policies?: readonly PolicyDefinition[];
}

/** Everything between the clients and the providers, built from a config. */
export class Gateway {
  /** The clients, and what they share. */
  readonly clients: GatewayClients;
  /** Tells how the gateway is. */
  readonly reports: GatewayReports;
  /** Does what commands of this user ask for. */
  readonly control: GatewayControl;
  readonly #options: GatewayOptions;
  readonly #audit: GatewayAudit;
  readonly #catalogue: Catalogue;
  readonly #policies: PolicySet;
  readonly #providers: ProviderSet;
  readonly #stores: StoreWatch;
  #config: Config;
  #isStarted = false;
  #stopping: Promise<void> | undefined;

  private constructor(options: GatewayOptions, policies: PolicySet) {
    this.#options = options;
    this.#policies = policies;
    this.#config = options.config;
    const { log, trial } = options;
    const config = () => this.#config;
    const uris = openUriOwners(options);
    const pins = openPinStore(options);
    const credentials = openCredentialStore({ ...options, home: trial?.credentialsHome ?? options.home });
    this.#audit = new GatewayAudit(options);
    this.#catalogue = new Catalogue({ maxNameLength: () => this.#config.names.maxLength, uris });
    const listGraceMs = () => options.listGraceMs ?? this.#config.lists.graceMs;
    const shared = { config, listGraceMs, upstreams: () => this.#providers.upstreams() };
    this.clients = new GatewayClients({
      ...options,
      ...shared,
      policies: policies.policies,
      catalogue: this.#catalogue,
      calls: this.#audit.calls,
    });
    const providers = new ProviderSet({
      ...options,
      pins,
      credentials: trial === undefined ? credentials : new TrialCredentials(credentials),
      uris,
      passed: () => this.clients.passed(),
      clientInfo: { name: 'viaduct', version: VERSION },
      directory: this.clients.sessions,
      view: () => this.reports.forWorkflows,
      onOffer: () => this.#catalogue.onOffer(),
      isBusy: () => this.clients.openCalls > 0,
    });
    this.#providers = providers;
    this.reports = new GatewayReports({ ...options, ...shared, providers, clients: this.clients });
    this.#stores = new StoreWatch({ ...shared, pins, credentials, log });
    const review = new PinReview(pins, (key) => this.#stores.onPinsChanged(key));
    this.control = new GatewayControl({ reports: this.reports, pins: review, providers, log });
  }

  /** Resolves to a gateway that is ready to start: the code of what its config switches on is there. */
  static async load(options: GatewayOptions): Promise<Gateway> {
    const policies = await PolicySet.load(options.config.policies, options.policies);
    const gateway = new Gateway(options, policies);
    await gateway.#providers.load(options.config);
    return gateway;
  }

  /** Starts the upstreams, once; returns at once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    if (this.#options.trial === undefined) this.#stores.start();
    this.#apply(this.#config).catch((error: unknown) => this.#options.log.error({ error }, 'starting failed'));
  }

  /** Goes over to another config: what did not change in it is not touched. */
  async reload(config: Config): Promise<void> {
    await this.#providers.load(config);
    this.#config = config;
    this.#audit.configure(config);
    this.#policies.configure(config.policies);
    this.clients.applyProfiles(config.profiles);
    await this.#apply(config);
  }

  /** Refuses new calls from now on. Resolves when no call is open, or after `ms` milliseconds at the latest. */
  drain(ms: number): Promise<void> {
    this.clients.leave();
    this.#audit.hurry();
    return this.clients.drain(ms);
  }

  /** Ends all upstreams, which answers the calls that are open, then all sessions; resolves when every process is gone. */
  stop(reason: string): Promise<void> {
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  async #apply(config: Config): Promise<void> {
    const applied = this.#providers.apply(config);
    const upstreams = this.#providers.upstreams().map(({ id }) => id);
    this.#catalogue.uris.keepOnly(new Set([...upstreams, ...disabledKeys(config)]));
    this.#catalogue.setProviders(this.#providers.providers());
    this.clients.sessions.onProvidersChanged();
    await applied;
  }

  async #stop(reason: string): Promise<void> {
    this.clients.leave();
    this.#stores.stop();
    await this.#providers.stop(reason);
    this.clients.end();
    this.#catalogue.uris.flush();
    await this.#audit.close();
  }
}
