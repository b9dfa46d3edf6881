import { type Selectable, sql } from 'kysely';
import {
  CHAT_LIMITS,
  type ChatCounts,
  type ChatRole,
  type NewMessage,
  type StoredMessage,
} from '../../core/stores/chat-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import { cutText } from '../../core/text/clean-text.ts';
import type { Engine } from '../database/engine.ts';
import { isOfProjects } from '../database/of-projects.ts';
import type { Queries, Tables } from '../database/tables.ts';
import { boundOf, limitOf } from '../database/values.ts';

type MessageRow = Selectable<Tables['ide_messages']>;

/** Adds a message. The transaction holds the session's row to its end, so that messages get their numbers in order. */
export function addMessage(
  { queries }: Engine,
  sessionId: string,
  { role, content, author }: NewMessage,
): Promise<StoredMessage | undefined> {
  return queries.transaction().execute(async (transaction) => {
    const at = Date.now();
    const session = await transaction
      .updateTable('ide_sessions')
      .set({ updated_ms: at })
      .where('id', '=', sessionId)
      .executeTakeFirst();
    if (session.numUpdatedRows === 0n) return undefined;
    const row = {
      session_id: sessionId,
      role,
      content: storableText(cutText(content, CHAT_LIMITS.message)),
      author: storableAuthor(author),
      at_ms: at,
    };
    const { seq } = await transaction.insertInto('ide_messages').values(row).returning('seq').executeTakeFirstOrThrow();
    return toMessage({ ...row, seq });
  });
}

function storableAuthor(author: string | undefined): string | null {
  return author === undefined ? null : storableText(cutText(author, CHAT_LIMITS.author));
}

export async function isOpenedBy({ queries }: Engine, sessionId: string, author: string | undefined): Promise<boolean> {
  const first = await queries
    .selectFrom('ide_messages')
    .select('author')
    .where('session_id', '=', sessionId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return first === undefined || first.author === storableAuthor(author);
}

interface Bounds {
  readonly limit?: number;
  readonly units?: number;
}

/** The lengths are read first: texts that are not returned are not read either. */
export function readMessages(
  { queries }: Engine,
  sessionId: string,
  { limit = CHAT_LIMITS.messages, units = CHAT_LIMITS.readUnits }: Bounds,
): Promise<StoredMessage[]> {
  const reading = queries.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (transaction) => {
    const lengths = await transaction
      .selectFrom('ide_messages')
      .select(['seq', sql<number | string>`length(content)`.as('length')])
      .where('session_id', '=', sessionId)
      .orderBy('seq', 'desc')
      .limit(limitOf(Math.min(limit, CHAT_LIMITS.messages)))
      .execute();
    const first = firstWithin(lengths, Math.min(units, CHAT_LIMITS.readUnits));
    return first === undefined ? [] : messagesFrom(transaction, sessionId, first);
  });
}

/** Returns the number of the oldest message that fits, of numbers and lengths from the newest one on. */
function firstWithin(
  lengths: readonly { readonly seq: number | string; readonly length: number | string }[],
  units: number,
): number | undefined {
  let first: number | undefined;
  let sum = 0;
  for (const { seq, length } of lengths) {
    sum += Number(length);
    if (sum > units && first !== undefined) break;
    first = Number(seq);
  }
  return first;
}

async function messagesFrom(queries: Queries, sessionId: string, first: number): Promise<StoredMessage[]> {
  const rows = await queries
    .selectFrom('ide_messages')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('seq', '>=', first)
    .orderBy('seq')
    .execute();
  return rows.map(toMessage);
}

export async function countSince(
  { queries, kind }: Engine,
  projects: readonly string[] | undefined,
  since: number,
): Promise<ChatCounts> {
  const from = boundOf(since);
  const sessions = queries.selectFrom('ide_sessions').where('updated_ms', '>=', from);
  const messages = queries
    .selectFrom('ide_messages')
    .innerJoin('ide_sessions', 'ide_sessions.id', 'ide_messages.session_id')
    .where('at_ms', '>=', from);
  const isWanted = projects === undefined ? sql<boolean>`1 = 1` : isOfProjects(kind, projects);
  const [counted, written] = await Promise.all([
    sessions
      .where(isWanted)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow(),
    messages
      .where(isWanted)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { sessions: Number(counted.count), messages: Number(written.count) };
}

function toMessage({ seq, role, content, author, at_ms }: Omit<MessageRow, 'session_id'>): StoredMessage {
  return { seq: Number(seq), role: role as ChatRole, content, author: author ?? undefined, at: Number(at_ms) };
}
