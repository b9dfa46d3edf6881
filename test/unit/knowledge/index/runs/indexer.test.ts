import { expect, test } from 'vitest';
import { ownStamp, stampText } from '../../../../../src/core/processes/process-stamp.ts';
import { Indexer } from '../../../../../src/knowledge/index/runs/indexer.ts';
import { JobRunner } from '../../../../../src/knowledge/index/runs/job-runner.ts';
import { Parsers } from '../../../../../src/knowledge/index/runs/parsers.ts';
import type { KnowledgeStore } from '../../../../../src/store/knowledge/knowledge-store.ts';
import { folderWith } from '../../../../support/knowledge/knowledge.ts';
import { knowledgeStoresIn } from '../../../../support/knowledge/knowledge-store.ts';

const stores = knowledgeStoresIn('SQLite');
const never = () => {
  throw new Error('SQLite is always there');
};
const OWNER = `${stampText(ownStamp())} this`;

function indexerOf(store: KnowledgeStore): Indexer {
  const parsers = new Parsers(1_000_000);
  return new Indexer(
    { store, parsers, embedder: undefined, ignore: [], maxBytes: 1_000_000, owner: OWNER },
    () => undefined,
  );
}

const unheard = () => undefined;
const { signal } = new AbortController();

test('ends a run whose repository was removed before it began', async () => {
  const [store] = await stores.open(never);
  const indexer = indexerOf(store!);
  const space = await indexer.space({ root: folderWith({ 'a.ts': '// A walrus.\n' }) });
  await store!.spaces.remove(space);
  await expect(indexer.run(space, false, unheard, signal)).rejects.toThrow('was removed from the index');
});

test('does not do again what a killed run has done', async () => {
  const [store] = await stores.open(never);
  const indexer = indexerOf(store!);
  const request = { root: folderWith({ 'a.ts': '// A walrus.\n', 'b.ts': '// An otter.\n' }) };
  await indexer.run(await indexer.space(request), false, unheard, signal);
  const space = await indexer.space(request);
  // As it is until the first run has ended.
  await store!.spaces.finish(space.number, 0);
  expect(await indexer.run(space, false, unheard, signal)).toMatchObject({ filesIndexed: 0, status: 'success' });
});

test('leaves the jobs of gateways alone that still run', async () => {
  const [store] = await stores.open(never);
  const indexer = indexerOf(store!);
  const { id, place } = await indexer.space({ root: folderWith({ 'a.ts': '// A walrus.\n' }) });
  const owners = [`${stampText(ownStamp())} other`, `${stampText({ ...ownStamp(), pid: 999_999_999 })} ended`];
  for (const owner of owners) {
    await store!.jobs.add({ id: owner, space: id, root: place, isForced: false, owner });
    await store!.jobs.start(owner);
  }
  await store!.sql.all('update knowledge_jobs set started_at = ?', new Date(Date.now() - 3_600_000).toISOString());
  await new JobRunner(store!, indexer, OWNER).adopt();
  const states = await Promise.all(owners.map(async (owner) => (await store!.jobs.find(owner))?.state));
  expect(states).toEqual(['running', 'failed']);
});

test('starts one job for all who ask at once', async () => {
  const [store] = await stores.open(never);
  const jobs = new JobRunner(store!, indexerOf(store!), OWNER);
  const request = { root: folderWith({ 'a.ts': '// A walrus.\n' }) };
  const [one, other] = await Promise.all([jobs.start('one', request), jobs.start('other', request)]);
  expect(other.id).toBe(one.id);
  await expect.poll(async () => (await store!.jobs.find(one.id))?.state).toBe('completed');
});
