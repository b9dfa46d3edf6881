import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EMPTY_LISTING } from '../../../../src/core/providers/provider.ts';
import { KeptListing } from '../../../../src/upstream/lists/kept-listing.ts';
import { entryOf } from '../entries.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

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
      loadAsking: () => undefined,
      saveAsking: () => undefined,
    },
    eras: { load: () => undefined, save: () => undefined, forget: () => undefined },
    transform: undefined,
  });
  const save = (...kinds: ('tool' | 'prompt')[]) => kept.save(EMPTY_LISTING, kinds, () => undefined);
  return { kept, save, saved };
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
