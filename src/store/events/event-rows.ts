import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type {
  EventCount,
  EventGroup,
  EventKind,
  EventPlace,
  EventQuery,
  NewEvent,
  PlacedEvent,
} from '../../core/stores/event-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import type { Queries, Tables } from '../database/tables.ts';
import { boundOf, keyOf, limitOf } from '../database/values.ts';

/** Rows of one statement at most: a statement may have 32,766 parameters in SQLite, 65,535 in PostgreSQL. */
const MAX_ROWS = 256;

/** Adds events of this machine, within a transaction. Returns how many were new. */
export async function insertEvents(queries: Queries, machine: string, events: readonly NewEvent[]): Promise<number> {
  let added = 0;
  for (let from = 0; from < events.length; ) {
    const to = from + rowsAtOnce(events.length - from);
    const insert = queries
      .insertInto('events')
      .values(events.slice(from, to).map((event) => toRow(event, machine)))
      .onConflict((conflict) => conflict.doNothing());
    added += Number((await insert.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows ?? 0);
    from = to;
  }
  return added;
}

/** A power of two: so there are few different statements, and SQLite keeps each of them prepared. */
function rowsAtOnce(left: number): number {
  return Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(left)));
}

function toRow(event: NewEvent, machine: string) {
  return {
    kind: event.kind,
    at_ms: Math.trunc(event.at),
    type: storableText(event.type),
    agent: event.agent === undefined ? null : storableText(event.agent),
    repo: event.repo === undefined ? null : storableText(event.repo),
    session: event.session === undefined ? null : storableText(event.session),
    body: event.body,
    key: event.key === undefined ? null : keyOf(event.key),
    machine,
  };
}

/** A walk through events by time: from the one after a place, up to and with another one. */
export interface EventSpan {
  readonly order: 'newest' | 'oldest';
  readonly from: EventPlace | undefined;
  readonly upTo: EventPlace | undefined;
}

/** Counts the events of a span by a member that not all of them have. */
export async function countsOf(
  queries: Queries,
  group: EventGroup,
  query: EventQuery,
  span: EventSpan,
): Promise<EventCount[]> {
  const found = await within(queries, query, span)
    .where(group, 'is not', null)
    .groupBy(group)
    .select((eb) => [eb.ref(group).$castTo<string>().as('key'), eb.fn.countAll().as('count')])
    .execute();
  return found.map(({ key, count }) => ({ key, count: Number(count) }));
}

/** Returns the events of a span in its order, at most `limit`. */
export async function pageOfEvents(
  queries: Queries,
  query: EventQuery,
  span: EventSpan,
  limit: number,
): Promise<PlacedEvent[]> {
  const rows = inOrder(within(queries, query, span).selectAll(), span);
  return (await rows.limit(limitOf(limit)).execute()).map(toEvent);
}

/**
 * Returns the place that is `count` events further, of any kind, in the time range of a query; `undefined` if that is
 * beyond its end.
 */
export async function placeFurther(
  queries: Queries,
  { kind, since, until }: EventQuery,
  span: EventSpan,
  count: number,
): Promise<EventPlace | undefined> {
  const rows = inOrder(within(queries, { kind, since, until }, span).select(['at_ms', 'id']), span);
  const found = await rows
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst();
  return found && { at: Number(found.at_ms), id: Number(found.id) };
}

function within(queries: Queries, query: EventQuery, { order, from, upTo }: EventSpan) {
  const [start, end] = order === 'oldest' ? (['since', 'until'] as const) : (['until', 'since'] as const);
  // Of two limits on the same side, SQLite would begin at the wider one and read on to the other.
  const limits = { ...(from !== undefined && { [start]: undefined }), ...(upTo !== undefined && { [end]: undefined }) };
  const [beyond, notBeyond] = order === 'oldest' ? (['>', '<='] as const) : (['<', '>='] as const);
  let rows = matching(queries, { ...query, ...limits });
  if (from !== undefined) rows = rows.where((eb) => eb(eb.refTuple('at_ms', 'id'), beyond, eb.tuple(from.at, from.id)));
  if (upTo !== undefined)
    rows = rows.where((eb) => eb(eb.refTuple('at_ms', 'id'), notBeyond, eb.tuple(upTo.at, upTo.id)));
  return rows;
}

function inOrder<O>(rows: SelectQueryBuilder<Tables, 'events', O>, { order }: EventSpan) {
  const direction = order === 'newest' ? 'desc' : 'asc';
  return rows.orderBy('at_ms', direction).orderBy('id', direction);
}

/** Returns events by their ids alone: an index of anything else would be read from its beginning. */
export async function eventsAfter(
  queries: Queries,
  { kind, id, limit }: { readonly kind: EventKind; readonly id: number; readonly limit: number },
): Promise<PlacedEvent[]> {
  const rows = queries.selectFrom('events').selectAll().where('id', '>', id).where(sql`kind || ''`, '=', kind);
  return (await rows.orderBy('id').limit(limitOf(limit)).execute()).map(toEvent);
}

function toEvent(row: Selectable<Tables['events']>): PlacedEvent {
  return {
    id: Number(row.id),
    kind: row.kind as EventKind,
    at: Number(row.at_ms),
    type: row.type,
    agent: row.agent ?? undefined,
    repo: row.repo ?? undefined,
    session: row.session ?? undefined,
    body: row.body,
  };
}

export interface Removal {
  readonly kind: EventKind;
  readonly olderThan: number;
  /** Only what this machine has added; `undefined` for all. */
  readonly machine: string | undefined;
  readonly limit: number;
}

/** Removes at most `limit` events, the oldest first. Returns how many it removed. */
export async function deleteOlder(queries: Queries, { kind, olderThan, machine, limit }: Removal): Promise<number> {
  let oldest = queries
    .selectFrom('events')
    .select('id')
    .where('kind', '=', kind)
    .where('at_ms', '<', boundOf(olderThan))
    .orderBy('at_ms')
    .limit(limit);
  if (machine !== undefined) oldest = oldest.where('machine', '=', machine);
  const gone = await queries.deleteFrom('events').where('id', 'in', oldest).executeTakeFirstOrThrow();
  return Number(gone.numDeletedRows);
}

function matching(queries: Queries, { kind, since, until, repos, types, session }: EventQuery) {
  let rows = queries.selectFrom('events').where('kind', '=', kind);
  if (since !== undefined) rows = rows.where('at_ms', '>=', boundOf(since));
  if (until !== undefined) rows = rows.where('at_ms', '<', boundOf(until));
  if (repos !== undefined) rows = rows.where('repo', 'in', repos.map(storableText));
  if (types !== undefined) rows = rows.where('type', 'in', types.map(storableText));
  if (session !== undefined) rows = rows.where('session', '=', storableText(session));
  return rows;
}
