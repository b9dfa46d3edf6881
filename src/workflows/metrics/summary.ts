import type { EventCount, EventGroup, EventQuery, EventStore } from '../../core/stores/event-store.ts';
import { newestOf, queriesOf } from '../project-events.ts';
import { fromStored, type MetricEvent } from './metric-event.ts';

/** The number of events shown, the newest first. */
const SHOWN = 10;

export interface MetricsSummary {
  readonly total: number;
  readonly by_type: EventCount[];
  readonly by_repo: EventCount[];
  readonly by_agent: EventCount[];
  readonly events: Pick<MetricEvent, 'type' | 'timestamp' | 'agent_id' | 'repo'>[];
}

/**
 * Returns what was recorded from a time on, in milliseconds since 1970. With `mayUseRepo`, only events whose repository passes;
 * events without a repository are left out then.
 */
export async function summarise(
  store: EventStore,
  since: number,
  mayUseRepo?: (repo: string) => boolean,
): Promise<MetricsSummary> {
  const queries = await queriesOf(store, { kind: 'metric', since }, mayUseRepo);
  const byType = await countBy(store, 'type', queries);
  return {
    // Each has a type: so it is the same number as below, even if events are recorded meanwhile.
    total: byType.reduce((sum, { count }) => sum + count, 0),
    by_type: byType,
    by_repo: await countBy(store, 'repo', queries),
    by_agent: await countBy(store, 'agent', queries),
    events: (await newestOf(store, queries, SHOWN)).map(fromStored).map(({ type, timestamp, agent_id, repo }) => ({
      type,
      timestamp,
      ...(agent_id !== undefined && { agent_id }),
      ...(repo !== undefined && { repo }),
    })),
  };
}

async function countBy(store: EventStore, group: EventGroup, queries: readonly EventQuery[]): Promise<EventCount[]> {
  const counts = new Map<string, number>();
  for (const query of queries)
    for (const { key, count } of await store.countBy(group, query)) counts.set(key, (counts.get(key) ?? 0) + count);
  const found = [...counts].map(([key, count]) => ({ key, count }));
  return found.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}
