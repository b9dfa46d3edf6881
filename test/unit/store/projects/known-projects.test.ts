import { describe, expect, test } from 'vitest';
import { openCheckpointStore } from '../../../../src/store/checkpoints/open-checkpoint-store.ts';
import { knownProjects } from '../../../../src/store/projects/known-projects.ts';
import { databases, KINDS } from '../../../support/stores/databases.ts';

describe.each(KINDS)('known projects on %s', (kind) => {
  const { newPlace, open } = databases(kind);

  test('are those with a checkpoint, a session or a build', async ({ skip }) => {
    const { store, database } = open(await newPlace(skip), (one) => openCheckpointStore({ database: one }));
    expect(await knownProjects(database)).toEqual([]);
    await store.update('saved', { sourceIde: 'test', kind: 'save' }, () => ({ bundle: {}, outcome: 0 }));
    const build = { branch: '', status: 'success', command: '', machine: 'm', host: 'h', started_ms: 1, repo: '' };
    await database.run(async ({ queries }) => {
      for (const [id, project_id] of [
        ['1', 'built'],
        ['2', 'saved'],
        ['3', null],
      ] as const)
        await queries
          .insertInto('builds')
          .values({ ...build, id, project_id })
          .execute();
      await queries
        .insertInto('ide_sessions')
        .values({
          id: 's',
          project_id: 'chatted',
          name: 'n',
          created_ms: 1,
          updated_ms: 1,
        })
        .execute();
    });
    expect((await knownProjects(database)).toSorted()).toEqual(['built', 'chatted', 'saved']);
  });
});
