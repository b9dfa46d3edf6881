import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../core/errors.ts';
import type {
  BundleChanger,
  ChangeFacts,
  CheckpointStore,
  JsonObject,
  ProjectInfo,
  RevisionInfo,
  StoredBundle,
} from '../../core/stores/checkpoint-store.ts';
import { TurnsByKey } from '../../core/timing/turns-by-key.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import type { Queries } from '../database/tables.ts';
import { UnderWay } from '../database/under-way.ts';
import { isKey, isRowNumber, keyOf } from '../database/values.ts';
import { ChangeFeed } from './change-feed.ts';
import {
  deleteProject,
  type Head,
  newHead,
  noteChange,
  pruneAll,
  readHead,
  readHistory,
  readWayBack,
  writeNext,
} from './checkpoint-rows.ts';
import { objectText } from './member-texts.ts';
import { packQuickly, unpack } from './packed.ts';
import { goBack, keepRevision } from './revisions.ts';
import { parsed, textsOf } from './turns-of-work.ts';

const KEEP = 200;
/** The column has 32 bits in PostgreSQL. */
const MAX_REVISION = 2 ** 31 - 1;

export interface CheckpointStoreOptions {
  readonly database: Database;
  /** The number of revisions of a project to keep, the newest included; `Infinity` keeps all. */
  readonly keep?: number;
}

/** Opens the checkpoints in a database. Closing the store leaves the database open: its opener closes it. */
export function openCheckpointStore({ database, keep = KEEP }: CheckpointStoreOptions): CheckpointStore {
  return new DatabaseCheckpoints(database, keep);
}

interface Updated<T> {
  readonly stored: StoredBundle;
  readonly outcome: T;
}

class DatabaseCheckpoints implements CheckpointStore {
  readonly #database: Database;
  readonly #keep: number;
  readonly #feed: ChangeFeed;
  /** One change of a project after the other: two of one process need not overtake each other. */
  readonly #turns = new TurnsByKey();
  readonly #underWay = new UnderWay();

  constructor(database: Database, keep: number) {
    this.#database = database;
    this.#keep = keep;
    this.#feed = new ChangeFeed(database, randomUUID());
  }

  async load(projectId: string, revision?: number): Promise<StoredBundle | undefined> {
    if (!isKey(projectId)) return undefined;
    if (revision !== undefined) return this.#loadOld(projectId, revision);
    const head = await this.#database.run(({ queries }) => readHead(queries, projectId));
    return head === undefined ? undefined : toStored(head, await parsed(await textOf(head)));
  }

  async update<T>(projectId: string, facts: ChangeFacts, change: BundleChanger<T>): Promise<Updated<T>> {
    requireKey(projectId);
    return this.#underWay.add(this.#turns.run(projectId, () => this.#update(projectId, facts, change)));
  }

  async history(projectId: string, limit: number): Promise<readonly RevisionInfo[]> {
    if (!isKey(projectId)) return [];
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

  async #update<T>(projectId: string, facts: ChangeFacts, change: BundleChanger<T>): Promise<Updated<T>> {
    for (;;) {
      const head = await this.#database.run(({ queries }) => readHead(queries, projectId));
      const bundle = head && (await parsed(await textOf(head)));
      // Before `change`, which may well work in the object that it is given.
      const members = bundle && (await textsOf(bundle));
      const { bundle: changed, outcome } = await change(bundle);
      if (head !== undefined && changed === bundle) return { stored: toStored(head, changed), outcome };
      const following = await textsOf(changed);
      const text = objectText(following);
      const next = newHead(projectId, (head?.revision ?? 0) + 1, facts, await packQuickly(text));
      const before = head && { head, kept: await keepRevision(head.revision, members!, following) };
      const word = this.#feed.wordFor(projectId);
      const written = await this.#database.run((engine) => writeNext(engine, { next, before, keep: this.#keep, word }));
      if (written === undefined) continue;
      this.#feed.onOwnChange(projectId, written.seq);
      return { stored: toStored(next, await parsed(text)), outcome };
    }
  }

  async #loadOld(projectId: string, revision: number): Promise<StoredBundle | undefined> {
    if (!isRowNumber(revision) || revision > MAX_REVISION) return undefined;
    const { head, way } = await readTogether(this.#database, async (queries) => ({
      head: await readHead(queries, projectId),
      way: await readWayBack(queries, projectId, revision),
    }));
    if (head === undefined) return undefined;
    if (head.revision === revision) return toStored(head, await parsed(await textOf(head)));
    const row = way.at(-1);
    if (row === undefined) return undefined;
    try {
      const from = way[0]!.form === 'whole' ? {} : await parsed(await textOf(head));
      return toStored(row, await goBack(from, way));
    } catch (error) {
      throw unreadable(projectId, revision, error);
    }
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

/** Does several reads of one state. */
function readTogether<T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  return database.run(({ queries }) =>
    queries.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
  );
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

async function textOf({ project_id, revision, body }: Head): Promise<string> {
  try {
    return await unpack(body);
  } catch (error) {
    throw unreadable(project_id, revision, error);
  }
}

function toStored(row: Omit<Head, 'token' | 'body'>, bundle: JsonObject): StoredBundle {
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
