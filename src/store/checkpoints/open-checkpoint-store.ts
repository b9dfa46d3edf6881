import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../core/errors.ts';
import type {
  BundleAppender,
  BundleChanger,
  ChangeFacts,
  CheckpointStore,
  ProjectInfo,
  RevisionInfo,
  StoredBundle,
} from '../../core/stores/checkpoint-store.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import type { Queries } from '../database/tables.ts';
import { UnderWay } from '../database/under-way.ts';
import { isKey, keyOf } from '../database/values.ts';
import { BundleChanges } from './bundle-changes.ts';
import { ChangeFeed } from './change-feed.ts';
import { deleteProject, type Head, noteChange, pruneAll, readHistory } from './checkpoint-rows.ts';
import { bundleOf, readNewest, readRevision, readTogether, toStored } from './read-bundle.ts';

const KEEP = 200;

export interface CheckpointStoreOptions {
  readonly database: Database;
  /** The number of revisions of a project to keep, the newest included; `Infinity` keeps all. */
  readonly keep?: number;
}

/** Opens the checkpoints in a database. Closing the store leaves the database open: its opener closes it. */
export function openCheckpointStore({ database, keep = KEEP }: CheckpointStoreOptions): CheckpointStore {
  return new DatabaseCheckpoints(database, keep);
}

class DatabaseCheckpoints implements CheckpointStore {
  readonly #database: Database;
  readonly #feed: ChangeFeed;
  readonly #underWay = new UnderWay();
  readonly #changes: BundleChanges;

  constructor(database: Database, keep: number) {
    this.#database = database;
    this.#feed = new ChangeFeed(database, randomUUID());
    this.#changes = new BundleChanges({ database, keep, feed: this.#feed, underWay: this.#underWay });
  }

  async load(projectId: string, revision?: number): Promise<StoredBundle | undefined> {
    if (!isKey(projectId)) return undefined;
    if (revision !== undefined) return readRevision(this.#database, projectId, revision);
    const newest = await readNewest(this.#database, projectId);
    return newest && toStored(newest.head, await bundleOf(newest));
  }

  async update<T>(projectId: string, facts: ChangeFacts, change: BundleChanger<T>) {
    requireKey(projectId);
    return this.#changes.update(projectId, facts, change);
  }

  async append<T>(projectId: string, facts: ChangeFacts, appender: BundleAppender<T>): Promise<T> {
    requireKey(projectId);
    return this.#changes.append(projectId, facts, appender);
  }

  async history(projectId: string, limit: number): Promise<readonly RevisionInfo[]> {
    if (!isKey(projectId)) return [];
    // Each append of an unknown client asks for the newest one, which is one read.
    if (limit === 1) return this.#database.run(({ queries }) => readHistory(queries, projectId, limit));
    return readTogether(this.#database, (queries) => readHistory(queries, projectId, limit));
  }

  async projects(): Promise<readonly ProjectInfo[]> {
    const rows = await this.#database.run(({ queries }) =>
      queries.selectFrom('checkpoint_heads').select(['project_id', 'revision', 'updated_at', 'source_ide']).execute(),
    );
    return rows.sort(newestFirst).map((row) => ({
      projectId: row.project_id,
      revision: row.revision,
      updatedAt: row.updated_at,
      lastSourceIde: row.source_ide,
    }));
  }

  async remove(projectId: string): Promise<boolean> {
    if (!isKey(projectId)) return false;
    const removed = await this.#write(async (engine, queries) => {
      if (!(await deleteProject(queries, projectId))) return undefined;
      return noteChange(engine, queries, projectId, this.#feed.wordFor(projectId));
    });
    if (removed === undefined) return false;
    this.#feed.onOwnChange(projectId, removed.seq);
    await this.#shrink();
    return true;
  }

  async prune(keep: number, projectId?: string): Promise<number> {
    if (projectId !== undefined && !isKey(projectId)) return 0;
    const dropped = await this.#write((_engine, queries) => pruneAll(queries, Math.max(1, keep), projectId));
    if (dropped > 0) await this.#shrink();
    return dropped;
  }

  async rememberIdentity(folderKey: string, projectId: string): Promise<void> {
    requireKey(projectId);
    const values = { project_id: projectId, updated_at: new Date().toISOString() };
    await this.#write((_engine, queries) =>
      queries
        .insertInto('checkpoint_identities')
        .values({ folder_key: keyOf(folderKey), ...values })
        .onConflict((conflict) => conflict.column('folder_key').doUpdateSet(values))
        .execute(),
    );
  }

  async identityOf(folderKey: string): Promise<string | undefined> {
    const row = await this.#database.run(({ queries }) =>
      queries
        .selectFrom('checkpoint_identities')
        .select('project_id')
        .where('folder_key', '=', keyOf(folderKey))
        .executeTakeFirst(),
    );
    return row?.project_id;
  }

  onChange(listener: (projectId: string) => void): () => void {
    return this.#feed.listen(listener);
  }

  /** Closes the store. Waits for operations that are under way. */
  async close(): Promise<void> {
    this.#feed.end();
    await this.#underWay.end();
  }

  /** Room that stays unused is no failure of what was asked. */
  async #shrink(): Promise<void> {
    await this.#underWay.add(this.#database.run((engine) => engine.shrink())).catch(() => undefined);
  }

  #write<T>(work: (engine: Engine, queries: Queries) => Promise<T>): Promise<T> {
    return this.#underWay.add(
      this.#database.run((engine) => engine.queries.transaction().execute((queries) => work(engine, queries))),
    );
  }
}

/** @throws GatewayError for an id that a database cannot have */
function requireKey(projectId: string): void {
  if (isKey(projectId)) return;
  const shown = JSON.stringify(projectId.slice(0, 100));
  const message = `${shown} cannot be the id of a project: it is too long, or has characters that cannot be stored`;
  throw new GatewayError('INVALID_PARAMS', message, { effect: 'none' });
}

type Saved = Pick<Head, 'project_id' | 'updated_at'>;

/** Here, not in the query: databases have orders of their own for texts. */
function newestFirst(one: Saved, other: Saved): number {
  if (one.updated_at !== other.updated_at) return one.updated_at < other.updated_at ? 1 : -1;
  return one.project_id < other.project_id ? -1 : 1;
}
