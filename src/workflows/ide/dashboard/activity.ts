import type { EventQuery, EventStore, PlacedEvent } from '../../../core/stores/event-store.ts';
import { at, parsed } from '../../../services/service-words.ts';
import type { CallingClient } from '../../define.ts';
import { mayUse } from '../../project-access.ts';
import { newestOf, queriesOf } from '../../project-events.ts';
import type { Activity, Sources } from './dashboard.ts';

interface Onlooker {
  readonly events: EventStore;
  readonly client: CallingClient;
  /** True if the client may know what all clients do. */
  readonly seesEverything: boolean;
}

/**
 * Returns the newest tool calls and recorded events since a time in milliseconds since 1970, at most `limit`, the newest first.
 * A client that does not see everything gets its own calls, and the events of its projects.
 */
export async function newestActivity(
  onlooker: Onlooker,
  limit: number,
  since: number,
): Promise<{ readonly events: Activity[]; readonly sources: Sources }> {
  const { events, client, seesEverything } = onlooker;
  const calls: EventQuery = { kind: 'audit', since, ...(!seesEverything && { session: auditedSession(client) }) };
  const records = await recordQueries(events, client, since);
  const [called, recorded] = await Promise.all([events.newest(calls, limit), newestOf(events, records, limit)]);
  const found = [...called, ...recorded].sort((a, b) => b.at - a.at || b.id - a.id).slice(0, limit);
  return {
    events: found.map(toActivity),
    sources: { events: `${seesEverything ? 'calls of all clients' : 'your own calls'} in the audit, and ${RECORDED}` },
  };
}

const RECORDED = 'events that agents have recorded (metrics_record), of projects that you may see; the last 7 days';

/** Returns queries for the recorded events that a client may see, as workflow `metrics` shows them. */
export function recordQueries(events: EventStore, client: CallingClient, since: number): Promise<EventQuery[]> {
  const mayUseRepo = mayUse(client, undefined) ? undefined : (repo: string) => mayUse(client, repo);
  return queriesOf(events, { kind: 'metric', since }, mayUseRepo);
}

/** Returns the session by which the audit knows a client: its id, without who it has proved to be. */
function auditedSession({ era, id, principal }: CallingClient): string {
  return era === 'modern' && principal !== undefined ? id.slice(0, -(principal.length + 1)) : id;
}

function toActivity(event: PlacedEvent): Activity {
  const timestamp = new Date(event.at).toISOString();
  return event.kind === 'audit'
    ? { type: 'call', message: callWords(event), timestamp }
    : { type: event.type, message: recordWords(event), timestamp };
}

function callWords({ type: tool, agent, body }: PlacedEvent): string {
  const facts = parsed(body);
  const [outcome, ms] = [at(facts, 'outcome'), at(facts, 'durationMs')];
  const who = agent === undefined ? '' : ` by ${agent}`;
  return `${tool}${who}: ${typeof outcome === 'string' ? outcome : 'unknown'}${typeof ms === 'number' ? `, ${Math.round(ms)} ms` : ''}`;
}

function recordWords({ type, agent, repo, body }: PlacedEvent): string {
  const status = at(at(parsed(body), 'data'), 'status');
  const [where, who] = [repo === undefined ? '' : ` in ${repo}`, agent === undefined ? '' : ` by ${agent}`];
  return `${type}${where}${who}${typeof status === 'string' ? `: ${status}` : ''}`;
}
