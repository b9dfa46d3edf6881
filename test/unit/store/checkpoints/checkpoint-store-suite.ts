import { describe, expect, test } from 'vitest';
import type { CheckpointStore, JsonObject } from '../../../../src/core/stores/checkpoint-store.ts';
import { stores } from '../../../support/stores/checkpoint-stores.ts';
import type { Kind } from '../../../support/stores/databases.ts';

const FACTS = { sourceIde: 'cursor', kind: 'save' };

/** Appends an item to the list in the bundle and gives how long it is then. */
async function append(store: CheckpointStore, item: string, project = 'p'): Promise<number> {
  const { outcome } = await store.update(project, { sourceIde: 'kiro', kind: 'append' }, (bundle) => {
    const items = [...((bundle?.items ?? []) as string[]), item];
    return { bundle: { ...bundle, items }, outcome: items.length };
  });
  return outcome;
}

const put = (store: CheckpointStore, bundle: JsonObject, project = 'p') =>
  store.update(project, FACTS, () => ({ bundle, outcome: undefined }));

/** The tests of one kind of database: SQLite's run with all others, PostgreSQL's with the proofs. */
export const checkpointStoreSuite = (kind: Kind) =>
  describe(`checkpoints in ${kind}`, () => {
    const { newPlace, open } = stores(kind);

    test('are there for the next process, with what was said about them', async ({ skip }) => {
      const place = await newPlace(skip);
      const { stored } = await put(open(place).store, { plan: ['a'], note: 'ü😀\0' });
      expect(stored).toMatchObject({ projectId: 'p', revision: 1, sourceIde: 'cursor', bundle: { plan: ['a'] } });
      expect(await open(place).store.load('p')).toEqual(stored);
      expect(new Date(stored.updatedAt).toISOString()).toBe(stored.updatedAt);
    });

    test('of a project that is not there are nothing, and no error', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      expect(await store.load('p')).toBeUndefined();
      expect(await store.load('p', 1)).toBeUndefined();
      expect(await store.history('p', 10)).toEqual([]);
      expect(await store.projects()).toEqual([]);
      expect(await store.remove('p')).toBe(false);
      expect(await store.prune(1)).toBe(0);
    });

    test('keep every revision as it was', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      const bundles = Array.from({ length: 150 }, (_, index) => ({
        updated_at: String(index),
        list: Array.from({ length: index % 40 }, (_unused, item) => ({ id: item, text: `${item}`.repeat(index % 7) })),
        ...(index % 3 === 0 && { extra: { deep: [index, null, 'é'] } }),
      }));
      for (const bundle of bundles) await put(store, bundle);
      for (const [index, bundle] of bundles.entries()) {
        expect((await store.load('p', index + 1))?.bundle).toEqual(bundle);
      }
      expect(await store.load('p', 0)).toBeUndefined();
      expect(await store.load('p', 151)).toBeUndefined();
    });

    test('have a history, the newest first, of the length that is asked for', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      await put(store, { a: 1 });
      await append(store, 'x');
      const history = await store.history('p', 10);
      expect(history.map(({ revision, sourceIde, kind: what }) => [revision, sourceIde, what])).toEqual([
        [2, 'kiro', 'append'],
        [1, 'cursor', 'save'],
      ]);
      expect(await store.history('p', 1)).toEqual(history.slice(0, 1));
    });

    test('that do not change make no revision', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      await put(store, { a: 1 });
      const { stored, outcome } = await store.update('p', FACTS, (bundle) => ({ bundle: bundle!, outcome: 'same' }));
      expect([stored.revision, stored.bundle, outcome]).toEqual([1, { a: 1 }, 'same']);
      expect(await store.history('p', 10)).toHaveLength(1);
    });

    test('are not harmed by a change that throws, nor by one that works in what it gets', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      await put(store, { list: [1] });
      const failing = store.update('p', FACTS, () => {
        throw new RangeError('no');
      });
      await expect(failing).rejects.toThrow(RangeError);
      await store.update('p', FACTS, (bundle) => {
        (bundle!.list as number[]).push(2);
        return { bundle: { ...bundle }, outcome: undefined };
      });
      expect((await store.load('p', 1))?.bundle).toEqual({ list: [1] });
      expect((await store.load('p', 2))?.bundle).toEqual({ list: [1, 2] });
    });

    test('have members called __proto__ that do nothing', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      const bundle = JSON.parse('{"__proto__":{"x":1},"constructor":2}') as JsonObject;
      await put(store, bundle);
      await put(store, { a: 1 });
      expect(JSON.stringify((await store.load('p', 1))?.bundle)).toBe('{"__proto__":{"x":1},"constructor":2}');
    });

    test('lose nothing when 20 appends come at one time from each of two stores', async ({ skip }) => {
      const place = await newPlace(skip);
      const both = [open(place).store, open(place).store];
      const lengths = await Promise.all(both.flatMap((store) => Array.from({ length: 20 }, () => append(store, 'x'))));
      expect(new Set(lengths).size).toBe(40);
      expect((await both[0]!.load('p'))?.revision).toBe(40);
    });

    test('of different projects have nothing to do with each other', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      await Promise.all(['a', 'b', 'c'].map((project) => append(store, project, project)));
      const projects = await store.projects();
      expect(projects.map(({ projectId }) => projectId).sort()).toEqual(['a', 'b', 'c']);
      expect(projects[0]).toMatchObject({ revision: 1, lastSourceIde: 'kiro' });
      expect(await store.remove('b')).toBe(true);
      expect((await store.projects()).map(({ projectId }) => projectId).sort()).toEqual(['a', 'c']);
      await append(store, 'again', 'b');
      expect((await store.load('b'))?.bundle).toEqual({ items: ['again'] });
      expect(await store.history('b', 10)).toHaveLength(1);
    });

    test('are listed by project, those that changed last first, and equals by their ids', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      for (const [project, day] of [
        ['b', 2],
        ['old', 1],
        ['a', 2],
        ['new', 3],
        ['B', 2],
      ] as const) {
        const facts = { ...FACTS, at: `2026-01-0${day}T00:00:00.000Z` };
        await store.update(project, facts, () => ({ bundle: {}, outcome: undefined }));
      }
      const listed = (await store.projects()).map(({ projectId }) => projectId);
      expect(listed).toEqual(['new', 'B', 'a', 'b', 'old']);
    });

    test('keep the newest revisions only, as many as they are told to', async ({ skip }) => {
      const { store } = open(await newPlace(skip), 5);
      for (let index = 0; index < 12; index++) await append(store, String(index));
      expect((await store.history('p', 100)).map(({ revision }) => revision)).toEqual([12, 11, 10, 9, 8]);
      expect(await store.load('p', 7)).toBeUndefined();
      expect((await store.load('p', 8))?.bundle.items).toHaveLength(8);
      expect(await store.prune(2)).toBe(3);
      expect(await store.prune(0, 'p')).toBe(1);
      expect(await store.prune(1, 'other')).toBe(0);
      expect((await store.load('p'))?.bundle.items).toHaveLength(12);
    });

    test('remember which project a folder is', async ({ skip }) => {
      const place = await newPlace(skip);
      const { store } = open(place);
      expect(await store.identityOf('/a')).toBeUndefined();
      await store.rememberIdentity('/a', 'p');
      await store.rememberIdentity('/a', 'q');
      expect(await open(place).store.identityOf('/a')).toBe('q');
    });

    test('may be large', async ({ skip }) => {
      const { store } = open(await newPlace(skip));
      const large = Array.from({ length: 60_000 }, (_, index) => ({ id: `m${index}`, text: `line ${index * 7919}` }));
      await put(store, { large });
      await put(store, { large: [...large, { id: 'last' }] });
      expect((await store.load('p', 1))?.bundle).toEqual({ large });
      expect((await store.load('p', 2))?.bundle.large).toHaveLength(60_001);
    });

    test('are told of once by each change, in the process that makes it and in others', async ({ skip }) => {
      const place = await newPlace(skip);
      const [one, other] = [open(place).store, open(place).store];
      const told: string[] = [];
      const stops = [one, other].map((store, index) => store.onChange((project) => told.push(`${index} ${project}`)));
      await append(one, 'x', 'settled');
      await expect.poll(() => told.length).toBeGreaterThan(0);
      await listens(other, one, told);
      told.length = 0;
      await append(one, 'x', 'a');
      expect(told).toContain('0 a');
      // Another process may hear of a change before the one that makes it knows that it is done.
      await expect.poll(() => told.toSorted()).toEqual(['0 a', '1 a']);
      await one.remove('a');
      await expect.poll(() => told.toSorted()).toEqual(['0 a', '0 a', '1 a', '1 a']);
      for (const stop of stops) stop();
      await append(one, 'x', 'b');
      expect(told).toHaveLength(4);
    });

    test('are closed once what is under way is done', async ({ skip }) => {
      const place = await newPlace(skip);
      const { store, database } = open(place);
      const appends = Array.from({ length: 10 }, () => append(store, 'x'));
      await store.close();
      await database.close();
      expect(await Promise.all(appends)).toHaveLength(10);
      await expect(append(store, 'late')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect((await open(place).store.load('p'))?.revision).toBe(10);
    });
  });

/** Changes are heard from some moment after `onChange` on: waits for it, and for all that was said until then. */
async function listens(listening: CheckpointStore, writing: CheckpointStore, told: string[]): Promise<void> {
  const heard = new Set<string>();
  const stop = listening.onChange((project) => heard.add(project));
  let probes = 0;
  await expect
    .poll(async () => {
      await append(writing, 'x', `probe-${++probes}`);
      return heard.size;
    })
    .toBeGreaterThan(0);
  await expect.poll(() => told).toContain(`1 probe-${probes}`);
  stop();
}
