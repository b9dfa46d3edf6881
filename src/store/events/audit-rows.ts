import { CompiledQuery, sql } from 'kysely';
import type { AuditRow, CallFilter, FoundCalls, IndexedPart } from '../../core/stores/audit-store.ts';
import type { EventPlace } from '../../core/stores/event-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import { escapeInvisible } from '../../core/text/clean-text.ts';
import type { EngineKind, Queries } from '../database/tables.ts';
import { boundOf, limitOf } from '../database/values.ts';

/** Rows of one statement at most; see `insertText`. */
const MAX_ROWS = 256;
const COLUMNS = ['kind', 'at_ms', 'type', 'agent', 'session', 'level', 'outcome', 'body', 'key', 'machine'] as const;

interface IndexedFile {
  readonly id: string;
  readonly machine: string;
}

export async function indexedPartOf(queries: Queries, id: string): Promise<IndexedPart | undefined> {
  const row = await queries.selectFrom('audit_files').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : { to: Number(row.indexed_to), losses: row.part };
}

/** Notes the part of a file that is indexed. Returns false if it was no longer `from`. */
export async function moveOn(
  queries: Queries,
  { id, machine }: IndexedFile,
  from: IndexedPart,
  { to, losses }: IndexedPart,
): Promise<boolean> {
  if (from.to === 0 && from.losses === 0) {
    const none = { id, machine, part: 0, indexed_to: 0 };
    await queries
      .insertInto('audit_files')
      .values(none)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const moved = await queries
    .updateTable('audit_files')
    .set({ indexed_to: to, part: losses })
    .where('id', '=', id)
    .where('indexed_to', '=', from.to)
    .where('part', '=', from.losses)
    .executeTakeFirstOrThrow();
  return Number(moved.numUpdatedRows) === 1;
}

export async function insertLines(
  queries: Queries,
  kind: EngineKind,
  { id, machine, losses }: IndexedFile & { readonly losses: number },
  lines: readonly AuditRow[],
): Promise<void> {
  for (let from = 0; from < lines.length; ) {
    const count = Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(lines.length - from)));
    const values = lines
      .slice(from, from + count)
      .flatMap((line) => [
        'audit',
        line.at,
        storableText(line.tool),
        line.client === undefined ? null : storableText(line.client),
        storableText(line.session),
        storableText(line.level),
        storableText(line.outcome),
        line.body,
        `audit:${id}:${losses}:${line.offset}`,
        machine,
      ]);
    await queries.executeQuery(CompiledQuery.raw(insertText(kind, count), values));
    from += count;
  }
}

const texts = new Map<string, string>();

/** Returns the statement that inserts so many rows: to build it costs more than to run it. */
function insertText(kind: EngineKind, count: number): string {
  const name = `${kind} ${count}`;
  let text = texts.get(name);
  if (text === undefined) {
    let number = 0;
    const mark = () => (kind === 'sqlite' ? '?' : `$${++number}`);
    const row = () => `(${COLUMNS.map(mark).join(', ')})`;
    const rows = Array.from({ length: count }, row).join(', ');
    text = `insert into events (${COLUMNS.join(', ')}) values ${rows} on conflict do nothing`;
    texts.set(name, text);
  }
  return text;
}

/** Calls that were stored by Viaduct before it indexed files have no key. */
export async function newestWithoutKey(
  queries: Queries,
  since: number,
  machine: string | undefined,
): Promise<number | undefined> {
  let rows = queries
    .selectFrom('events')
    .select((eb) => eb.fn.max('at_ms').as('at'))
    .where('kind', '=', 'audit')
    .where('at_ms', '>=', boundOf(since))
    .where('key', 'is', null);
  if (machine !== undefined) rows = rows.where('machine', '=', machine);
  const newest = await rows.executeTakeFirst();
  return newest?.at === null || newest === undefined ? undefined : Number(newest.at);
}

export async function namesSince(queries: Queries, column: 'type' | 'agent', since: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('events')
    .select((eb) => eb.ref(column).$castTo<string>().as('name'))
    .distinct()
    .where('kind', '=', 'audit')
    .where('at_ms', '>=', boundOf(since))
    .where(column, 'is not', null)
    .execute();
  return rows.map(({ name }) => name);
}

interface Page {
  readonly limit: number;
  readonly before: EventPlace | undefined;
}

export async function findCalls(
  queries: Queries,
  kind: EngineKind,
  filter: CallFilter,
  { limit, before }: Page,
): Promise<FoundCalls> {
  let rows = matching(queries, filter);
  if (before !== undefined)
    rows = rows.where((eb) => eb(eb.refTuple('at_ms', 'id'), '<', eb.tuple(before.at, before.id)));
  const page = rows
    .select(['id', 'at_ms', 'type', 'agent', 'session', 'key', 'body'])
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limitOf(limit));
  const { rows: found } = await sql<{ text: string | null }>`
    select ${kind === 'sqlite' ? PACKED_BY_SQLITE : PACKED_BY_POSTGRES} as text from (${page}) as calls
  `.execute(queries);
  return unpacked(found[0]?.text ?? '');
}

function matching(queries: Queries, { since, tools, clients, session, level, failed }: CallFilter) {
  let rows = queries.selectFrom('events').where('kind', '=', sql.lit('audit')).where('at_ms', '>=', boundOf(since));
  if (tools !== undefined) rows = rows.where('type', 'in', tools.map(storableText));
  if (clients !== undefined) rows = rows.where('agent', 'in', clients.map(storableText));
  if (session !== undefined) rows = rows.where(sql`substr(session, 1, ${sql.lit(session.length)})`, '=', session);
  if (level !== undefined) rows = rows.where('level', '=', level);
  if (failed === true) rows = rows.where('outcome', '<>', sql.lit('ok'));
  return rows;
}

/**
 * Rows of a page as one text: of many small values, each would cost more than its row. Texts of JSON have no tabs and
 * line breaks. Calls without a key, of before files were indexed, do not have their tool in the body.
 */
const PACKED_BY_SQLITE = sql<string>`group_concat(
  id || char(9) || at_ms || char(9) || '"session":' || json_quote(coalesce(session, ''))
    || case when agent is null then '' else ',"client":' || json_quote(agent) end
    || case when key is null then ',"tool":' || json_quote(type) else '' end || char(9) || body,
  char(10))`;
const PACKED_BY_POSTGRES = sql<string>`string_agg(
  id || chr(9) || at_ms || chr(9) || '"session":' || to_json(coalesce(session, ''))
    || case when agent is null then '' else ',"client":' || to_json(agent) end
    || case when key is null then ',"tool":' || to_json(type) else '' end || chr(9) || body,
  chr(10) order by at_ms desc, id desc)`;

function unpacked(text: string): FoundCalls {
  const heads = new Map<string, string>();
  const lines: string[] = [];
  let last: EventPlace | undefined;
  for (const row of text === '' ? [] : text.split('\n')) {
    const [id, at, head, body] = row.split('\t') as [string, string, string, string];
    let shown = heads.get(head);
    if (shown === undefined) {
      shown = escapeInvisible(head);
      heads.set(head, shown);
    }
    last = { id: Number(id), at: Number(at) };
    lines.push(`{"at":"${new Date(last.at).toISOString()}",${shown}${body === '{}' ? '}' : `,${body.slice(1)}`}`);
  }
  return { lines, last };
}
