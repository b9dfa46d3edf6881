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

const names = (count: number) => Array.from({ length: count }, (_, index) => `{"name":"t${index}"}`);
const readingsOf = (count: number) => Array.from({ length: count }, () => READING);

test.each<[string, StoredListing]>([
  ['one entry', LISTING],
  ['nothing', {}],
  ['texts alone', { tool: names(250), prompt: [] }],
  ['several lists', { tool: [], prompt: names(100), resource: names(1) }],
  ['many', { tool: names(250), prompt: names(3), readings: { era: 'modern', lists: { tool: readingsOf(250) } } }],
  ['no lists in readings', { readings: { era: 'modern', lists: {} } }],
])('a listing that is saved in slices is the same: %s', async (_, listing) => {
  const { folder, files, errors } = open();
  files.saveAsking(ENTRY, 'named');
  await files.saveInSlices(ENTRY, listing, () => true);
  expect(open(folder).files.load(ENTRY)).toEqual(listing);
  expect(open(folder).files.loadAsking(ENTRY)).toBe('named');
  expect(readdirSync(folder)).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('what becomes known while lists are saved in slices is kept, and what is not wanted any more is not', async () => {
  const { folder, files } = open();
  const saving = files.saveInSlices(ENTRY, { tool: names(5_000) }, () => true);
  files.saveAsking(ENTRY, 'unnamed');
  await saving;
  expect(files.loadAsking(ENTRY)).toBe('unnamed');
  await files.saveInSlices(ENTRY, LISTING, () => false);
  expect(files.load(ENTRY)?.tool).toHaveLength(5_000);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a folder that cannot be written fails no saving in slices, and is reported', async () => {
  const { folder, files, errors } = open();
  writeFileSync(path.join(folder, 'file'), '');
  const broken = open(path.join(folder, 'file', 'in'));
  await broken.files.saveInSlices(ENTRY, LISTING, () => true);
  expect(broken.errors).toHaveLength(1);
  expect([files.load(ENTRY), errors]).toEqual([undefined, []]);
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
