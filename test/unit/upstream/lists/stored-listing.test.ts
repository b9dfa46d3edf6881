import { describe, expect, test } from 'vitest';
import { type Descriptor, EMPTY_LISTING, type Era } from '../../../../src/core/providers/provider.ts';
import type { StoredListing } from '../../../../src/core/stores/listing-cache.ts';
import { atOnce } from '../../../../src/core/timing/steps.ts';
import { isDescriptor, readEntry } from '../../../../src/upstream/lists/entries/entry-reader.ts';
import { fromStored, toStored } from '../../../../src/upstream/lists/stored-listing.ts';

/** Tools that are read as they are, mended, cleaned, flagged, and shown differently to the other era. */
const TOOLS = [
  { name: 'plain', description: 'Täglich 日本 🚆', inputSchema: { type: 'object' } },
  { name: 'no-schema' },
  { name: 'faulty', inputSchema: { type: 'object', required: 'a', properties: { a: { type: 'text' } } } },
  { name: 'hidden', description: 'in\u200Bvisible', inputSchema: { type: 'object' } },
  { name: 'flagged', inputSchema: { type: 'object', properties: { 'a\u200Bb': {} } } },
  { name: 'tasks', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
  { name: 'list', inputSchema: { type: 'object' }, outputSchema: { type: 'array' } },
];

function read(value: object, era: Era): Descriptor {
  const text = Buffer.from(JSON.stringify(value));
  const entry = readEntry('tool', text, { start: 0, end: text.length }, { era });
  if (!isDescriptor(entry)) throw new Error(entry.reason);
  return entry;
}

const listed = (era: Era) => ({ ...EMPTY_LISTING, tool: TOOLS.map((tool) => read(tool, era)) });
const pinHashOf = ({ ownName }: Descriptor) => `hash of ${ownName}`;

/** As a file keeps it. */
function kept(era: Era): StoredListing {
  return JSON.parse(JSON.stringify(atOnce(toStored(listed(era), ['tool'], { era, pinHashOf })))) as StoredListing;
}

function restore(stored: StoredListing, reading: Parameters<typeof fromStored>[1]) {
  const hashes = new Map<string, string>();
  const listing = fromStored(stored, reading, ({ ownName }, hash) => hashes.set(ownName, hash));
  return { listing, hashes };
}

describe.each(['legacy', 'modern'] as const)('entries of a %s server', (era) => {
  test('are the same in the next run, faults of what was mended included', () => {
    const { listing, hashes } = restore(kept(era), { era });
    expect(listing).toEqual(listed(era));
    expect(listing.tool[2]!.schemaFaults).not.toEqual([]);
    expect(hashes).toEqual(new Map(TOOLS.map(({ name }) => [name, `hash of ${name}`])));
  });

  test('are read again where only their texts were kept', () => {
    const { readings: _, ...texts } = kept(era);
    const { listing, hashes } = restore(texts, { era });
    const again = (tool: Descriptor) => ({ text: tool.text, fingerprint: tool.fingerprint });
    expect(listing.tool.map(again)).toEqual(listed(era).tool.map(again));
    expect(hashes.size).toBe(0);
  });
});

describe('entries are read again', () => {
  test('where the server is of another era now', () => {
    const { hashes } = restore(kept('modern'), { era: 'legacy' });
    expect(hashes.size).toBe(0);
  });

  test('where they are changed before they are offered', () => {
    const seen: string[] = [];
    const transform = (name: string) => {
      seen.push(name);
      return [];
    };
    restore(kept('legacy'), { era: 'legacy', transform });
    expect(seen).toEqual(TOOLS.map(({ name }) => name));
  });

  test.each([
    ['a text', (stored: StoredListing) => ({ ...stored, tool: stored.tool!.toReversed() })],
    ['the number of texts', (stored: StoredListing) => ({ ...stored, tool: stored.tool!.slice(1) })],
    ['a span', (stored: StoredListing) => withFirst(stored, { nameSpan: { start: 1, end: 7 } })],
    ['the form of a span', (stored: StoredListing) => withFirst(stored, { nameSpan: 7 })],
    ['the form of a fingerprint', (stored: StoredListing) => withFirst(stored, { fingerprint: null })],
  ])('where somebody has edited %s', (_, edit) => {
    const edited = edit(kept('legacy')) as StoredListing;
    const { listing } = restore(edited, { era: 'legacy' });
    const names = edited.tool!.map((text) => (JSON.parse(text) as { name: string }).name);
    expect(listing.tool.map(({ ownName }) => ownName)).toEqual(names);
    expect(listing.tool.every(({ fingerprint }) => /^[\da-f]{64}$/.test(fingerprint))).toBe(true);
  });
});

function withFirst(stored: StoredListing, change: object): unknown {
  const [first, ...rest] = stored.readings!.lists.tool!;
  return { ...stored, readings: { ...stored.readings, lists: { tool: [{ ...first, ...change }, ...rest] } } };
}
