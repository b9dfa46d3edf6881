import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventCount, EventGroup, EventPlace, EventQuery, PlacedEvent } from '../../core/stores/event-store.ts';
import type { Engine } from '../database/engine.ts';
import { countsOf, type EventSpan, pageOfEvents, placeFurther } from './event-rows.ts';

/** SQLite works in the gateway's own thread. It reads this many events in some milliseconds. */
const READ_AT_ONCE = 5_000;

/** Counts events, the most frequent first. In SQLite, other work goes on meanwhile. */
export async function countInSlices(engine: Engine, group: EventGroup, query: EventQuery): Promise<EventCount[]> {
  const counts = new Map<string, number>();
  for await (const span of spansOf(engine, query, { order: 'oldest', from: undefined })) {
    for (const { key, count } of await countsOf(engine.queries, group, query, span))
      counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const found = [...counts].map(([key, count]) => ({ key, count }));
  // Databases have orders of their own for texts.
  return found.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

/** A page of events, from the newest on or from the oldest; if a place is given, from the event after it. */
export interface EventPage {
  readonly order: EventSpan['order'];
  readonly limit: number;
  readonly from: EventPlace | undefined;
}

/** Returns a page of events. In SQLite, other work goes on while those that are wanted are looked for among many. */
export async function pageInSlices(
  engine: Engine,
  query: EventQuery,
  { limit, ...start }: EventPage,
): Promise<PlacedEvent[]> {
  const { repos, types, session } = query;
  const isAny = repos === undefined && types === undefined && session === undefined;
  if (isAny) return pageOfEvents(engine.queries, query, { ...start, upTo: undefined }, limit);
  const found: PlacedEvent[] = [];
  for await (const span of spansOf(engine, query, start)) {
    found.push(...(await pageOfEvents(engine.queries, query, span, limit - found.length)));
    if (found.length >= limit) break;
  }
  return found;
}

/** Yields spans that together have all events of a query; one for a database that works elsewhere. */
async function* spansOf(
  { kind, queries }: Engine,
  query: EventQuery,
  { order, from }: Pick<EventSpan, 'order' | 'from'>,
): AsyncGenerator<EventSpan> {
  for (let start = from; ; ) {
    const span = { order, from: start, upTo: undefined };
    const upTo = kind === 'sqlite' ? await placeFurther(queries, query, span, READ_AT_ONCE) : undefined;
    yield { ...span, upTo };
    if (upTo === undefined) return;
    start = upTo;
    await nextTurn();
  }
}
