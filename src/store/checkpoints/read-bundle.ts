import { GatewayError } from '../../core/errors.ts';
import type { JsonObject, StoredBundle } from '../../core/stores/checkpoint-store.ts';
import { inSlices } from '../../core/timing/steps.ts';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/tables.ts';
import { isRowNumber } from '../database/values.ts';
import { type AdditionRow, addAll, readAdditions } from './additions.ts';
import { type Head, type HeadAndBody, readHead, readWayBack } from './checkpoint-rows.ts';
import { unpack } from './packed.ts';
import { goBack } from './revisions.ts';
import { parsed } from './turns-of-work.ts';

/** The column has 32 bits in PostgreSQL. */
const MAX_REVISION = 2 ** 31 - 1;

/** The newest revision of a project, as it was read. */
export interface Newest extends HeadAndBody {
  readonly additions: readonly AdditionRow[];
}

/** Returns the newest revision of a project; `undefined` if there is none. */
export async function readNewest(database: Database, projectId: string): Promise<Newest | undefined> {
  const found = await database.run(({ queries }) => readHead(queries, projectId));
  if (found === undefined || isComplete(found)) return found && { ...found, additions: [] };
  return readTogether(database, (queries) => readNewestIn(queries, projectId));
}

/** Returns the same within a transaction. */
export async function readNewestIn(queries: Queries, projectId: string): Promise<Newest | undefined> {
  const found = await readHead(queries, projectId);
  if (found === undefined) return undefined;
  return { ...found, additions: isComplete(found) ? [] : await readAdditions(queries, projectId) };
}

function isComplete({ head, stored }: HeadAndBody): boolean {
  return head.revision === stored.revision;
}

/**
 * Returns the bundle of the newest revision, or of one since the stored text.
 * @throws GatewayError if it cannot be read
 */
export async function bundleOf({ head, stored, additions }: Newest, revision = head.revision): Promise<JsonObject> {
  try {
    const bundle = await parsed(await unpack(stored.body));
    const made = additions.filter((row) => row.revision > stored.revision && row.revision <= revision);
    if (made.length !== revision - stored.revision) throw new Error('an addition is missing');
    return await inSlices(addAll(bundle, made));
  } catch (error) {
    throw unreadable(head.project_id, revision, error);
  }
}

/** Returns an earlier revision; `undefined` if it is not kept. */
export async function readRevision(
  database: Database,
  projectId: string,
  revision: number,
): Promise<StoredBundle | undefined> {
  if (!isRowNumber(revision) || revision > MAX_REVISION) return undefined;
  const { newest, way } = await readTogether(database, async (queries) => ({
    newest: await readNewestIn(queries, projectId),
    way: await readWayBack(queries, projectId, revision),
  }));
  if (newest === undefined) return undefined;
  if (newest.head.revision === revision) return toStored(newest.head, await bundleOf(newest));
  const row = way.at(-1);
  if (row === undefined) return undefined;
  try {
    const from = way[0]!.form === 'whole' ? {} : await bundleOf(newest);
    return toStored(row, await goBack(from, way));
  } catch (error) {
    throw unreadable(projectId, revision, error);
  }
}

/** Does several reads of one state. */
export function readTogether<T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  return database.run(({ queries }) =>
    queries.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
  );
}

export function toStored(row: Omit<Head, 'token' | 'outline'>, bundle: JsonObject): StoredBundle {
  return {
    projectId: row.project_id,
    revision: row.revision,
    bundle,
    updatedAt: row.updated_at,
    sourceIde: row.source_ide,
  };
}

function unreadable(projectId: string, revision: number, cause: unknown): GatewayError {
  const message = `Revision ${revision} of ${projectId} is damaged in the database: load another revision`;
  return new GatewayError('STORE_UNAVAILABLE', message, { effect: 'none', cause });
}
