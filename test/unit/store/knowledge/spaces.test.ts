import { expect, onTestFinished, test } from 'vitest';
import { openKnowledgeStore } from '../../../../src/store/knowledge/open-knowledge-store.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { sourceOf } from '../../../support/knowledge/knowledge-store.ts';

/** The spaces of one index as several machines see them. */
async function machines(...names: string[]) {
  const home = temporaryFolder();
  const stores = await Promise.all(names.map((machine) => openKnowledgeStore({ home, machine })));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  return stores;
}

test('a repository belongs to its machine, and a collection to the database', async () => {
  const [one, other] = await machines('one', 'other');
  const { space: repository } = await one!.spaces.make('repository', '/r', 'r');
  const { space: collection } = await one!.spaces.make('collection', 'c', 'c');
  expect(await other!.spaces.at('repository', '/r')).toBeUndefined();
  expect(await other!.spaces.byId(repository.id)).toBeUndefined();
  expect(await other!.spaces.list('repository')).toEqual([]);
  expect(await other!.spaces.at('collection', 'c')).toEqual(collection);
  expect(await other!.spaces.byId(collection.id)).toEqual(collection);
  expect(await other!.spaces.list('collection')).toEqual([collection]);
});

test('a space is made once, and listed by its place', async () => {
  const [store] = await machines('one');
  const first = await store!.spaces.make('repository', '/b', 'b');
  const again = await store!.spaces.make('repository', '/b', 'another name');
  await store!.spaces.make('repository', '/a', 'a');
  expect([first.isNew, again.isNew, again.space]).toEqual([true, false, first.space]);
  expect((await store!.spaces.list('repository')).map(({ place }) => place)).toEqual(['/a', '/b']);
});

test('a new name and a finished index are kept', async () => {
  const [store] = await machines('one');
  const { space } = await store!.spaces.make('repository', '/a', 'a');
  await store!.spaces.rename(space.number, 'renamed');
  await store!.spaces.finish(space.number, 7);
  const found = await store!.spaces.byId(space.id);
  expect(found).toMatchObject({ name: 'renamed', form: 7 });
  expect(found?.indexedAt).toBeDefined();
});

test('a space is removed with all its files, and no other one', async () => {
  const [store] = await machines('one');
  const { space } = await store!.spaces.make('repository', '/a', 'a');
  const { space: kept } = await store!.spaces.make('repository', '/b', 'b');
  const sources = Array.from({ length: 250 }, (_, at) => sourceOf(`f${at}.ts`, `word${at}`));
  await store!.write(space, sources);
  await store!.write(kept, [sourceOf('k.ts', 'kept')]);
  await store!.spaces.remove(space);
  expect(await store!.spaces.byId(space.id)).toBeUndefined();
  expect(await store!.sources(space.number)).toEqual([]);
  expect((await store!.sources(kept.number)).map(({ path }) => path)).toEqual(['k.ts']);
});
