import { type KnowledgeSql, one } from './sql.ts';

/** The process that indexes a space now: one among all that use this database. */
export interface Runs {
  /**
   * Takes the run of a space. `isGone` says about another process, and when it last gave a sign of life, whether it has ended.
   * Returns false if another process has it.
   */
  take(space: number, owner: string, isGone: (owner: string, atMs: number) => boolean): Promise<boolean>;
  /** Gives a sign of life. Returns false where the run was taken away. */
  keep(space: number, owner: string, progress: string): Promise<boolean>;
  end(space: number, owner: string): Promise<void>;
}

export function runsIn(sql: KnowledgeSql): Runs {
  return {
    take: (space, owner, isGone) => sql.transaction((within) => take(within, space, owner, isGone)),
    keep: (space, owner, progress) =>
      sql.transaction(async (within) => {
        const kept = await within.all(
          `update knowledge_spaces set run_at_ms = ?, run_progress = ? where number = ? and run_owner = ?
           returning number`,
          Date.now(),
          progress,
          space,
          owner,
        );
        return kept.length > 0;
      }),
    end: async (space, owner) => {
      await sql.transaction((within) =>
        within.all(
          `update knowledge_spaces set run_owner = null, run_at_ms = null, run_progress = null
           where number = ? and run_owner = ?`,
          space,
          owner,
        ),
      );
    },
  };
}

async function take(
  sql: KnowledgeSql,
  space: number,
  owner: string,
  isGone: (owner: string, atMs: number) => boolean,
): Promise<boolean> {
  // Locks the row, where that is needed.
  await sql.all('update knowledge_spaces set kind = kind where number = ?', space);
  const row = await one(sql, 'select run_owner, run_at_ms from knowledge_spaces where number = ?', space);
  if (row === undefined) return false;
  const held = row.run_owner as string | null;
  if (held !== null && held !== owner && !isGone(held, (row.run_at_ms ?? 0) as number)) return false;
  await sql.all('update knowledge_spaces set run_owner = ?, run_at_ms = ? where number = ?', owner, Date.now(), space);
  return true;
}
