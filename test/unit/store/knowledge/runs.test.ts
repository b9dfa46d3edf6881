import { expect, onTestFinished, test, vi } from 'vitest';
import { openKnowledgeStore } from '../../../../src/store/knowledge/open-knowledge-store.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

/** An index with two spaces: `space` is the one to index, `other` has a run of its own. */
async function spaces() {
  const store = await openKnowledgeStore({ home: temporaryFolder(), machine: 'one' });
  onTestFinished(() => store.close());
  const { space } = await store.spaces.make('repository', '/a', 'a');
  const { space: other } = await store.spaces.make('repository', '/b', 'b');
  const stateOf = async (id = space.id) => {
    const found = await store.spaces.byId(id);
    return { runOwner: found!.runOwner, runAtMs: found!.runAtMs, runProgress: found!.runProgress };
  };
  return { store, runs: store.runs, space, other, stateOf };
}

const NONE = { runOwner: undefined, runAtMs: 0, runProgress: undefined };
const never = () => false;
const always = () => true;

test('a run belongs to one process, which may take it again', async () => {
  const { runs, space, other, stateOf } = await spaces();
  expect(await runs.take(space.number, 'one', never)).toBe(true);
  expect(await runs.take(space.number, 'two', never)).toBe(false);
  expect(await runs.take(space.number, 'one', never)).toBe(true);
  expect(await stateOf()).toMatchObject({ runOwner: 'one' });
  expect(await stateOf(other.id)).toEqual(NONE);
});

test('a run is taken from a process that is gone, by its name and its last sign of life', async () => {
  const { runs, space, stateOf } = await spaces();
  await runs.take(space.number, 'one', never);
  const { runAtMs } = await stateOf();
  const asked: unknown[] = [];
  const isGone = (owner: string, atMs: number) => {
    asked.push([owner, atMs]);
    return true;
  };
  expect(await runs.take(space.number, 'two', isGone)).toBe(true);
  expect(asked).toEqual([['one', runAtMs]]);
  expect(await stateOf()).toMatchObject({ runOwner: 'two' });
});

test('a sign of life is noted with the progress, and refused once the run was taken away', async () => {
  const { runs, space, other, stateOf } = await spaces();
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  await runs.take(space.number, 'one', never);
  vi.setSystemTime(2_000);
  expect(await runs.keep(space.number, 'one', 'half')).toBe(true);
  expect(await stateOf()).toEqual({ runOwner: 'one', runAtMs: 2_000, runProgress: 'half' });
  expect(await stateOf(other.id)).toEqual(NONE);
  await runs.take(space.number, 'two', always);
  expect(await runs.keep(space.number, 'one', 'all')).toBe(false);
  expect(await stateOf()).toMatchObject({ runOwner: 'two', runProgress: 'half' });
});

test('only its owner ends a run; then nothing of it is left', async () => {
  const { runs, space, other, stateOf } = await spaces();
  await runs.take(space.number, 'one', never);
  await runs.take(other.number, 'one', never);
  await runs.keep(space.number, 'one', 'half');
  await runs.end(space.number, 'two');
  expect(await stateOf()).toMatchObject({ runOwner: 'one' });
  await runs.end(space.number, 'one');
  expect(await stateOf()).toEqual(NONE);
  expect(await stateOf(other.id)).toMatchObject({ runOwner: 'one' });
  expect(await runs.take(space.number, 'two', never)).toBe(true);
});

test('a space that was removed has no run', async () => {
  const { store, runs, space } = await spaces();
  await store.spaces.remove(space);
  expect(await runs.take(space.number, 'one', always)).toBe(false);
  expect(await runs.keep(space.number, 'one', 'half')).toBe(false);
});
