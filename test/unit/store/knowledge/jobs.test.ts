import { expect, onTestFinished, test, vi } from 'vitest';
import { openKnowledgeStore } from '../../../../src/store/knowledge/open-knowledge-store.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const NOW = Date.UTC(2026, 0);
const DAY = 86_400_000;

/** The jobs of an index, by a clock that the test sets. */
async function open() {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const store = await openKnowledgeStore({ home: temporaryFolder(), machine: 'one' });
  onTestFinished(async () => {
    vi.useRealTimers();
    await store.close();
  });
  const add = (id: string, isForced = false) =>
    store.jobs.add({ id, space: `space of ${id}`, root: `/${id}`, isForced, owner: 'me' });
  const underWay = async () => (await store.jobs.underWay()).map(({ id }) => id).sort();
  return { jobs: store.jobs, add, underWay };
}

const at = (ms: number) => new Date(NOW + ms).toISOString();

test('a job is pending, then running with its figures, then ended', async () => {
  const { jobs, add, underWay } = await open();
  await add('a');
  await add('b', true);
  const pending = {
    id: 'a',
    space: 'space of a',
    root: '/a',
    state: 'pending',
    isForced: false,
    files: 0,
    chunks: 0,
    error: undefined,
    createdAt: at(0),
    startedAt: undefined,
    completedAt: undefined,
    owner: 'me',
  };
  expect(await jobs.find('a')).toEqual(pending);
  vi.setSystemTime(NOW + 1_000);
  await jobs.start('a');
  await jobs.note('a', 3, 7);
  const running = { ...pending, state: 'running', startedAt: at(1_000), files: 3, chunks: 7 };
  expect(await jobs.find('a')).toEqual(running);
  expect(await underWay()).toEqual(['a', 'b']);
  vi.setSystemTime(NOW + 2_000);
  await jobs.end('a', 'failed', 'no luck');
  expect(await jobs.find('a')).toEqual({ ...running, state: 'failed', error: 'no luck', completedAt: at(2_000) });
  expect(await jobs.find('b')).toMatchObject({ state: 'pending', isForced: true, files: 0, completedAt: undefined });
  expect(await underWay()).toEqual(['b']);
  expect(await jobs.find('none')).toBeUndefined();
});

test('a job ends once: what it was first holds', async () => {
  const { jobs, add } = await open();
  await add('a');
  await jobs.end('a', 'completed', undefined);
  const ended = await jobs.find('a');
  vi.setSystemTime(NOW + 1_000);
  await jobs.end('a', 'failed', 'lost');
  expect(await jobs.find('a')).toEqual(ended);
  expect(ended).toMatchObject({ state: 'completed', error: undefined, completedAt: at(0) });
});

test('a job is forgotten a week after it has ended, and never while it is under way', async () => {
  const { jobs, add, underWay } = await open();
  await add('ended');
  await add('running');
  await jobs.end('ended', 'completed', undefined);
  vi.setSystemTime(NOW + 7 * DAY);
  await add('later');
  expect(await jobs.find('ended')).toBeDefined();
  vi.setSystemTime(NOW + 7 * DAY + 1);
  await add('last');
  expect(await jobs.find('ended')).toBeUndefined();
  expect(await underWay()).toEqual(['last', 'later', 'running']);
});
