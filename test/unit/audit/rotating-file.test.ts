import { execFile, spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { RotatingFile } from '../../../src/audit/rotating-file.ts';
import { ownStamp, stampText } from '../../../src/core/processes/process-stamp.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const MANY = 1_000;

function open({ maxBytes = 20, files = 3 } = {}) {
  const folder = path.join(temporaryFolder(), 'deep', 'audit');
  const rules = { file: path.join(folder, 'audit.jsonl'), maxBytes, files };
  const contents = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
  const file = new RotatingFile(rules);
  const append = (lines: string) => {
    file.append(lines);
    file.rotateWhenFull();
  };
  return { rules, file, append, contents };
}

test('lines stand in the file at once, in a folder and a file that only this user can read', () => {
  const { rules, file, append, contents } = open();
  append('one\n');
  expect(contents()).toEqual({ 'audit.jsonl': 'one\n' });
  expect((statSync(rules.file).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(path.dirname(rules.file)).mode & 0o777).toString(8)).toBe('700');
  file.close();
});

test('a full file is put aside, and the oldest goes', () => {
  const { file, append, contents } = open({ maxBytes: 4, files: 3 });
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'x\n']) append(line);
  expect(contents()).toEqual({ 'audit.jsonl': 'x\n', 'audit.1.jsonl': 'four\n', 'audit.2.jsonl': 'three\n' });
  file.close();
});

test('what another process has put aside, or removed, is not written any more from the next look on', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { rules, file, append, contents } = open({ maxBytes: MANY });
  append('one\n');
  renameSync(rules.file, `${rules.file}.aside`);
  vi.advanceTimersByTime(49);
  append('one more\n');
  vi.advanceTimersByTime(1);
  append('two\n');
  rmSync(rules.file);
  vi.advanceTimersByTime(50);
  append('three\n');
  expect(contents()).toEqual({ 'audit.jsonl': 'three\n', 'audit.jsonl.aside': 'one\none more\n' });
  file.close();
  vi.useRealTimers();
});

test('a full file is left to the process that is putting it aside; one that died while it did keeps nobody from it', () => {
  const { rules, file, append, contents } = open({ maxBytes: 4 });
  append('1\n');
  const lock = `${rules.file}.lock`;
  writeFileSync(lock, '');
  append('2\n');
  append('3\n');
  expect(contents()).toEqual({ 'audit.jsonl': '1\n2\n3\n', 'audit.jsonl.lock': '' });
  const { pid } = spawnSync('/bin/sh', ['-c', ':']);
  writeFileSync(lock, `${stampText({ ...ownStamp(), pid })} it`);
  append('4\n');
  append('5\n');
  append('6\n');
  expect(contents()).toEqual({ 'audit.jsonl': '6\n', 'audit.1.jsonl': '1\n2\n3\n4\n5\n' });
  file.close();
});

test('a line that was broken off, by a full disk or a power cut, takes no other with it', () => {
  const { rules, file, append, contents } = open({ maxBytes: MANY });
  append('one\n');
  file.close();
  appendFileSync(rules.file, 'tor');
  append('two\n');
  append('three\n');
  expect(contents()).toEqual({ 'audit.jsonl': 'one\ntor\ntwo\nthree\n' });
  file.close();
});

test('a file that cannot be opened is an error, and tried again at the next line', () => {
  const { rules, file, append, contents } = open();
  const parent = path.dirname(path.dirname(rules.file));
  writeFileSync(parent, '');
  expect(() => append('lost\n')).toThrow(/ENOTDIR|EEXIST/);
  rmSync(parent);
  append('there\n');
  expect(contents()).toEqual({ 'audit.jsonl': 'there\n' });
  file.close();
});

test('of 30,000 lines of three processes, none is lost or torn while the file is put aside again and again', async () => {
  const { rules, contents } = open({ maxBytes: 8_192, files: MANY });
  const count = 10_000;
  const names = ['a', 'b', 'c'];
  const program = path.resolve('dist-fixtures/line-writer.js');
  await Promise.all(
    names.map((name, index) => {
      const words = [rules.file, rules.maxBytes, rules.files, name, count, index * 3 + 1].map(String);
      return promisify(execFile)(process.execPath, [program, ...words]);
    }),
  );
  const files = contents();
  expect(Object.keys(files).length).toBeGreaterThan(20);
  expect(Object.keys(files)).not.toContain('audit.jsonl.lock');
  const lines = Object.values(files).flatMap((text) => text.split('\n').filter((line) => line !== ''));
  const expected = names.flatMap((name) => Array.from({ length: count }, (_, index) => `${name} ${index + 1} end`));
  expect(lines.length).toBe(expected.length);
  expect(new Set(lines)).toEqual(new Set(expected));
});
