import type { EventQuery, EventStore, PlacedEvent } from '../../../core/stores/event-store.ts';
import { at, parsed } from '../../../services/service-words.ts';
import { newestOf } from '../../project-events.ts';

const PREFIX = 'build';
/** Events beyond these are counted, but not looked at. */
const MOST_READ = 5_000;
const TYPES_AT_ONCE = 1_000;
const NS_PER_MS = 1e6;

const SUCCESS: ReadonlySet<string> = new Set(['success', 'succeeded', 'successful', 'ok', 'passed', 'pass']);
const FAILED: ReadonlySet<string> = new Set(['failed', 'failure', 'fail', 'error', 'errored', 'broken']);

/** Builds that agents have recorded as events. */
export interface RecordedBuilds {
  readonly total: number;
  /** Number of events whose status and duration were looked at. */
  readonly read: number;
  readonly success: number;
  readonly failed: number;
  /** In milliseconds, of the events that have one. */
  readonly durations: readonly number[];
}

/** Counts the events of these queries whose type begins with "build"; status and duration are those of the newest 5,000. */
export async function recordedBuilds(store: EventStore, queries: readonly EventQuery[]): Promise<RecordedBuilds> {
  const { types, total } = await buildTypes(store, queries);
  if (total === 0) return { total, read: 0, success: 0, failed: 0, durations: [] };
  const ofBuilds = queries.map((query) => ({ ...query, types: types.slice(0, TYPES_AT_ONCE) }));
  const events = await newestOf(store, ofBuilds, MOST_READ);
  const statuses = events.map(statusOf);
  return {
    total,
    read: events.length,
    success: statuses.filter((status) => SUCCESS.has(status)).length,
    failed: statuses.filter((status) => FAILED.has(status)).length,
    durations: events.flatMap(durationOf),
  };
}

async function buildTypes(
  store: EventStore,
  queries: readonly EventQuery[],
): Promise<{ readonly types: readonly string[]; readonly total: number }> {
  const counts = (await Promise.all(queries.map((query) => store.countBy('type', query)))).flat();
  const ofBuilds = counts.filter(({ key }) => key.startsWith(PREFIX));
  return {
    types: [...new Set(ofBuilds.map(({ key }) => key))],
    total: ofBuilds.reduce((sum, { count }) => sum + count, 0),
  };
}

/** `data.status` in lower case; an empty text if there is none. */
function statusOf({ body }: PlacedEvent): string {
  const status = at(at(parsed(body), 'data'), 'status');
  return typeof status === 'string' ? status.toLowerCase() : '';
}

/** Recorded in nanoseconds. */
function durationOf({ body }: PlacedEvent): number[] {
  const duration = at(parsed(body), 'duration');
  return typeof duration === 'number' && duration > 0 ? [duration / NS_PER_MS] : [];
}
