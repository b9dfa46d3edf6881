import { chmodSync, cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { thisMachine } from '../../../src/store/this-machine.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const ID = /^[\da-f]{32}$/;

test('a machine has one id for a home, which is kept where only its user reads it', () => {
  const home = path.join(temporaryFolder(), 'home');
  const first = thisMachine(home);
  expect(first).toEqual({ id: expect.stringMatching(ID), host: hostname() });
  expect(thisMachine(home)).toEqual(first);
  expect(statSync(path.join(home, 'machine-id')).mode & 0o777).toBe(0o600);
  expect(readFileSync(path.join(home, 'machine-id'), 'utf8')).not.toContain(first.id);
});

test('another home is another machine', () => {
  expect(thisMachine(temporaryFolder()).id).not.toBe(thisMachine(temporaryFolder()).id);
});

test('an id that was kept is the same after the home was moved', () => {
  const [before, after] = [temporaryFolder(), temporaryFolder()];
  const { id } = thisMachine(before);
  cpSync(before, after, { recursive: true });
  expect(thisMachine(after).id).toBe(id);
});

test('a file that holds no id is an error that names it', () => {
  const home = temporaryFolder();
  const file = path.join(home, 'machine-id');
  writeFileSync(file, 'half');
  expect(() => thisMachine(home)).toThrow(`the id of this machine cannot be kept in ${file}: the file has no id in it`);
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a home that cannot be written is an error',
  () => {
    const home = temporaryFolder();
    chmodSync(home, 0o500);
    expect(() => thisMachine(home)).toThrow(/cannot be kept in .*EACCES/);
  },
);
