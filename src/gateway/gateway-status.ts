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
