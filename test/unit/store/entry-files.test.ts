import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { UpstreamEntry } from '../../../src/core/settings/upstream-entry.ts';
import { entryFile } from '../../../src/store/entry-file.ts';
import { EntryFiles } from '../../../src/store/entry-files.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const local = (more: object = {}) =>
  ({ key: 'k', command: 'run', args: ['-a'], cwd: '/c', env: { A: '1', B: '2' }, ...more }) as unknown as UpstreamEntry;
const remote = (more: object = {}) =>
  ({ key: 'k', url: 'https://x', headers: { A: '1', B: '2' }, ...more }) as unknown as UpstreamEntry;
const ports = (more: object = {}) => ({ key: 'k', ports: '1-2', workspace: '/w', ...more }) as unknown as UpstreamEntry;

function open() {
  const folder = temporaryFolder();
  const errors: unknown[] = [];
  return { folder, errors, files: new EntryFiles(folder, (error) => errors.push(error)) };
}

test('a value is kept for an entry until it is removed', () => {
  const { files, errors, folder } = open();
  expect(files.read(local())).toBeUndefined();
  files.write(local(), { a: 1 });
  expect(files.read(local())).toEqual({ a: 1 });
  files.remove(local());
  files.remove(local());
  expect([files.read(local()), errors, readdirSync(folder)]).toEqual([undefined, [], []]);
});

test('what cannot be read, written or removed is reported, and nothing is thrown', () => {
  const { files, errors, folder } = open();
  writeFileSync(path.join(folder, entryFile(local())), 'no JSON');
  expect(files.read(local())).toBeUndefined();
  expect(errors).toHaveLength(1);
  mkdirSync(path.join(folder, entryFile(remote()), 'inner'), { recursive: true });
  files.write(remote(), 1);
  files.remove(remote());
  expect(errors).toHaveLength(3);
});

test('an entry that reaches another server has another file; the order of its settings does not matter', () => {
  const entries = [
    local(),
    local({ key: 'other' }),
    local({ command: 'other' }),
    local({ args: [] }),
    local({ cwd: '/d' }),
    local({ env: { A: '2', B: '2' } }),
    remote(),
    remote({ url: 'https://y' }),
    remote({ headers: { A: '1' } }),
    ports(),
    ports({ ports: '3' }),
    ports({ workspace: '/v' }),
  ];
  expect(new Set(entries.map(entryFile)).size).toBe(entries.length);
  expect(entryFile(local({ env: { B: '2', A: '1' } }))).toBe(entryFile(local()));
  expect(entryFile(remote({ headers: { B: '2', A: '1' } }))).toBe(entryFile(remote()));
});
