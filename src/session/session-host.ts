import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { ClientGrant } from '../core/access/client-grant.ts';
import type { Principal } from '../core/access/principal.ts';
import type { FolderRule } from '../core/folders/folder-rule.ts';
import type { Router } from '../router/router.ts';
import type { Log } from '../telemetry/log.ts';
import type { ByteString, Bytes } from '../wire/bytes.ts';
import type { CallQuota } from './local/call-quota.ts';
import type { ModernCall } from './modern/modern-call.ts';
import type { ModernClient } from './modern/modern-client.ts';
import type { Parking } from './modern/parking.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** A method of the gateway's own, for its command line: never reachable over HTTP. */
export type ExtraMethod = (params: unknown, session: Session) => Promise<unknown>;

/** What all sessions share that see the same. */
export interface SessionHost {
  /** As much of the catalogue as they may see. */
  readonly catalogue: CatalogueView;
  readonly router: Router;
  readonly quota: CallQuota;
  readonly log: Log;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  /** JSON of what results for modern clients name as their server; `undefined` where they are to name none. */
  serverInfoInResults(): ByteString | undefined;
  /** Calls of modern clients that wait for input. */
  readonly parking: Parking<ModernCall>;
  readonly directory: Pick<Sessions, 'addListener' | 'removeListener'>;
  /** Told to models when a client connects. */
  instructions(): string;
  /** How long a list request waits for upstreams of which nothing is known yet. */
  readonly listGraceMs: () => number;
  onSessionReady(session: Session): void;
  onSessionEnded(session: Session): void;
  onModernClientEnded(client: ModernClient): void;
}

export interface SessionOptions extends ClientGrant {
  readonly id: string;
  readonly transport: string;
  /** Sends what belongs to no request of the client's. */
  readonly output: (bytes: Bytes) => void;
  /** Whether that reaches the client now; always, where this is absent. */
  readonly isListening?: () => boolean;
  /** Where the client's program was started, if that is known. */
  readonly folder?: string | undefined;
  /** Number of agents, started by gateways, between the client and the user. */
  readonly depth?: number | undefined;
  /** Which folders the client may name; `undefined` for programs of this user. */
  readonly folderRule: FolderRule | undefined;
  /** Who the client has proved to be, where it had to. */
  readonly principal?: Principal | undefined;
  readonly extraMethods?: ReadonlyMap<string, ExtraMethod>;
  /** For one request of a client that has no session (`ClientFacts.isSessionless`). */
  readonly isBrief?: boolean;
  /** Closes the client's connection; the session ends with it. */
  readonly hangUp?: (reason: string) => void;
}
