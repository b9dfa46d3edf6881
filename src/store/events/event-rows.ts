import type {
  EventCount,
  EventGroup,
  EventKind,
  EventPlace,
  EventQuery,
  NewEvent,
  PlacedEvent,
} from '../../core/event-store.ts';
import type { Queries } from '../database/tables.ts';

/** Rows of one statement at most: a statement may have 32,766 parameters in SQLite, 65,535 in PostgreSQL. */
const MAX_ROWS = 256;

/** Within a transaction. Tells how many were new. */
export async function insertEvents(queries: Queries, events: readonly NewEvent[]): Promise<number> {
  let added = 0;
  for (let from = 0; from < events.length; ) {
    const to = from + rowsAtOnce(events.length - from);
    const insert = queries
      .insertInto('events')
      .values(events.slice(from, to).map(toRow))
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

function toRow(event: NewEvent) {
  return {
    kind: event.kind,
    at_ms: Math.trunc(event.at),
    type: storable(event.type),
    agent: event.agent === undefined ? null : storable(event.agent),
    repo: event.repo === undefined ? null : storable(event.repo),
    session: event.session === undefined ? null : storable(event.session),
    body: JSON.stringify(event.body),
    key: event.key ?? null,
  };
}

/** PostgreSQL has no NUL in its texts, and no database has half a character. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}');
}

export async function countEvents(queries: Queries, query: EventQuery): Promise<number> {
  const found = await matching(queries, query)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(found.count);
}

export async function countsOf(queries: Queries, group: EventGroup, query: EventQuery): Promise<EventCount[]> {
  const rows = await matching(queries, query)
    .where(group, 'is not', null)
    .groupBy(group)
    .select((eb) => [eb.ref(group).$castTo<string>().as('key'), eb.fn.countAll().as('count')])
    .execute();
  const counts = rows.map(({ key, count }) => ({ key, count: Number(count) }));
  // Databases have orders of their own for texts.
  return counts.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

export async function newestEvents(
  queries: Queries,
  query: EventQuery,
  { limit, before }: { readonly limit: number; readonly before: EventPlace | undefined },
): Promise<PlacedEvent[]> {
  let rows = matching(queries, query);
  if (before !== undefined) {
    rows = rows.where((eb) => eb(eb.refTuple('at_ms', 'id'), '<', eb.tuple(before.at, before.id)));
  }
  const found = await rows.selectAll().orderBy('at_ms', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return found.map((row) => ({
    id: Number(row.id),
    kind: row.kind as EventKind,
    at: Number(row.at_ms),
    type: row.type,
    agent: row.agent ?? undefined,
    repo: row.repo ?? undefined,
    session: row.session ?? undefined,
    body: JSON.parse(row.body) as Record<string, unknown>,
  }));
}

/** Removes the oldest first, so many at most; tells how many went. */
export async function deleteOlder(
  queries: Queries,
  kind: EventKind,
  olderThan: number,
  limit: number,
): Promise<number> {
  const oldest = queries
    .selectFrom('events')
    .select('id')
    .where('kind', '=', kind)
    .where('at_ms', '<', olderThan)
    .orderBy('at_ms')
    .limit(limit);
  const gone = await queries.deleteFrom('events').where('id', 'in', oldest).executeTakeFirstOrThrow();
  return Number(gone.numDeletedRows);
}

function matching(queries: Queries, { kind, since, until, session }: EventQuery) {
  let rows = queries.selectFrom('events').where('kind', '=', kind);
  if (since !== undefined) rows = rows.where('at_ms', '>=', since);
  if (until !== undefined) rows = rows.where('at_ms', '<', until);
  if (session !== undefined) rows = rows.where('session', '=', session);
  return rows;
}
