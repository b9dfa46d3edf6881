import path from 'node:path';
import type { LimitsConfig } from '../../config/schema.ts';
import type { ClientDirectory } from '../../core/providers/provider.ts';
import type { Environment } from '../../core/settings/environment.ts';
import type { UpstreamEntry, UpstreamTraits } from '../../core/settings/upstream-entry.ts';
import type { CredentialStore } from '../../core/stores/credentials.ts';
import type { PinStore } from '../../core/stores/pin-store.ts';
import type { PublicUris } from '../../core/uris/public-uris.ts';
import type { PassedCapabilities } from '../../era/extensions.ts';
import { EraFiles } from '../../store/era-files.ts';
import { DeclaredFiles } from '../../store/extensions/declared-files.ts';
import { ListingFiles } from '../../store/listing-files.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Masker } from '../../telemetry/masker.ts';
import { RecentSecrets } from '../../telemetry/recent-secrets.ts';
import { UpstreamAuthorization } from '../../upstream/auth/upstream-authorization.ts';
import type { Implementation } from '../../upstream/connection/handshake.ts';
import { AskingTrait } from '../../upstream/events/asks/asking-trait.ts';
import { ToldIds } from '../../upstream/events/asks/told-ids.ts';
import { ProcessQuota } from '../../upstream/sharing/process-quota.ts';
import { UpstreamPool } from '../../upstream/sharing/upstream-pool.ts';
import { StartTurns, usualStarts } from '../../upstream/starts/start-turns.ts';
import type { Authorization, TransportContext } from '../../upstream/transports/transport.ts';
import { Upstream } from '../../upstream/upstream.ts';
import type { UpstreamOptions } from '../../upstream/upstream-options.ts';
import { UpstreamPerWindow } from '../../upstream/windows/upstream-per-window.ts';
import { VERSION } from '../version.ts';
import type { RunningUpstream } from './running-upstream.ts';

/** The parts that the transports of all upstreams share. */
export type SharedTransport = Omit<TransportContext, 'log' | 'maxFrameBytes' | 'authorization'>;

export interface UpstreamFactoryOptions {
  readonly env: Environment;
  readonly home: string;
  readonly pins: PinStore;
  readonly credentials: CredentialStore;
  readonly uris: PublicUris;
  /** Returns what upstreams are told about the clients besides what clients can be asked. */
  readonly passed: () => PassedCapabilities;
  readonly log: Log;
  readonly masker: Masker;
  readonly clientInfo: Implementation;
  readonly directory: ClientDirectory;
  readonly onOffer: () => void;
  /** Tells whether clients wait for answers. */
  readonly isBusy: () => boolean;
}

type UpstreamLimits = Pick<LimitsConfig, 'frameBytes' | 'startsAtOnce'>;

/** Makes upstreams of entries, with all that upstreams of one gateway share. */
export class UpstreamFactory {
  readonly #options: UpstreamFactoryOptions;
  readonly #transport: SharedTransport;
  readonly #cache: ListingFiles;
  readonly #eras: EraFiles;
  readonly #declared: DeclaredFiles;
  readonly #told = new ToldIds();
  readonly #processes = new ProcessQuota();
  readonly #starts: StartTurns;
  #limits: UpstreamLimits = { frameBytes: 0 };

  constructor(options: UpstreamFactoryOptions, transport: SharedTransport) {
    this.#options = options;
    this.#transport = transport;
    const { home, isBusy, log } = options;
    this.#starts = new StartTurns({ atOnce: () => this.#limits.startsAtOnce ?? usualStarts(), isBusy });
    const onError = (error: unknown) => log.warn({ error }, 'a cache failed; nothing depends on it');
    this.#cache = new ListingFiles(path.join(home, 'cache', 'lists'), { program: VERSION, onError });
    this.#eras = new EraFiles(path.join(home, 'cache', 'eras'), onError);
    this.#declared = new DeclaredFiles(path.join(home, 'cache', 'declared'), onError);
  }

  /** Goes over to other limits; upstreams that run go by them from now on. */
  configure(limits: UpstreamLimits): void {
    this.#limits = limits;
  }

  /** Returns an upstream that shares its process as the entry says. It is not started yet. */
  create(entry: UpstreamEntry, traits: UpstreamTraits): RunningUpstream {
    // All clients share the same window of an IDE.
    if (entry.share === 'gateway' || entry.ports !== undefined) return this.createShared(entry, traits);
    return new UpstreamPool(this.#upstreamOptions(entry, traits));
  }

  /** Returns an upstream that all clients share. It is not started yet. */
  createShared(entry: UpstreamEntry, traits: UpstreamTraits): Upstream | UpstreamPerWindow {
    const options = this.#upstreamOptions(entry, traits);
    return entry.ports === undefined ? new Upstream(options) : new UpstreamPerWindow({ ...options, entry });
  }

  #upstreamOptions(entry: UpstreamEntry, traits: UpstreamTraits): UpstreamOptions {
    const log = this.#options.log.child({ upstream: entry.key });
    const maxFrameBytes = () => this.#limits.frameBytes;
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
