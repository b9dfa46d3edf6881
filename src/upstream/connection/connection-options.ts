import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { EraCache } from '../../core/stores/era-cache.ts';
import type { PassedCapabilities } from '../../era/extensions.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { StartTurns } from '../starts/start-turns.ts';
import type { TransportContext, TransportDefinition } from '../transports/transport.ts';
import type { Implementation, ServerFacts } from './handshake.ts';
import type { Link } from './link.ts';
import type { LinkEvents } from './link-receiver.ts';
import type { ConnectionState } from './machine.ts';
import type { PeerFaults } from './peer-faults.ts';

/** Receives the events of a connection, and tells it how the upstream is used. */
export interface ConnectionOwner extends LinkEvents {
  /** The handshake is done: calls may be sent, lists can be read. */
  onConnected(link: Link, facts: ServerFacts): void;
  /** A connection has ended. `isLost`: it ended unintentionally. */
  onDisconnected(reason: string, isLost: boolean): void;
  onState(state: ConnectionState, before: ConnectionState): void;
  onStderr(line: string): void;
  /** Returns the JSON of a tool, as the upstream wrote it. */
  toolText(ownName: string): ByteString | undefined;
  /** True if some client waits for an answer. */
  readonly hasOpenCalls: boolean;
  /** True if nothing is asked for but a list that has ended connections before. */
  readonly isAskingCulprit: boolean;
  /** True if its tools were read, now or in an earlier run. */
  readonly knowsTools: boolean;
  /** Notices of the upstream may have been missed. */
  onMissed(): void;
}

export interface ConnectionOptions {
  readonly entry: UpstreamEntry;
  readonly transport: TransportContext;
  /** Gives the transport of an entry; the one of its type if absent. */
  readonly transportFor?: (entry: UpstreamEntry) => Promise<TransportDefinition>;
  readonly clientInfo: Implementation;
  /** Returns what a legacy server is told that its clients can do, when it is connected. */
  readonly capabilities?: () => Readonly<Record<string, unknown>>;
  /** Returns what a server is told of its clients besides what it can ask them. */
  readonly passed: () => PassedCapabilities;
  readonly eras: EraCache;
  /** Decides when a process may be started; at once if absent. */
  readonly starts?: StartTurns | undefined;
  readonly log: Log;
  readonly faults: PeerFaults;
  /** Hides secrets in what goes to status, clients and people. */
  readonly mask: (text: string) => string;
}
