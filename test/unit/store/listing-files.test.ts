import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { StoredListing } from '../../../src/core/stores/listing-cache.ts';
import { ListingFiles } from '../../../src/store/listing-files.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { entryOf } from '../upstream/entries.ts';

const ENTRY = entryOf({ command: 'a' });
const READING = { ownName: 't', nameSpan: { start: 8, end: 11 }, fingerprint: 'f' };
const LISTING: StoredListing = {
  tool: ['{"name":"t"}'],
  readings: { era: 'legacy', lists: { tool: [READING] } },
};

function open(folder = temporaryFolder(), program = '1.0.0') {
  const errors: unknown[] = [];
  return { folder, errors, files: new ListingFiles(folder, { program, onError: (error) => errors.push(error) }) };
}

test('lists are kept for their entry, beside how it asks', () => {
  const { folder, files, errors } = open();
  files.saveAsking(ENTRY, 'named');
  files.save(ENTRY, LISTING);
  files.saveAsking(ENTRY, 'unnamed');
  expect(open(folder).files.load(ENTRY)).toEqual(LISTING);
  expect(open(folder).files.loadAsking(ENTRY)).toBe('unnamed');
  expect(files.load(entryOf({ command: 'b' }))).toBeUndefined();
  expect(errors).toEqual([]);
});

test('another version of the program gets the texts alone', () => {
  const { folder, files } = open();
  files.save(ENTRY, LISTING);
  expect(open(folder, '1.0.1').files.load(ENTRY)).toEqual({ tool: LISTING.tool });
});

test.each([
  ['readings that are none', { ...LISTING, readings: 7 }],
  ['readings without lists', { ...LISTING, readings: { era: 'legacy' } }],
  ['a reading that is no object', { ...LISTING, readings: { era: 'legacy', lists: { tool: [7] } } }],
  ['texts that are none', { tool: [7] }],
])('%s are not taken over', (_, listing) => {
  const { folder, files } = open();
  files.save(ENTRY, LISTING);
  const file = path.join(folder, readdirSync(folder)[0]!);
  const stored = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...stored, listing }));
  expect(open(folder).files.load(ENTRY)).toBeUndefined();
});
