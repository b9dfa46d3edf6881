import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { CHAT_LIMITS, type ChatRole, type IsGone, type StoredSession } from '../../core/stores/chat-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import { cutText } from '../../core/text/clean-text.ts';
import type { Engine } from '../database/engine.ts';
import type { Queries, Tables } from '../database/tables.ts';

type SessionRow = Selectable<Tables['ide_sessions']> & { readonly last_role: string | null };

/** A session, and who answers it or wants to. */
interface Answering {
  readonly sessionId: string;
  readonly answerer: string;
}

export async function createSession(
  { queries }: Engine,
  { projectId, name }: Pick<StoredSession, 'projectId' | 'name'>,
): Promise<StoredSession> {
  const now = Date.now();
  const columns = {
    id: randomUUID(),
    project_id: projectId,
    name: storableText(cutText(name, CHAT_LIMITS.name)),
    created_ms: now,
    updated_ms: now,
    answerer: null,
    answering_ms: null,
  };
  await queries.insertInto('ide_sessions').values(columns).execute();
  return toSession({ ...columns, last_role: null });
}

export async function readSession({ queries }: Engine, id: string): Promise<StoredSession | undefined> {
  const row = await sessionsOf(queries).where('id', '=', storableText(id)).executeTakeFirst();
  return row === undefined ? undefined : toSession(row);
}

export async function readSessions({ queries }: Engine, projectId: string): Promise<StoredSession[]> {
  const rows = await sessionsOf(queries)
    .where('project_id', '=', projectId)
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .limit(CHAT_LIMITS.sessions)
    .execute();
  return rows.map(toSession);
}

export function takeSession({ queries, kind }: Engine, wanted: Answering, isGone: IsGone): Promise<boolean> {
  return queries.transaction().execute(async (transaction) => {
    const row = transaction
      .selectFrom('ide_sessions')
      .select(['answerer', 'answering_ms'])
      .where('id', '=', wanted.sessionId);
    // In SQLite the transaction itself keeps all others out.
    const before = await (kind === 'postgres' ? row.forUpdate() : row).executeTakeFirst();
    if (before === undefined) return false;
    const { answerer, answering_ms } = before;
    if (answerer !== null && answerer !== wanted.answerer && !isGone(answerer, Number(answering_ms))) return false;
    const claim = transaction.updateTable('ide_sessions').set({ answerer: wanted.answerer, answering_ms: Date.now() });
    await claim.where('id', '=', wanted.sessionId).execute();
    return true;
  });
}

export async function keepSession({ queries }: Engine, answering: Answering): Promise<void> {
  await change(queries, answering, { answering_ms: Date.now() });
}

export async function releaseSession({ queries }: Engine, answering: Answering): Promise<void> {
  await change(queries, answering, { answerer: null, answering_ms: null });
}

async function change(
  queries: Queries,
  { sessionId, answerer }: Answering,
  columns: { answerer?: null; answering_ms: number | null },
): Promise<void> {
  const update = queries.updateTable('ide_sessions').set(columns);
  await update.where('id', '=', sessionId).where('answerer', '=', answerer).execute();
}

function sessionsOf(queries: Queries) {
  const newest = sql<string | null>`(
    select role from ide_messages where session_id = ide_sessions.id order by seq desc limit 1
  )`;
  return queries.selectFrom('ide_sessions').selectAll().select(newest.as('last_role'));
}

function toSession(row: SessionRow): StoredSession {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    createdAt: Number(row.created_ms),
    updatedAt: Number(row.updated_ms),
    answering: row.answerer === null ? undefined : { by: row.answerer, at: Number(row.answering_ms) },
    lastRole: (row.last_role ?? undefined) as ChatRole | undefined,
  };
}
