import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import type { UndoLimits } from '../../core/settings/workspace-settings.ts';
import type { ChangePart, ChangeQuery, NewChange, StoredChange } from '../../core/stores/change-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import type { Engine } from '../database/engine.ts';
import type { Queries, Tables } from '../database/tables.ts';
import { isRowNumber, limitOf } from '../database/values.ts';
import type { Machine } from '../this-machine.ts';

const MEGABYTE = 1024 ** 2;
/** Any number that is not used elsewhere. */
const POSTGRES_LOCK = 715_311_416;
/** The time that one attempt waits: the holder may be on a machine that has lost its power, and still be connected. */
const LOCK_WAIT = '1s';
const FACTS = [
  'id',
  'at_ms',
  'state',
  'session',
  'client',
  'machine',
  'host',
  'tool',
  'roots',
  'parts',
  'undoes',
] as const;

/**
 * The machine that asks. A change without a machine is older than this column: it is of this machine, unless machines share the
 * database.
 */
export interface Asker {
  readonly machine: Machine;
  readonly kind: Engine['kind'];
}

/**
 * Within a transaction, and until its end; fails as busy when others are in for too long. In SQLite there is one that writes at
 * any time.
 */
export async function keepOthersOut({ kind }: Pick<Engine, 'kind'>, queries: Queries): Promise<void> {
  if (kind !== 'postgres') return;
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(queries);
  await sql`select pg_advisory_xact_lock(${sql.lit(POSTGRES_LOCK)})`.execute(queries);
}

export async function insertChange(
  queries: Queries,
  { machine }: Asker,
  change: Omit<NewChange, 'bytes'>,
  packed: Uint8Array | undefined,
): Promise<number> {
  const { id } = await queries
    .insertInto('workspace_changes')
    .values({
      at_ms: Date.now(),
      state: 'begun',
      session: storableText(change.session),
      client: change.client === undefined ? null : storableText(change.client),
      machine: machine.id,
      host: storableText(machine.host),
      tool: storableText(change.tool),
      roots: JSON.stringify(change.roots),
      parts: JSON.stringify(change.parts),
      undoes: change.undoes ?? null,
      size: packed?.length ?? 0,
      bytes: packed ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return Number(id);
}

/** Drops changes of this machine, as many as there are too many or take too much room, but none of `kept`. */
export async function dropOldest(
  queries: Queries,
  { machine }: Asker,
  { limits: { changes, megabytes }, kept }: { readonly limits: UndoLimits; readonly kept: readonly number[] },
): Promise<void> {
  const { count, size } = await queries
    .selectFrom('workspace_changes')
    .where(isOfOrNobodys(machine))
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('size').as('size')])
    .executeTakeFirstOrThrow();
  let left = { count: Number(count), size: Number(size) };
  while (left.count > changes || left.size > megabytes * MEGABYTE) {
    const oldest = await oldestBut(queries, machine, kept);
    if (oldest === undefined) return;
    await queries.deleteFrom('workspace_changes').where('id', '=', oldest.id).execute();
    left = { count: left.count - 1, size: left.size - oldest.size };
  }
}

/** Undone changes and undos are removed first: otherwise much undoing would cost changes that can still be undone. */
async function oldestBut(queries: Queries, machine: Machine, kept: readonly number[]) {
  const oldest = queries
    .selectFrom('workspace_changes')
    .select(['id', 'size'])
    .where('id', 'not in', kept)
    .where(isOfOrNobodys(machine))
    .orderBy('id')
    .limit(1);
  const closed = oldest.where((where) => where.or([where('state', '=', 'undone'), where('undoes', 'is not', null)]));
  return (await closed.executeTakeFirst()) ?? (await oldest.executeTakeFirst());
}

/** Marks a change as made. The change that it undoes is then undone, the one that this had undone is made again, and so on. */
export async function settleChange(queries: Queries, id: number): Promise<void> {
  let state: StoredChange['state'] = 'done';
  for (let next: number | undefined = id; next !== undefined; state = state === 'done' ? 'undone' : 'done')
    next = await setState(queries, next, state);
}

/** Gives which change the change undoes, if it is an undo. */
async function setState(queries: Queries, id: number, state: StoredChange['state']): Promise<number | undefined> {
  const update = queries.updateTable('workspace_changes').set({ state }).where('id', '=', id).returning('undoes');
  const undoes = (await update.executeTakeFirst())?.undoes ?? null;
  return undoes === null ? undefined : Number(undoes);
}

export async function readChange(queries: Queries, asker: Asker, id: number): Promise<StoredChange | undefined> {
  if (!isRowNumber(id)) return undefined;
  const row = await queries.selectFrom('workspace_changes').select(FACTS).where('id', '=', id).executeTakeFirst();
  return row && toChange(row, asker);
}

export async function listChanges(
  queries: Queries,
  asker: Asker,
  { session, isOpen, isBegun, machines = 'this', limit }: ChangeQuery,
): Promise<StoredChange[]> {
  let query = queries.selectFrom('workspace_changes').select(FACTS).orderBy('id', 'desc').limit(limitOf(limit));
  if (machines !== 'all') query = query.where(isOn(machines, asker));
  if (session !== undefined) query = query.where('session', '=', storableText(session));
  if (isBegun === true) query = query.where('state', '=', 'begun');
  if (isOpen === true) query = query.where('state', '!=', 'undone').where('undoes', 'is', null);
  return (await query.execute()).map((row) => toChange(row, asker));
}

type Row = Pick<Tables['workspace_changes'], Exclude<(typeof FACTS)[number], 'id'>> & { readonly id: number | string };

function toChange(row: Row, asker: Asker): StoredChange {
  return {
    id: Number(row.id),
    at: Number(row.at_ms),
    state: row.state as StoredChange['state'],
    session: row.session,
    client: row.client ?? undefined,
    tool: row.tool,
    roots: JSON.parse(row.roots) as string[],
    parts: JSON.parse(row.parts) as ChangePart[],
    undoes: row.undoes === null ? undefined : Number(row.undoes),
    ...(isElsewhere(row.machine, asker) && { elsewhere: row.host ?? 'a machine that was not noted' }),
  };
}

function isElsewhere(machine: string | null, asker: Asker): boolean {
  return machine === null ? asker.kind === 'postgres' : machine !== asker.machine.id;
}

type Where = ExpressionBuilder<Tables, 'workspace_changes'>;
type Condition = ExpressionWrapper<Tables, 'workspace_changes', SqlBool>;

/** The same as `isElsewhere`, and its opposite, for queries. */
function isOn(machines: 'this' | 'others', { machine, kind }: Asker): (where: Where) => Condition {
  const isHere = kind === 'postgres' ? (where: Where) => where.eb('machine', '=', machine.id) : isOfOrNobodys(machine);
  if (machines === 'this') return isHere;
  return (where) =>
    where.or([where('machine', '!=', machine.id), ...(kind === 'postgres' ? [where('machine', 'is', null)] : [])]);
}

function isOfOrNobodys(machine: Machine): (where: Where) => Condition {
  return (where) => where.or([where('machine', '=', machine.id), where('machine', 'is', null)]);
}
