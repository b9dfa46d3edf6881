import { randomUUID } from 'node:crypto';
import { exactJson } from '../../core/json/exact-json.ts';
import type { ChangeFacts, RevisionInfo } from '../../core/stores/checkpoint-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import type { Engine } from '../database/engine.ts';
import type { Queries } from '../database/tables.ts';
import { limitOf } from '../database/values.ts';
import { deleteAdditions } from './additions.ts';
import type { Outline } from './outline.ts';
import type { KeptRevision } from './revisions.ts';

/** The facts about the newest revision of a project, as they are in the database. */
export interface Head {
  readonly project_id: string;
  readonly revision: number;
  readonly token: string;
  readonly updated_at: string;
  readonly source_ide: string;
  readonly kind: string;
  readonly outline: string | null;
}

/** The stored text of a bundle: of the newest one, or of the one to which all additions were made. */
export interface Body {
  readonly token: string;
  readonly revision: number;
  readonly body: Uint8Array;
}

/** The newest revision of a project as it is stored. */
export interface HeadAndBody {
  readonly head: Head;
  readonly stored: Body;
}

const FACTS = ['project_id', 'revision', 'token', 'updated_at', 'source_ide', 'kind', 'outline'] as const;

/** Returns the facts alone; within a transaction that writes, no other one changes them until it ends. */
export async function lockHead({ kind }: Engine, queries: Queries, projectId: string): Promise<Head | undefined> {
  const head = queries.selectFrom('checkpoint_heads').select(FACTS).where('project_id', '=', projectId);
  // A transaction of SQLite that writes is the only one.
  return (kind === 'sqlite' ? head : head.forUpdate()).executeTakeFirst();
}

export async function readHead(queries: Queries, projectId: string): Promise<HeadAndBody | undefined> {
  const row = await queries
    .selectFrom('checkpoint_heads as heads')
    .innerJoin('checkpoint_bodies as bodies', 'bodies.project_id', 'heads.project_id')
    .select(FACTS.map((column) => `heads.${column}` as const))
    .select(['bodies.token as bodyToken', 'bodies.revision as bodyRevision', 'bodies.body'])
    .where('heads.project_id', '=', projectId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { bodyToken, bodyRevision, body, ...head } = row;
  return { head, stored: { token: bodyToken, revision: bodyRevision, body } };
}

export function newHead(projectId: string, revision: number, facts: ChangeFacts, outline: Outline | undefined): Head {
  return {
    project_id: projectId,
    revision,
    token: randomUUID(),
    updated_at: facts.at ?? new Date().toISOString(),
    source_ide: storableText(facts.sourceIde),
    kind: storableText(facts.kind),
    outline: outline === undefined ? null : exactJson(outline)!,
  };
}

/** Thrown out of a transaction that is to leave nothing behind, as another process was faster. */
class Overtaken extends Error {}

export interface NextRevision {
  readonly next: Head;
  readonly body: Uint8Array;
  /** The revision that it replaces, and the form in which that is kept. */
  readonly before?: { readonly head: Head; readonly kept: KeptRevision } | undefined;
  /** Revisions that stay. */
  readonly keep: number;
  /** The message to the other processes. */
  readonly word: string;
}

/**
 * Writes a revision, all of it or nothing. Gives the number of the change where the database numbers them, and
 * `undefined` if the newest revision is not the one that was replaced: another process was faster.
 */
export async function writeNext(engine: Engine, revision: NextRevision): Promise<{ seq?: number } | undefined> {
  try {
    return await engine.queries.transaction().execute((queries) => writeNextIn(engine, queries, revision));
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  }
}

/** Writes a revision within a transaction. @throws Overtaken */
export async function writeNextIn(engine: Engine, queries: Queries, revision: NextRevision): Promise<{ seq?: number }> {
  const { next, body, before } = revision;
  if (!(await putHead(queries, next, before?.head.token))) throw new Overtaken();
  await putBody(queries, next, body);
  await deleteAdditions(queries, next.project_id);
  if (before !== undefined) await putKept(queries, before.head, before.kept);
  await dropBeyond(queries, next, revision.keep);
  return noteChange(engine, queries, next.project_id, revision.word);
}

async function putHead(queries: Queries, next: Head, replaces: string | undefined): Promise<boolean> {
  if (replaces === undefined) {
    const insert = queries
      .insertInto('checkpoint_heads')
      .values(next)
      .onConflict((conflict) => conflict.doNothing());
    return (await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
  }
  const { project_id, ...values } = next;
  const update = queries
    .updateTable('checkpoint_heads')
    .set(values)
    .where('project_id', '=', project_id)
    .where('token', '=', replaces);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

async function putBody(queries: Queries, { project_id, revision, token }: Head, body: Uint8Array): Promise<void> {
  const values = { revision, token, body };
  await queries
    .insertInto('checkpoint_bodies')
    .values({ project_id, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute();
}

/** Writes the facts about the revision that follows one that was locked. */
export async function replaceHead(queries: Queries, { project_id, ...values }: Head): Promise<void> {
  await queries.updateTable('checkpoint_heads').set(values).where('project_id', '=', project_id).execute();
}

export async function putKept(queries: Queries, head: Head, kept: KeptRevision): Promise<void> {
  const { token: _token, outline: _outline, ...facts } = head;
  await queries
    .insertInto('checkpoint_revisions')
    .values({ ...facts, ...kept })
    .execute();
}

/** Drops all but the newest `keep` revisions, of which `head` is the newest. */
export async function dropBeyond(queries: Queries, head: Head, keep: number): Promise<void> {
  if (Number.isFinite(keep)) await dropOld(queries, head.project_id, head.revision - keep);
}

/** Drops the revisions up to the given one; tells how many. */
async function dropOld(queries: Queries, projectId: string, upTo: number): Promise<number> {
  if (upTo < 1) return 0;
  const drop = queries
    .deleteFrom('checkpoint_revisions')
    .where('project_id', '=', projectId)
    .where('revision', '<=', upTo);
  return Number((await drop.executeTakeFirst()).numDeletedRows);
}

/** Drops all but the newest `keep` revisions of one project, or of each; tells how many went. */
export async function pruneAll(queries: Queries, keep: number, projectId: string | undefined): Promise<number> {
  let heads = queries.selectFrom('checkpoint_heads').select(['project_id', 'revision']);
  if (projectId !== undefined) heads = heads.where('project_id', '=', projectId);
  let dropped = 0;
  for (const { project_id, revision } of await heads.execute()) {
    dropped += await dropOld(queries, project_id, revision - keep);
  }
  return dropped;
}

/** Within the transaction of the change. */
export async function noteChange(
  engine: Engine,
  queries: Queries,
  projectId: string,
  word: string,
): Promise<{ seq?: number }> {
  await engine.announce(queries, word);
  if (engine.kind !== 'sqlite') return {};
  const next = queries
    .selectFrom('checkpoint_changes')
    .select((eb) => eb(eb.fn.coalesce(eb.fn.max('seq'), eb.lit(0)), '+', eb.lit(1)).as('seq'));
  return queries
    .insertInto('checkpoint_changes')
    .values({ project_id: projectId, seq: next })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ seq: next }))
    .returning('seq')
    .executeTakeFirstOrThrow();
}

/** The rows from the newest whole one at or above `wanted` down to it; none if `wanted` is not kept. */
export async function readWayBack(queries: Queries, projectId: string, wanted: number) {
  const rows = queries.selectFrom('checkpoint_revisions').where('project_id', '=', projectId);
  const nearest = await rows
    .select('revision')
    .where('revision', '>=', wanted)
    .where('form', '=', 'whole')
    .orderBy('revision')
    .limit(1)
    .executeTakeFirst();
  let way = rows.selectAll().where('revision', '>=', wanted).orderBy('revision', 'desc');
  if (nearest !== undefined) way = way.where('revision', '<=', nearest.revision);
  const found = await way.execute();
  return found.at(-1)?.revision === wanted ? found : [];
}

export async function readHistory(queries: Queries, projectId: string, most: number): Promise<RevisionInfo[]> {
  const limit = limitOf(most);
  const columns = ['revision', 'updated_at', 'source_ide', 'kind'] as const;
  const head = await queries
    .selectFrom('checkpoint_heads')
    .select(columns)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (head === undefined || limit < 1) return [];
  if (limit === 1) return [infoOf(head)];
  const older = await queries
    .selectFrom('checkpoint_revisions')
    .select(columns)
    .where('project_id', '=', projectId)
    .where('revision', '<', head.revision)
    .orderBy('revision', 'desc')
    .limit(limit - 1)
    .execute();
  return [head, ...older].map(infoOf);
}

function infoOf(row: Pick<Head, 'revision' | 'updated_at' | 'source_ide' | 'kind'>): RevisionInfo {
  return { revision: row.revision, updatedAt: row.updated_at, sourceIde: row.source_ide, kind: row.kind };
}

/** Forgets a project; tells whether there was one. */
export async function deleteProject(queries: Queries, projectId: string): Promise<boolean> {
  // First, as all who write do: two of them wait for one another, and never each for the other.
  const heads = queries.deleteFrom('checkpoint_heads').where('project_id', '=', projectId);
  const { numDeletedRows } = await heads.executeTakeFirst();
  await queries.deleteFrom('checkpoint_bodies').where('project_id', '=', projectId).execute();
  await deleteAdditions(queries, projectId);
  await queries.deleteFrom('checkpoint_revisions').where('project_id', '=', projectId).execute();
  return numDeletedRows === 1n;
}
