import { expect, test } from 'vitest';
import type { Descriptor } from '../../../../src/core/providers/provider.ts';
import { NO_TRAITS } from '../../../../src/core/settings/upstream-entry.ts';
import type { StoredListing } from '../../../../src/core/stores/listing-cache.ts';
import type { PinBook } from '../../../../src/core/stores/pin-store.ts';
import type { Log } from '../../../../src/telemetry/log.ts';
import { isDescriptor, readEntry } from '../../../../src/upstream/lists/entries/entry-reader.ts';
import { KnownLists } from '../../../../src/upstream/lists/known-lists.ts';
import { NO_ENTRIES } from '../../../../src/upstream/lists/read-list.ts';
import { entryOf } from '../entries.ts';

function toolOf(name: string, more: object = {}): Descriptor {
  const text = Buffer.from(JSON.stringify({ name, inputSchema: { type: 'object' }, ...more }));
  const entry = readEntry('tool', text, { start: 0, end: text.length }, { era: 'legacy', transform: undefined });
  if (!isDescriptor(entry)) throw new Error(entry.reason);
  return entry;
}

const listOf = (...entries: Descriptor[]) => ({ ...NO_ENTRIES, entries });

function open({ stored, pins = 'off' }: { stored?: StoredListing; pins?: 'off' | 'warn' | 'enforce' } = {}) {
  const saved: StoredListing[] = [];
  const logged: string[] = [];
  let book: PinBook | 'none' = 'none';
  let changes = 0;
  let accepts = (_name: string) => true;
  const note = ({ event }: { event: string }) => void logged.push(event);
  const lists = new KnownLists({
    entry: entryOf({ pins }),
    traits: NO_TRAITS,
    pins: {
      load: () => book,
      save: (_key, made) => {
        book = made;
      },
    },
    log: { warn: note, info: note, debug: note } as unknown as Log,
    cache: {
      load: () => stored,
      save: (_entry, listing) => void saved.push(listing),
      saveInSlices: async (_entry, listing) => void saved.push(listing),
      loadAsking: () => undefined,
      saveAsking: () => undefined,
    },
    eras: { load: () => undefined, save: () => undefined, forget: () => undefined },
    accepts: (name) => accepts(name),
    transform: undefined,
    onChanged: () => changes++,
    onRestored: () => undefined,
  });
  return {
    lists,
    saved,
    logged,
    changes: () => changes,
    names: () => lists.listing.tool.map(({ ownName }) => ownName),
    setAccepts: (rule: (name: string) => boolean) => {
      accepts = rule;
      lists.onRulesChanged();
    },
  };
}

test('a list is offered and kept when it is read, and again only when it is another', () => {
  const { lists, saved, changes, names } = open();
  expect(lists.isKnown('tool')).toBe(false);
  lists.take('tool', listOf(toolOf('a')));
  lists.take('tool', listOf(toolOf('a')));
  expect([names(), saved.length, changes(), lists.isKnown('tool'), lists.isKnown()]).toEqual([
    ['a'],
    1,
    1,
    true,
    false,
  ]);
  lists.take('tool', listOf(toolOf('b')));
  expect([names(), saved.length, changes()]).toEqual([['b'], 2, 2]);
});

test('an empty list is news the first time', () => {
  const { lists, saved, changes } = open();
  lists.take('prompt', NO_ENTRIES);
  lists.take('prompt', NO_ENTRIES);
  expect([saved.length, changes(), lists.isKnown('prompt')]).toEqual([1, 1, true]);
});

test('a part of a list is offered, not kept, and does not replace a whole one', () => {
  const { lists, saved, changes, names } = open();
  lists.takePart('tool', listOf(toolOf('a')));
  expect([names(), saved.length, changes(), lists.isKnown('tool')]).toEqual([['a'], 0, 1, false]);
  lists.take('tool', listOf(toolOf('a'), toolOf('b')));
  lists.takePart('tool', listOf(toolOf('c')));
  expect(names()).toEqual(['a', 'b']);
});

test('other rules of the config hold at once, in both directions', () => {
  const { lists, names, changes, setAccepts } = open();
  lists.take('tool', listOf(toolOf('a'), toolOf('b')));
  setAccepts((name) => name === 'a');
  expect([names(), changes()]).toEqual([['a'], 2]);
  expect(lists.withheld).toMatchObject([{ name: 'b', reason: 'filtered' }]);
  setAccepts(() => true);
  expect([names(), lists.withheld]).toEqual([['a', 'b'], []]);
});

test('an output schema is withdrawn once, until the tool changes', () => {
  const { lists, changes } = open();
  const schema = { outputSchema: { type: 'object' } };
  lists.take('tool', listOf(toolOf('a', schema)));
  expect([lists.withdrawOutputSchema('a'), lists.withdrawOutputSchema('a'), lists.withdrawOutputSchema('x')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(changes()).toBe(2);
  expect(lists.listing.tool[0]!.text).not.toContain('outputSchema');
  expect(lists.toolText('a')).toContain('outputSchema');
  lists.take('tool', listOf(toolOf('a', { ...schema, description: 'new' })));
  expect(lists.listing.tool[0]!.text).toContain('outputSchema');
});

test('lists of an earlier run are offered at once, and kept again only where they have to be', () => {
  const before = open();
  before.lists.take('tool', listOf(toolOf('a')));
  const { lists, names, saved } = open({ stored: before.saved[0]! });
  expect([names(), lists.isKnown('tool'), lists.isKnown('prompt')]).toEqual([['a'], true, false]);
  lists.take('tool', listOf(toolOf('a')));
  expect(saved).toEqual([]);
  const { readings: _readings, ...texts } = before.saved[0]!;
  const unread = open({ stored: texts });
  unread.lists.take('tool', listOf(toolOf('a')));
  unread.lists.take('tool', listOf(toolOf('a')));
  expect(unread.saved).toHaveLength(1);
});

test('what cannot be offered is named, and logged once', () => {
  const { lists, logged } = open();
  const skipped = [{ kind: 'tool', name: 'x', reason: 'it has no schema' }] as const;
  lists.take('tool', { ...NO_ENTRIES, skipped, remark: 'too long' });
  lists.take('tool', { ...NO_ENTRIES, skipped, remark: 'too long' });
  expect(lists.withheld).toEqual([{ kind: 'tool', name: 'x', reason: 'unusable', detail: 'it has no schema' }]);
  expect(lists.findings.remarks).toEqual(['too long']);
  expect(logged).toEqual(['entry-skipped']);
  lists.take('tool', NO_ENTRIES);
  expect([lists.withheld, lists.findings.remarks]).toEqual([[], []]);
});

test('pins hold back what is new, for as long as nobody approves it', () => {
  const { lists, names } = open({ pins: 'enforce' });
  lists.take('tool', listOf(toolOf('a')));
  lists.take('tool', listOf(toolOf('a'), toolOf('b')));
  expect([names(), lists.trust.pins]).toEqual([['a'], { changed: 0, new: 1, withheld: 1 }]);
  expect(lists.withheld).toMatchObject([{ name: 'b', reason: 'pinned' }]);
  expect([lists.acceptsUnlisted('a'), lists.acceptsUnlisted('b')]).toEqual([true, false]);
});
