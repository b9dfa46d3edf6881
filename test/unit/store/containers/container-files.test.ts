import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ContainerRecord } from '../../../../src/core/stores/container-records.ts';
import { ContainerFiles } from '../../../../src/store/containers/container-files.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const record = (mark: string): ContainerRecord => ({
  target: { kind: 'run', mark, isRemoved: true },
  engine: { file: '/bin/docker', args: ['--context', 'x'], cwd: '/', env: { HOME: '/home/me' } },
  holder: { pid: 1 },
  startedAt: 5,
});

const [A, B] = ['a', 'b'].map((digit) => digit.repeat(32)) as [string, string];

function open(home = temporaryFolder()) {
  const errors: string[] = [];
  const files = new ContainerFiles({ home, onError: (error) => errors.push((error as Error).message) });
  return { home, files, errors, folder: path.join(home, 'run', 'containers') };
}

test('records come back to another gateway, until they are removed', () => {
  const { home, files, folder } = open();
  expect(files.all()).toEqual([]);
  files.add(record(A));
  files.add(record(B));
  files.remove(A);
  files.remove(A);
  expect(open(home).files.all()).toEqual([record(B)]);
  expect(statSync(path.join(folder, `${B}.json`)).mode & 0o777).toBe(0o600);
});

test("another machine's records in a home that both use are left to it", () => {
  const { home, files } = open();
  files.add(record(A));
  writeFileSync(path.join(home, 'machine-id'), '00000000-0000-4000-8000-000000000000\n');
  expect(open(home).files.all()).toEqual([]);
});

test('a record that cannot be read is told, and the others come all the same', () => {
  const { files, errors, folder } = open();
  files.add(record(A));
  writeFileSync(path.join(folder, `${B}.json`), '{"version":1,');
  writeFileSync(path.join(folder, 'notes.txt'), 'x');
  expect(files.all()).toEqual([record(A)]);
  expect(errors).toHaveLength(1);
});

test('a record that cannot be written is told', () => {
  const { home, errors } = open();
  writeFileSync(path.join(home, 'run'), '');
  open(home);
  const files = new ContainerFiles({ home, onError: (error) => errors.push((error as Error).message) });
  files.add(record(A));
  expect(errors).toHaveLength(1);
  expect(readdirSync(home)).toContain('run');
});

test.each<[string, (stored: any) => void]>([
  ['another mark', (stored) => (stored.target.mark = B)],
  ['no target', (stored) => delete stored.target],
  ['an unknown kind', (stored) => (stored.target.kind = 'other')],
  ['no container of its command', (stored) => (stored.target = { kind: 'exec', mark: A })],
  ['no engine', (stored) => delete stored.engine],
  ['no file of its engine', (stored) => delete stored.engine.file],
  ['no arguments of its engine', (stored) => (stored.engine.args = 'x')],
  ['no folder of its engine', (stored) => delete stored.engine.cwd],
  ['no environment of its engine', (stored) => delete stored.engine.env],
  ['no holder', (stored) => (stored.holder = {})],
  ['no start', (stored) => delete stored.startedAt],
])('a record with %s is damaged: that is reported, and it counts as none', (_what, damage) => {
  const { files, folder, errors } = open();
  files.add(record(A));
  files.add(record(B));
  const file = path.join(folder, `${A}.json`);
  const stored = JSON.parse(readFileSync(file, 'utf8'));
  damage(stored.record);
  writeFileSync(file, JSON.stringify(stored));
  expect(files.all()).toEqual([record(B)]);
  expect(errors).toEqual([`${file} is damaged; remove it`]);
});

test('a command in a container that runs already is kept with its container', () => {
  const { files, errors } = open();
  const exec: ContainerRecord = { ...record(A), target: { kind: 'exec', mark: A, container: 'box' } as never };
  files.add(exec);
  expect([files.all(), errors]).toEqual([[exec], []]);
});

test('records that cannot be written or listed are reported', () => {
  const home = temporaryFolder();
  writeFileSync(path.join(home, 'run'), '');
  const { files, errors } = open(home);
  files.add(record(A));
  expect(files.all()).toEqual([]);
  expect(errors).toHaveLength(2);
});
