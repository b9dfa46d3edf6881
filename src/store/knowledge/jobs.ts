import { jobRow } from './read-rows.ts';
import type { JobRow } from './rows.ts';
import { type KnowledgeSql, one } from './sql.ts';

/** The time for which jobs are kept after they have ended, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;
const UNDER_WAY = `state in ('pending', 'running')`;

export type NewJob = Pick<JobRow, 'id' | 'space' | 'root' | 'isForced' | 'owner'>;

export interface Jobs {
  add(job: NewJob): Promise<void>;
  find(id: string): Promise<JobRow | undefined>;
  /** Returns the jobs that are pending or running. */
  underWay(): Promise<readonly JobRow[]>;
  start(id: string): Promise<void>;
  /** Stores the figures of a running job. */
  note(id: string, files: number, chunks: number): Promise<void>;
  end(id: string, state: 'completed' | 'failed', error: string | undefined): Promise<void>;
}

export function jobsIn(sql: KnowledgeSql): Jobs {
  const write = async (statement: string, ...parameters: readonly (string | number | null)[]) => {
    await sql.transaction((within) => within.all(statement, ...parameters));
  };
  return {
    add: (job) => sql.transaction((within) => add(within, job)),
    find: async (id) => {
      const row = await one(sql, 'select * from knowledge_jobs where id = ?', id);
      return row && jobRow(row);
    },
    underWay: async () => (await sql.all(`select * from knowledge_jobs where ${UNDER_WAY}`)).map(jobRow),
    start: (id) =>
      write(`update knowledge_jobs set state = 'running', started_at = ? where id = ?`, new Date().toISOString(), id),
    note: (id, files, chunks) =>
      write('update knowledge_jobs set files = ?, chunks = ? where id = ?', files, chunks, id),
    end: (id, state, error) =>
      write(
        `update knowledge_jobs set state = ?, error = ?, completed_at = ? where id = ? and ${UNDER_WAY}`,
        state,
        error ?? null,
        new Date().toISOString(),
        id,
      ),
  };
}

async function add(sql: KnowledgeSql, { id, space, root, isForced, owner }: NewJob): Promise<void> {
  const old = new Date(Date.now() - KEPT_MS).toISOString();
  await sql.all(`delete from knowledge_jobs where completed_at < ?`, old);
  await sql.all(
    `insert into knowledge_jobs (id, space, root, state, is_forced, files, chunks, created_at, owner)
     values (?, ?, ?, 'pending', ?, 0, 0, ?, ?)`,
    id,
    space,
    root,
    isForced ? 1 : 0,
    new Date().toISOString(),
    owner,
  );
}
