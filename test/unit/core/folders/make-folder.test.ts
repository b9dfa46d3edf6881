import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../../src/core/folders/make-folder.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

test('makes a folder and all that are missing above it, with the mode', () => {
  const top = temporaryFolder();
  const folder = path.join(top, 'a/b/c');
  makeFolder(folder, 0o700);
  for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(path.join(top, name)).mode & 0o777).toBe(0o700);
  makeFolder(folder, 0o755);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('follows a link to a folder', () => {
  const top = temporaryFolder();
  mkdirSync(path.join(top, 'real'));
  symlinkSync(path.join(top, 'real'), path.join(top, 'link'));
  makeFolder(path.join(top, 'link'));
  makeFolder(path.join(top, 'link/inner'));
  expect(existsSync(path.join(top, 'real/inner'))).toBe(true);
});

test('takes a relative path, and the top of the file system', () => {
  makeFolder('.');
  makeFolder('/');
});

test.runIf(process.platform === 'linux').each(['/proc/nope', '/proc/nope/deeper/still'])('ends at %s', (folder) => {
  const message = expect.stringMatching(/^The folder "\/proc\/nope.* cannot be made \(ENOENT: .*'\/proc\/nope'\)/);
  expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code: 'ENOENT', message }));
});

test('says what is in its way', () => {
  const top = temporaryFolder();
  writeFileSync(path.join(top, 'file'), '');
  symlinkSync(path.join(top, 'nowhere'), path.join(top, 'dangling'));
  expect(() => makeFolder(path.join(top, 'file'))).toThrow(/EEXIST.*file'/);
  expect(() => makeFolder(path.join(top, 'file/inner'))).toThrow(/ENOTDIR/);
  expect(() => makeFolder(path.join(top, 'dangling/inner'))).toThrow(/EEXIST.*dangling'/);
  expect(() => makeFolder('/a\0b')).toThrow(/null bytes/);
});
