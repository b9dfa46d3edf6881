import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { openEventStore } from '../../../../src/store/events/open-event-store.ts';
import { toStored } from '../../../../src/workflows/metrics/metric-event.ts';
import { summarise } from '../../../../src/workflows/metrics/summary.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

/** A store with an event of each of these repositories, the oldest first; `undefined` for an event without one. */
async function storeOf(repos: readonly (string | undefined)[]) {
  const home = temporaryFolder();
  const database = openDatabase({ home });
  onTestFinished(() => database.close());
  const store = openEventStore({ database, home });
  const events = repos.map((repo, at) => ({
    type: 'build',
    timestamp: new Date(1_000_000 + at).toISOString(),
    agent_id: `agent of ${repo}`,
    ...(repo !== undefined && { repo }),
  }));
  await store.add(events.map(toStored));
  return store;
}

test('a summary of some repositories has nothing of the others, nor of events without a repository', async () => {
  const store = await storeOf(['acme-a', 'globex', 'acme-b', undefined, 'acme-b']);
  const summary = await summarise(store, 0, (repo) => repo.startsWith('acme-'));
  expect(summary).toMatchObject({
    total: 3,
    by_type: [{ key: 'build', count: 3 }],
    by_repo: [
      { key: 'acme-b', count: 2 },
      { key: 'acme-a', count: 1 },
    ],
  });
  expect(JSON.stringify(summary)).not.toMatch(/globex|undefined/);
  expect((await summarise(store, 0)).total).toBe(5);
});

test('a summary without any repository is empty', async () => {
  const store = await storeOf(['globex', undefined]);
  expect(await summarise(store, 0, () => false)).toEqual({
    total: 0,
    by_type: [],
    by_repo: [],
    by_agent: [],
    events: [],
  });
});

test('repositories beyond what one statement takes are counted too, and the newest events are the newest of all', async () => {
  const repos = Array.from({ length: 2_500 }, (_item, index) => `acme-${String(index).padStart(4, '0')}`);
  const summary = await summarise(await storeOf([...repos, 'globex']), 0, (repo) => repo !== 'globex');
  expect(summary.total).toBe(2_500);
  expect(summary.by_repo.map(({ key }) => key)).toEqual(repos);
  expect(summary.events.map(({ repo }) => repo)).toEqual(repos.slice(-10).reverse());
});
