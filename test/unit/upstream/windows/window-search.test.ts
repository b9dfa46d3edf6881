import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import type { PortFinding } from '../../../../src/upstream/windows/find-windows.ts';
import { WindowSearch } from '../../../../src/upstream/windows/window-search.ts';

// The search loads it when it looks first, which no fake clock can wait for.
beforeAll(() => import('../../../../src/upstream/windows/find-windows.ts'));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** A search on no port: it finds nothing, at once. */
function open() {
  const taken: (readonly PortFinding[])[] = [];
  let looked = 0;
  let isChanged = false;
  const search = new WindowSearch({
    ports: [],
    context: { env: {}, log: createLog({ level: 'silent' }) },
    isKnown: () => false,
    take: (findings) => {
      taken.push(findings);
      return isChanged;
    },
    onLooked: () => looked++,
  });
  const change = () => {
    isChanged = true;
  };
  return { search, taken, looked: () => looked, change };
}

test('a search looks less and less often while nothing changes, and often again when something does', async () => {
  const { search, taken, change } = open();
  await settle(60_000);
  expect([taken.length, search.state.name]).toEqual([0, 'idle']);
  search.begin();
  expect(search.state.name).toBe('searching');
  await settle();
  expect([taken.length, search.state.name, search.isFresh]).toEqual([1, 'looked', true]);
  await settle(9_999);
  expect([taken.length, search.isFresh]).toEqual([1, false]);
  await settle(1);
  expect(taken).toHaveLength(2);
  await settle(20_000);
  expect(taken).toHaveLength(3);
  change();
  await settle(40_000);
  expect(taken).toHaveLength(4);
  await settle(5_000);
  expect(taken).toHaveLength(5);
});

test('a search looks sooner when somebody says that something may have changed', async () => {
  const { search, taken } = open();
  search.lookSoon();
  await settle();
  expect(taken).toEqual([]);
  search.begin();
  await settle();
  search.lookSoon();
  await settle();
  expect(taken).toHaveLength(2);
});

test('who wants a look while there is one waits for that one', async () => {
  const { search, looked } = open();
  search.begin();
  await Promise.all([search.look(), search.look(), settle()]);
  expect(looked()).toBeLessThanOrEqual(2);
  expect(search.state.name).toBe('looked');
});

test('what is found after the end of the search is not taken, and it begins again when it is asked to', async () => {
  const { search, taken } = open();
  search.begin();
  const looking = search.look();
  search.stop('it was disconnected');
  await looking;
  await settle(120_000);
  expect([taken.length, search.state]).toEqual([0, { name: 'stopped', reason: 'it was disconnected' }]);
  await search.look();
  expect(taken).toEqual([]);
  await search.lookEverywhere();
  expect([taken.length, search.state.name]).toEqual([1, 'looked']);
});
