import type { Database } from '../database/database.ts';

/** Returns the ids of all projects that have a checkpoint, a chat session or a build in a database, in no certain order. */
export function knownProjects(database: Database): Promise<readonly string[]> {
  return database.run(async ({ queries }) => {
    const rows = await queries
      .selectFrom('checkpoint_heads')
      .select('project_id')
      .union(queries.selectFrom('ide_sessions').select('project_id'))
      .union(
        queries
          .selectFrom('builds')
          .select((eb) => eb.ref('project_id').$notNull().as('project_id'))
          .where('project_id', 'is not', null),
      )
      .execute();
    return rows.map(({ project_id }) => project_id);
  });
}
