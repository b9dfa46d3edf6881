import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { ClientGrant } from '../core/access/client-grant.ts';
import type { Principal } from '../core/access/principal.ts';
import type { FolderRule } from '../core/folders/folder-rule.ts';
import type { Router } from '../router/router.ts';
import type { Log } from '../telemetry/log.ts';
import type { ByteString, Bytes } from '../wire/bytes.ts';
import type { ListenerRegister } from './change-listener.ts';
import type { CallQuota } from './local/call-quota.ts';
import type { CallInput } from './modern/call-input.ts';
import type { Parking } from './modern/parking.ts';

/** A method of the gateway's own, for its command line: never reachable over HTTP. */
export type ExtraMethod = (params: unknown, client: { readonly host: SessionHost }) => Promise<unknown>;

/** The parts that all clients share that see the same. */
export interface SessionHost {
  /** The catalogue as they may see it. */
  readonly catalogue: CatalogueView;
  readonly router: Router;
  readonly quota: CallQuota;
  readonly log: Log;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  /** Returns the JSON of the server that results for modern clients name; `undefined` if they are to name none. */
  serverInfoInResults(): ByteString | undefined;
  /** Calls of modern clients that wait for input. */
  readonly parking: Parking<CallInput>;
  readonly directory: ListenerRegister;
  /** Returns what models are told when a client connects. */
  instructions(): string;
  /** Returns how long a list request waits for upstreams of which nothing is known yet. */
  readonly listGraceMs: () => number;
}

export interface SessionOptions extends ClientGrant {
  readonly id: string;
  readonly transport: string;
  /** Sends what belongs to no request of the client. */
  readonly output: (bytes: Bytes) => void;
  /** Returns whether that reaches the client now; it always does if absent. */
  readonly isListening?: () => boolean;
  /** The folder in which the client's program was started, if that is known. */
  readonly folder?: string | undefined;
  /** Number of agents, started by gateways, between the client and the user. */
  readonly depth?: number | undefined;
  /** The folders that the client may name; `undefined` for programs of this user, which may name any. */
  readonly folderRule: FolderRule | undefined;
  /** The identity that the client has proved, where it had to prove one. */
  readonly principal?: Principal | undefined;
  readonly extraMethods?: ReadonlyMap<string, ExtraMethod>;
  /** The session is for one request of a client that has none (`ClientFacts.isSessionless`). */
  readonly isBrief?: boolean;
  /** Closes the client's connection; the session ends with it. */
  readonly hangUp?: (reason: string) => void;
}
