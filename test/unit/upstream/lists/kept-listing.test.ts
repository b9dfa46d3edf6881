import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Descriptor, EMPTY_LISTING } from '../../../../src/core/providers/provider.ts';
import { KeptListing } from '../../../../src/upstream/lists/kept-listing.ts';
import { entryOf } from '../entries.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

function toolOf(ownName: string): Descriptor {
  return {
    kind: 'tool',
    ownName,
    text: `{"name":"${ownName}"}`,
    nameSpan: { start: 8, end: 12 },
    fingerprint: ownName,
  };
}

/** Lists whose writing takes so long. */
function open(writeMs: number) {
  const saved: string[][] = [];
  const kept = new KeptListing({
    entry: entryOf(),
    cache: {
      load: () => undefined,
      save: (_entry, listing) => {
        vi.advanceTimersByTime(writeMs);
        saved.push(Object.keys(listing).filter((key) => key !== 'readings'));
      },
      saveInSlices: async (_entry, listing, isWanted) => {
        await new Promise(setImmediate);
        if (isWanted()) saved.push(['slices', String(listing.tool?.length)]);
      },
      loadAsking: () => undefined,
      saveAsking: () => undefined,
    },
    eras: { load: () => undefined, save: () => undefined, forget: () => undefined },
    transform: undefined,
  });
  const save = (...kinds: ('tool' | 'prompt')[]) => kept.save(EMPTY_LISTING, kinds, () => undefined);
  const saveTools = (count: number) => {
    const tool = Array.from({ length: count }, (_, index) => toolOf(`t${index}`));
    kept.save({ ...EMPTY_LISTING, tool }, ['tool'], () => undefined);
  };
  return { kept, save, saveTools, saved };
}

test('short lists are kept at once, each time', () => {
  const { save, saved } = open(1);
  for (let count = 0; count < 20; count++) save('tool');
  expect(saved).toHaveLength(20);
});

test('lists that take long to write are kept now and then: the newest, once', () => {
  const { save, saved } = open(100);
  save('tool');
  for (let count = 0; count < 20; count++) save('tool', 'prompt');
  expect(saved).toEqual([['tool']]);
  vi.advanceTimersByTime(999);
  expect(saved).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(saved).toEqual([['tool'], ['tool', 'prompt']]);
  vi.advanceTimersByTime(60_000);
  expect(saved).toHaveLength(2);
});

test('what is not kept yet is kept on request', () => {
  const { kept, save, saved } = open(100);
  save('tool');
  save('prompt');
  kept.flush();
  kept.flush();
  vi.advanceTimersByTime(60_000);
  expect(saved).toEqual([['tool'], ['prompt']]);
});

test('long lists are kept in slices, of several the newest', async () => {
  const { saveTools, saved } = open(1);
  saveTools(1_000);
  saveTools(2_000);
  vi.advanceTimersByTime(999);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(saved).toEqual([]);
  vi.advanceTimersByTime(1);
  await vi.waitFor(() => {
    expect(saved).toEqual([['slices', '2000']]);
  });
});

test('a long list that is kept on request is not overwritten by what was on its way', async () => {
  const { kept, saveTools, saved } = open(1);
  saveTools(1_000);
  vi.advanceTimersByTime(1_000);
  kept.flush();
  expect(saved).toEqual([['tool']]);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  vi.advanceTimersByTime(60_000);
  expect(saved).toEqual([['tool']]);
});

test('long lists that are kept already are written ten seconds after they have changed', async () => {
  const { kept, saveTools, saved } = open(1);
  saveTools(1_000);
  kept.flush();
  vi.advanceTimersByTime(1_000);
  saveTools(1_001);
  vi.advanceTimersByTime(9_999);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(saved).toEqual([['tool']]);
  vi.advanceTimersByTime(1);
  await vi.waitFor(() => {
    expect(saved).toEqual([['tool'], ['slices', '1001']]);
  });
});
