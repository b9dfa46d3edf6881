import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { NewTask, ProjectTask } from '../../../../src/core/projects/project-task.ts';
import { openTaskStore } from '../../../../src/store/tasks/open-task-store.ts';
import { databases, type Kind } from '../../../support/stores/databases.ts';

const HASH = 'a1b2c3d4e5f6789012345678901234567890abcd';
const newTask = (projectId: string, title: string, more: Partial<NewTask> = {}): NewTask => ({
  projectId,
  title,
  description: null,
  notes: null,
  planningReferences: [],
  ...more,
});

const OLD: ProjectTask = {
  id: '123e4567-e89b-12d3-a456-426614174000',
  projectId: 'old',
  title: 'old one',
  description: 'd',
  notes: 'n',
  status: 'complete',
  createdAt: 1_000,
  updatedAt: 3_000,
  branch: 'b',
  commit: HASH,
  branches: ['a', 'b'],
  commits: [HASH],
  planningReferences: ['z.md', 'a.md'],
  statusHistory: [
    { from: null, to: 'need to be done', at: 1_000 },
    { from: 'need to be done', to: 'complete', at: 3_000 },
  ],
};

/** The tests of one kind of database: SQLite's run with all others, PostgreSQL's with the proofs. */
export const taskStoreSuite = (kind: Kind) =>
  describe(`tasks in ${kind}`, () => {
    const { newPlace, open } = databases(kind);
    const openIn = (place: Awaited<ReturnType<typeof newPlace>>) => open(place, openTaskStore).store;

    test('are created, read, and the same for another process', async ({ skip }) => {
      const place = await newPlace(skip);
      const store = openIn(place);
      const made = await store.create(
        newTask('p', 'Ein Titel \u{1F980}\0', { description: 'd', planningReferences: ['b.md', 'a.md', 'b.md'] }),
      );
      expect(made).toMatchObject({
        projectId: 'p',
        title: 'Ein Titel \u{1F980}\u{FFFD}',
        description: 'd',
        notes: null,
        status: 'need to be done',
        branch: null,
        commit: null,
        branches: [],
        commits: [],
        planningReferences: ['b.md', 'a.md'],
        statusHistory: [{ from: null, to: 'need to be done', at: made.createdAt }],
        updatedAt: made.createdAt,
      });
      expect(await store.get(made.id)).toEqual(made);
      expect(await openIn(place).get(made.id)).toEqual(made);
      expect(await store.get('00000000-0000-4000-8000-000000000000')).toBeUndefined();
    });

    test('change only in what is given; links are kept once, changes of status in the history', async ({ skip }) => {
      const store = openIn(await newPlace(skip));
      const { id } = await store.create(newTask('p', 't', { description: 'd', notes: 'n', planningReferences: ['a'] }));
      const first = await store.update(id, { status: 'in-progress', branch: 'one', commit: HASH });
      expect(first).toMatchObject({ description: 'd', notes: 'n', status: 'in-progress', branch: 'one', commit: HASH });
      const other = HASH.replace('a', 'b');
      await store.update(id, { branch: 'two', commit: other });
      const again = await store.update(id, { branch: 'one', commit: HASH, status: 'in-progress' });
      expect(again).toMatchObject({ branch: 'one', commit: HASH, branches: ['one', 'two'], commits: [HASH, other] });
      expect(again?.statusHistory.map(({ from, to }) => [from, to])).toEqual([
        [null, 'need to be done'],
        ['need to be done', 'in-progress'],
      ]);
      const cleared = await store.update(id, {
        description: null,
        notes: null,
        planningReferences: ['c', 'b'],
        title: 'u',
      });
      expect(cleared).toMatchObject({ title: 'u', description: null, notes: null, planningReferences: ['c', 'b'] });
      expect(cleared).toMatchObject({ branches: ['one', 'two'], commits: [HASH, other] });
      expect((await store.update(id, { planningReferences: [] }))?.planningReferences).toEqual([]);
      const times = [first, again, cleared].map((task) => task!.updatedAt);
      expect([...new Set(times)].sort((a, b) => a - b)).toEqual(times);
      const still = await store.get(id);
      expect(await store.update(id, {})).toEqual(still);
      expect(await store.update('00000000-0000-4000-8000-000000000000', { title: 'x' })).toBeUndefined();
    });

    test('have a later time after each change, also when the clock is set back', async ({ skip }) => {
      const store = openIn(await newPlace(skip));
      const made = await store.create(newTask('p', 't'));
      onTestFinished(() => void vi.useRealTimers());
      vi.useFakeTimers({ toFake: ['Date'], now: made.createdAt - 60_000 });
      const first = await store.update(made.id, { status: 'complete' });
      const second = await store.update(made.id, { status: 'in-progress' });
      expect([first!.updatedAt, second!.updatedAt]).toEqual([made.createdAt + 1, made.createdAt + 2]);
      expect(second!.statusHistory.map(({ at }) => at - made.createdAt)).toEqual([0, 1, 2]);
    });

    test('are listed newest first, filtered and counted before the limit', async ({ skip }) => {
      const store = openIn(await newPlace(skip));
      const ids: string[] = [];
      // A path that is spelt as a branch is none.
      for (const title of ['1', '2', '3'])
        ids.push((await store.create(newTask('p', title, { planningReferences: ['feature/a'] }))).id);
      ids.push((await store.create(newTask('q', '4'))).id);
      await store.add([OLD]);
      await store.update(ids[0]!, { branch: 'feature/a', status: 'complete' });
      const titles = async (query: object) => {
        const { tasks, total } = await store.list({ projects: 'all', limit: 10, ...query });
        return [tasks.map(({ title }) => title), total];
      };
      expect(await titles({})).toEqual([['4', '3', '2', '1', 'old one'], 5]);
      expect(await titles({ limit: 2 })).toEqual([['4', '3'], 5]);
      expect(await titles({ projects: ['p'] })).toEqual([['3', '2', '1'], 3]);
      expect(await titles({ projects: ['p', 'old'] })).toEqual([['3', '2', '1', 'old one'], 4]);
      expect(await titles({ projects: [] })).toEqual([[], 0]);
      expect(await titles({ branch: 'feature/a' })).toEqual([['1'], 1]);
      expect(await titles({ branch: 'feature/' })).toEqual([[], 0]);
      expect(await titles({ branch: 'a', projects: ['p'] })).toEqual([[], 0]);
      expect(await titles({ statuses: ['complete'] })).toEqual([['1', 'old one'], 2]);
      expect(await titles({ statuses: ['need to be done', 'in-progress'], projects: ['p'] })).toEqual([['3', '2'], 2]);
      expect([...(await store.projects())].sort()).toEqual(['old', 'p', 'q']);
    });

    test('of one moment are listed as they were added', async ({ skip }) => {
      const store = openIn(await newPlace(skip));
      const ids = [3, 1, 2].map((number) => `${OLD.id.slice(0, -1)}${number}`);
      await store.add(ids.map((id) => ({ ...OLD, id })));
      const { tasks } = await store.list({ projects: 'all', limit: 10 });
      expect(tasks.map(({ id }) => id)).toEqual(ids.reverse());
    });

    test('are added as they are, and once', async ({ skip }) => {
      const store = openIn(await newPlace(skip));
      expect(await store.add([OLD])).toEqual(new Set([OLD.id]));
      expect(await store.get(OLD.id)).toEqual(OLD);
      expect(await store.add([{ ...OLD, title: 'other' }])).toEqual(new Set());
      expect(await store.get(OLD.id)).toEqual(OLD);
    });

    test('lose nothing when several stores change one at once', async ({ skip }) => {
      const place = await newPlace(skip);
      const stores = [openIn(place), openIn(place), openIn(place)];
      const { id } = await stores[0]!.create(newTask('p', 't'));
      const names = stores.flatMap((_store, index) => Array.from({ length: 10 }, (_, count) => `${index}/${count}`));
      await Promise.all(names.map((branch, index) => stores[index % 3]!.update(id, { branch })));
      const task = await stores[0]!.get(id);
      expect([...task!.branches].sort()).toEqual(names.sort());
      expect(task!.branches.at(-1)).toBe(task!.branch);
    });
  });
