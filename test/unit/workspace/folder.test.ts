import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type FolderRule, openFolders } from '../../../src/core/folders/folder-rule.ts';
import type { WorkspaceSettings } from '../../../src/core/settings/workspace-settings.ts';
import { UNPROTECTED } from '../../../src/workspace/protection/guard.ts';
import { sandboxOf } from '../../../src/workspace/sandbox.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const settings = (roots: WorkspaceSettings['roots']): WorkspaceSettings => ({
  roots,
  clientFolders: [],
  unprotected: [],
  undo: { changes: 1, megabytes: 1, fileMegabytes: 1 },
});
const NO_ROOTS = settings([]);

const caller = (folder?: string, folderRule?: FolderRule) => ({ client: { folderRule }, folder: async () => folder });

function newRoot(): string {
  const root = realpathSync(temporaryFolder());
  mkdirSync(path.join(root, 'src/deep'), { recursive: true });
  return root;
}

async function folderNow(cwd: string): Promise<string> {
  const child = spawn('pwd', ['-P'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return out.trim();
}

test('a program is started in the folder that was checked, though another one stands in its place by then', async () => {
  const root = newRoot();
  const outside = newRoot();
  const sandbox = await sandboxOf(caller(), settings([{ folder: root }]), UNPROTECTED);
  const folder = await sandbox.folder('src/deep');
  expect(folder.realPath).toBe(path.join(root, 'src/deep'));
  if (process.platform === 'linux') {
    renameSync(path.join(root, 'src'), path.join(root, 'moved'));
    symlinkSync(outside, path.join(root, 'src'));
    expect(await folderNow(folder.cwd)).toBe(path.join(root, 'moved/deep'));
  }
  await folder.close();
  await folder.close();
});

test('what is no folder inside is no folder to start in', async () => {
  const root = newRoot();
  symlinkSync('/etc', path.join(root, 'etc'));
  const sandbox = await sandboxOf(caller(), settings([{ folder: root }]), UNPROTECTED);
  for (const place of ['etc', '..', '/etc', 'src/../..']) {
    await expect(sandbox.folder(place)).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' });
  }
  await expect(sandbox.folder('nowhere')).rejects.toMatchObject({ code: 'FILE_FAILED' });
});

test('without a config the folder of the client is the workspace', async () => {
  const root = newRoot();
  expect((await sandboxOf(caller(root), NO_ROOTS, UNPROTECTED)).roots).toEqual([{ folder: root }]);
  expect((await sandboxOf(caller(), NO_ROOTS, UNPROTECTED)).roots).toEqual([{ folder: process.cwd() }]);
});

test.each(['/', path.dirname(homedir()), homedir()])('%s is no workspace unless it is configured', async (wide) => {
  await expect(sandboxOf(caller(wide), NO_ROOTS, UNPROTECTED)).rejects.toMatchObject({
    code: 'OUTSIDE_WORKSPACE',
    message: expect.stringContaining('set workspace.root in the config'),
  });
  const configured = settings([{ folder: wide }]);
  expect((await sandboxOf(caller(), configured, UNPROTECTED)).roots).toEqual(configured.roots);
});

test('a client that came over HTTP has the configured folders, or names one itself, and never that of the gateway', async () => {
  const root = newRoot();
  const rule = openFolders({ folders: () => [root], onRefused: () => undefined });
  expect((await sandboxOf(caller(root, rule), NO_ROOTS, UNPROTECTED)).roots).toEqual([{ folder: root }]);
  await expect(sandboxOf(caller(undefined, rule), NO_ROOTS, UNPROTECTED)).rejects.toMatchObject({
    code: 'OUTSIDE_WORKSPACE',
    message: expect.stringContaining('set workspace.root in the config'),
  });
  const configured = settings([{ folder: '/srv' }]);
  expect((await sandboxOf(caller(root, rule), configured, UNPROTECTED)).roots).toEqual(configured.roots);
});

test('of several roots, paths begin with the name of one', async () => {
  const [app, docs] = [newRoot(), newRoot()];
  const roots = [
    { name: 'app', folder: app },
    { name: 'docs', folder: docs },
  ];
  const sandbox = await sandboxOf(caller(), settings(roots), UNPROTECTED);
  for (const [place, real] of [
    ['docs/src', path.join(docs, 'src')],
    ['app/src/../../docs', docs],
    [path.join(app, 'src'), path.join(app, 'src')],
  ] as const) {
    const folder = await sandbox.folder(place);
    expect(folder.realPath).toBe(real);
    await folder.close();
  }
  await expect(sandbox.folder('src')).rejects.toThrow('paths begin with the name of a root: app, docs');
  await expect(sandbox.folder('app/../..')).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' });
});
