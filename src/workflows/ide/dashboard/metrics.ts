import type { Build } from '../../../core/stores/build-store.ts';
import type { EventStore } from '../../../core/stores/event-store.ts';
import { durationText } from '../../../core/text/duration-text.ts';
import type { CallingClient } from '../../define.ts';
import type { IdeBuilds } from '../builds/builds.ts';
import type { Chat } from '../chat/chat.ts';
import { recordQueries } from './activity.ts';
import type { Metrics, Sources } from './dashboard.ts';
import { recordedBuilds } from './recorded-builds.ts';

interface Figures {
  readonly events: EventStore;
  readonly chat: Chat;
  readonly builds: IdeBuilds;
  readonly client: CallingClient;
  /** Projects whose data are counted; `undefined` for all. */
  readonly projects: readonly string[] | undefined;
}

/** Returns the figures since a time in milliseconds since 1970. */
export async function metricsOf(
  { events, chat, builds, client, projects }: Figures,
  since: number,
): Promise<{ readonly metrics: Metrics; readonly sources: Sources }> {
  const queries = await recordQueries(events, client, since);
  const [ran, recorded, { sessions, messages }] = await Promise.all([
    builds.since(projects, since),
    recordedBuilds(events, queries),
    chat.counts(projects, since),
  ]);
  const success = countOf(ran, 'success') + recorded.success;
  const failed = countOf(ran, 'failed') + recorded.failed;
  const metrics = {
    buildsTotal: ran.length + recorded.total,
    buildsSuccess: success,
    buildsFailed: failed,
    avgBuildTime: averageText([...durationsOf(ran), ...recorded.durations]),
    agentSessions: sessions,
    messagesTotal: messages,
    successRate: success + failed === 0 ? 0 : success / (success + failed),
  };
  return { metrics, sources: sourcesOf(ran.length, recorded) };
}

function sourcesOf(ran: number, { total, read }: { readonly total: number; readonly read: number }): Sources {
  const recorded = `${total} recorded events (metrics_record) whose type begins with "build"`;
  const builds = `${ran} builds that were started under the gateway, as far as they are kept, and ${recorded}`;
  const ends = read === total ? builds : `${builds}, of which the newest ${read} were looked at`;
  return {
    buildsTotal: builds,
    buildsSuccess: ends,
    buildsFailed: ends,
    avgBuildTime: ends,
    successRate: ends,
    agentSessions: 'chat sessions of the gateway that were in use',
    messagesTotal: 'messages in chat sessions of the gateway',
  };
}

const countOf = (builds: readonly Build[], status: Build['status']): number =>
  builds.filter((build) => build.status === status).length;

/** Returns the durations of builds that ended by themselves, in milliseconds. */
function durationsOf(builds: readonly Build[]): number[] {
  return builds.flatMap(({ status, startedMs, endedMs }) =>
    endedMs !== undefined && (status === 'success' || status === 'failed') ? [endedMs - startedMs] : [],
  );
}

function averageText(durations: readonly number[]): string {
  if (durations.length === 0) return '';
  return durationText(durations.reduce((sum, ms) => sum + ms, 0) / durations.length);
}
