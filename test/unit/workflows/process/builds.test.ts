import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BuildReader } from '../../../../src/builds/build-reader.ts';
import { openBuildStore } from '../../../../src/store/builds/open-build-store.ts';
import { type Database, openDatabase } from '../../../../src/store/database/database.ts';
import { processSetup } from './process-setup.ts';

/** The workflow with a database, which is opened when it is asked for. */
function buildsOfProcesses() {
  const opened: Database[] = [];
  const setup = processSetup({}, undefined, (home) => ({
    openDatabase: () => {
      const database = openDatabase({ home });
      opened.push(database);
      return database;
    },
  }));
  onTestFinished(async () => {
    await setup.workflow.stop();
    for (const database of opened) await database.close();
  });
  const reader = () => new BuildReader({ home: setup.folder, store: openBuildStore(opened[0]!) });
  return { ...setup, opened, reader };
}

test('a process is recorded as a build only where it is said to be one', async () => {
  const { call, shell, ended, opened, reader, folder } = buildsOfProcesses();
  await ended(await shell('echo plain'));
  expect(opened).toEqual([]);
  expect(existsSync(path.join(folder, 'builds'))).toBe(false);
  const script = 'echo $NPM_TOKEN; exit 2';
  const args = { command: '/bin/sh', args: ['-c', script], env: ['NPM_TOKEN=rosebud-north'], build: {} };
  const { id, buildId } = await call('start', args);
  expect(await ended(id)).toMatchObject({ exitCode: 2 });
  await expect.poll(async () => (await reader().get(buildId))?.status).toBe('failed');
  const build = (await reader().get(buildId))!;
  expect(build).toMatchObject({ repo: path.basename(folder), branch: '', exitCode: 2 });
  expect(build.command).toContain('exit 2');
  expect(await reader().logs(build, 9)).toEqual(['[secret]']);
  expect(opened).toHaveLength(1);
});

test('a client that may not use the project of the folder cannot start a build there', async () => {
  const { call, folder } = buildsOfProcesses();
  const client = { scope: { allowsProject: () => false } as never };
  const refused = await call('start', { command: 'touch', args: ['ran'], build: {} }, client);
  expect(JSON.stringify(refused)).toContain('may not use the project of this folder');
  expect(existsSync(path.join(folder, 'ran'))).toBe(false);
});

test('a program that the system cannot run is a failed build', async () => {
  const { call, folder, reader } = buildsOfProcesses();
  writeFileSync(path.join(folder, 'bad'), '#!/nothing/there\n', { mode: 0o755 });
  await call('start', { command: './bad', build: { repo: 'r', branch: 'b' } });
  const [build] = await reader().list({ limit: 5 });
  expect(build).toMatchObject({ repo: 'r', branch: 'b', status: 'failed' });
  expect(await reader().logs(build!, 5)).toEqual([expect.stringContaining('could not be started')]);
});

test('names are bounded, and there are no others', async () => {
  const { call, opened } = buildsOfProcesses();
  for (const build of [{ repo: '' }, { branch: 'x'.repeat(201) }, { repo: 'a\0b' }, { name: 'x' }, 'x'])
    expect(JSON.stringify(await call('start', { command: 'true', build }))).toContain('build');
  expect(opened).toEqual([]);
});
