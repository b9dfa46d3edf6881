import type { ClientDirectory, Provider } from '../core/providers/provider.ts';
import type { UpstreamEntry, UpstreamTraits } from '../core/settings/upstream-entry.ts';
import type { DeclaredCache } from '../core/stores/declared-cache.ts';
import type { EraCache } from '../core/stores/era-cache.ts';
import type { ListingCache } from '../core/stores/listing-cache.ts';
import type { PinStore } from '../core/stores/pin-store.ts';
import type { PublicUris } from '../core/uris/public-uris.ts';
import type { PassedCapabilities } from '../era/extensions.ts';
import type { Log } from '../telemetry/log.ts';
import type { Implementation } from './connection/handshake.ts';
import type { AskingTrait } from './events/asks/asking-trait.ts';
import type { ToldIds } from './events/asks/told-ids.ts';
import type { ProcessQuota } from './sharing/process-quota.ts';
import type { StartTurns } from './starts/start-turns.ts';
import type { Misfits } from './status/misfits.ts';
import type { TransportContext, TransportDefinition } from './transports/transport.ts';

/** The parts of an upstream, and the ones it shares with others. */
export interface UpstreamOptions {
  readonly entry: UpstreamEntry;
  /** The provider that clients know, if this is one of its several processes. */
  readonly provider?: Provider;
  readonly traits: UpstreamTraits;
  readonly transport: TransportContext;
  /** Gives the transport of an entry; the one of its type if absent. */
  readonly transportFor?: (entry: UpstreamEntry) => Promise<TransportDefinition>;
  readonly clientInfo: Implementation;
  /** Returns the client capabilities that a legacy server is told about; all of them if absent. */
  readonly capabilities?: () => Readonly<Record<string, unknown>>;
  /** Returns what the server is told about its clients, apart from the capabilities it can call on. */
  readonly passed: () => PassedCapabilities;
  readonly cache: ListingCache;
  readonly declared: DeclaredCache;
  readonly asking: AskingTrait;
  readonly told: ToldIds;
  /** The misfits of all processes of this upstream; if absent, it keeps its own. */
  readonly misfits?: Misfits;
  /** The process quota shared by all upstreams. */
  readonly processes: ProcessQuota;
  readonly eras: EraCache;
  /** The start turns shared by all upstreams; if absent, processes start at once. */
  readonly starts?: StartTurns | undefined;
  readonly pins: PinStore;
  readonly uris: PublicUris;
  readonly directory: ClientDirectory;
  readonly log: Log;
  /** Hides secrets in what goes to status, clients and people. */
  readonly mask: (text: string) => string;
  /**
   * Returns true if its state belongs to no client. It is then restarted if an abandoned call could be mistaken for
   * another client's.
   */
  readonly isRenewable?: () => boolean;
  /** The offered lists, or whether they are known, may differ from before. */
  readonly onOffer: () => void;
}
