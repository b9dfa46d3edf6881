import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sweepRunFolder } from '../../../../src/gateway/shared/sweep-run-folder.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

test('old logs and failures go, records and locks stay', () => {
  const home = temporaryFolder();
  const run = path.join(home, 'run');
  mkdirSync(run);
  const base = `shared-${'0'.repeat(20)}`;
  const names = [
    `${base}.log`,
    `${base}.1.log`,
    `${base}.failed`,
    `${base}.json`,
    `${base}.owner`,
    '0123.json',
    'key-secret',
  ];
  for (const name of names) writeFileSync(path.join(run, name), '');
  const day = 24 * 3_600_000;
  sweepRunFolder(home, Date.now() + 6 * day);
  expect(readdirSync(run).sort()).toEqual(names.toSorted());
  sweepRunFolder(home, Date.now() + 8 * day);
  expect(readdirSync(run).sort()).toEqual([`${base}.json`, `${base}.owner`, '0123.json', 'key-secret'].sort());
});

test('a home without the folder is no error', () => {
  expect(() => sweepRunFolder(temporaryFolder())).not.toThrow();
});
