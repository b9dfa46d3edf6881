import type { EventCount, EventStore } from '../../core/event-store.ts';
import { fromStored, type MetricEvent } from './metric-event.ts';

/** So many events are shown, the newest first. */
const SHOWN = 10;

export interface MetricsSummary {
  readonly total: number;
  readonly by_type: EventCount[];
  readonly by_repo: EventCount[];
  readonly by_agent: EventCount[];
  readonly events: Pick<MetricEvent, 'type' | 'timestamp' | 'agent_id' | 'repo'>[];
}

/** What was recorded from a time on, in milliseconds since 1970. */
export async function summarise(store: EventStore, since: number): Promise<MetricsSummary> {
  const query = { kind: 'metric', since } as const;
  const byType = await store.countBy('type', query);
  return {
    // Each has a type: so it is the same number as below, whatever is recorded meanwhile.
    total: byType.reduce((sum, { count }) => sum + count, 0),
    by_type: [...byType],
    by_repo: [...(await store.countBy('repo', query))],
    by_agent: [...(await store.countBy('agent', query))],
    events: (await store.newest(query, SHOWN)).map(fromStored).map(({ type, timestamp, agent_id, repo }) => ({
      type,
      timestamp,
      ...(agent_id !== undefined && { agent_id }),
      ...(repo !== undefined && { repo }),
    })),
  };
}
