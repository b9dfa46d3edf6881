import type { UpstreamStatus } from '../core/providers/provider-status.ts';
import type { ConfigNotice } from './trust/notices.ts';

/** The output of `viaduct status --json`. */
export interface GatewayStatus {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly config: string;
  /** Configs that are not used as they are in their files, and what to do about it. */
  readonly configNotices: readonly ConfigNotice[];
  readonly workflows: readonly string[];
  readonly upstreams: readonly UpstreamStatus[];
  /** Keys of entries that are switched off. */
  readonly disabled: readonly string[];
  readonly sessions: readonly SessionLine[];
  /** Present if several `viaduct stdio` share it. */
  readonly shared?: SharedStatus;
}

/** How long a shared gateway runs, and for whom. Times are in ISO 8601. */
export interface SharedStatus {
  /** Connections that there are now, that of the command included. */
  readonly clients: number;
  /** Names of the variables of its config: clients with other values of them have another gateway. */
  readonly variables: readonly string[];
  /** The work that must not end with the last client. */
  readonly keptAliveBy: readonly string[];
  /** The time at which it ends if no client comes and no work keeps it alive; absent while there are clients. */
  readonly endsAt?: string;
  /** The time at which it ends in any case. */
  readonly endsAtLatest?: string;
}

/** A client as status shows it. */
export interface SessionLine {
  readonly id: string;
  readonly transport: string;
  /** The profile by which it came, if the config has it. */
  readonly profile?: string;
  readonly client: string;
  /** The name of the principal whose token it sent, if it needed one. */
  readonly principal?: string;
  readonly since: string;
  readonly openCalls: number;
}

/** One line of `viaduct tools`. */
export interface ToolLine {
  readonly name: string;
  /** The upstream or workflow that has it, and its name there. */
  readonly provider: string;
  readonly ownName: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: unknown;
}
