import type { CallContext } from '../../define.ts';

export const PERIODS = ['1h', '24h', '7d'] as const;
export type Period = (typeof PERIODS)[number];

/** The source of each figure, by the name of the figure. */
export type Sources = Readonly<Record<string, string>>;

export interface Overview {
  readonly repos: number;
  readonly services: number;
  readonly activeSessions: number;
  readonly recentBuilds: number;
}

export interface Activity {
  readonly type: string;
  readonly message: string;
  /** RFC 3339. */
  readonly timestamp: string;
}

export interface Metrics {
  readonly buildsTotal: number;
  readonly buildsSuccess: number;
  readonly buildsFailed: number;
  readonly avgBuildTime: string;
  readonly agentSessions: number;
  readonly messagesTotal: number;
  readonly successRate: number;
}

/** Figures of the gateway itself, as far as the caller may see what they count. */
export interface Dashboard {
  overview(context: CallContext): Promise<{ readonly overview: Overview; readonly sources: Sources }>;
  /** Returns the newest events, at most `limit`, the newest first. */
  activity(
    limit: number,
    context: CallContext,
  ): Promise<{ readonly events: readonly Activity[]; readonly sources: Sources }>;
  metrics(period: Period, context: CallContext): Promise<{ readonly metrics: Metrics; readonly sources: Sources }>;
}
