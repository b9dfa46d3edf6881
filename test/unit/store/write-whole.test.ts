import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeWhole } from '../../../src/store/write-whole.ts';
import { temporaryFolder } from '../../support/gateway.ts';

test('a file is replaced as a whole, in a folder that is made, and only its user can read it', () => {
  const folder = path.join(temporaryFolder(), 'new', 'folder');
  const file = path.join(folder, 'a.json');
  writeWhole(file, 'one');
  writeWhole(file, 'two', { isDurable: true });
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a.json']);
  if (process.platform === 'win32') return;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('nothing is left of a file that cannot be written', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'taken', 'inner'), { recursive: true });
  expect(() => writeWhole(path.join(folder, 'taken'), 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});
