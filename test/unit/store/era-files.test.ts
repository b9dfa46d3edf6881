import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { stillKnown } from '../../../src/core/stores/era-cache.ts';
import { EraFiles } from '../../../src/store/era-files.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { entryOf } from '../upstream/entries.ts';

function open() {
  const folder = temporaryFolder();
  const errors: unknown[] = [];
  return { folder, errors, files: new EraFiles(path.join(folder, 'eras'), (error) => errors.push(error)) };
}

test('a verdict is kept with its date, for its entry alone, until it is forgotten', () => {
  const { files, errors } = open();
  const entry = entryOf({ command: 'a' });
  expect(files.load(entry)).toBeUndefined();
  const before = Date.now();
  files.save(entry, 'modern');
  expect(files.load(entry)).toEqual({ era: 'modern', at: expect.any(Number) });
  expect(files.load(entry)!.at).toBeGreaterThanOrEqual(before);
  expect(files.load(entryOf({ command: 'b' }))).toBeUndefined();
  files.forget(entry);
  files.forget(entry);
  expect(files.load(entry)).toBeUndefined();
  expect(errors).toEqual([]);
});

test.each([
  '',
  '{',
  'null',
  '{"era":"stone","at":"2026-01-01T00:00:00Z"}',
  '{"era":"legacy","at":"soon"}',
  '{"era":"legacy"}',
])('a file with %j is no verdict', (text) => {
  const { folder, files } = open();
  files.save(entryOf(), 'legacy');
  const file = path.join(folder, 'eras', readdirSync(path.join(folder, 'eras'))[0]!);
  expect(JSON.parse(readFileSync(file, 'utf8')).era).toBe('legacy');
  writeFileSync(file, text);
  expect(files.load(entryOf())).toBeUndefined();
});

test('a folder that cannot be used is reported, and nothing more', () => {
  const { folder, files, errors } = open();
  writeFileSync(path.join(folder, 'eras'), '');
  files.save(entryOf(), 'legacy');
  expect(files.load(entryOf())).toBeUndefined();
  expect(errors.length).toBeGreaterThan(0);
});

const DAY = 86_400_000;

test.each([
  [0, 'legacy'],
  [DAY - 1, 'legacy'],
  [DAY, undefined],
  [-1, undefined],
] as const)('a verdict that is %i ms old says: %s', (age, era) => {
  expect(stillKnown({ era: 'legacy', at: 10 * DAY }, 10 * DAY + age)).toBe(era);
});
