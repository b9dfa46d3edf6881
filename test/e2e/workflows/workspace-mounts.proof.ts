import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { spawnClient } from '../../support/clients/raw-client.ts';
import { BIN, freshHome, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';

/** A process that may make a mount namespace can mount files that no other process sees. */
const MOUNTS = ['-U', '-r', '-m'];
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...MOUNTS, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** A gateway in a workspace in which `script` has mounted something. */
async function startWith(script: string) {
  const root = realpathSync(temporaryFolder());
  for (const name of ['mounted', 'other', 'plain']) mkdirSync(path.join(root, name));
  writeFileSync(path.join(root, 'plain/a.txt'), 'plain');
  const config = writeConfig({ enabledWorkflows: ['files'], workspace: { root } });
  const words = `set -e; cd '${root}'; ${script}; exec '${process.execPath}' '${BIN}' stdio --config '${config}'`;
  const { client, child } = spawnClient('unshare', [...MOUNTS, 'sh', '-c', words], freshHome());
  onTestFinished(() => endChild(child));
  await client.initialize();
  const call = async (name: string, args: object = {}): Promise<any> => {
    const result = await client.call(name, args);
    return result.isError === true ? { error: result.content[0].text } : result.structuredContent;
  };
  return { root, call };
}

describe.skipIf(!canMount)('what is mounted in the workspace', () => {
  test('belongs to it: it is listed, read, written, deleted and undone', async () => {
    const { call } = await startWith('mount -t tmpfs none mounted; echo one > mounted/one.txt; mkfifo mounted/pipe');
    expect((await call('dir_list', { path: '.' })).entries.map(({ name }: any) => name)).toContain('mounted');
    expect((await call('dir_list', { path: 'mounted' })).entries).toEqual([
      { name: 'one.txt', path: 'mounted/one.txt', isDir: false, size: 4 },
      { name: 'pipe', path: 'mounted/pipe', isDir: false, size: 0 },
    ]);
    expect((await call('file_read', { path: 'plain/../mounted/one.txt' })).content).toBe('one\n');
    expect((await call('file_read', { path: 'mounted/../plain/a.txt' })).content).toBe('plain');
    expect((await call('file_read', { path: 'mounted/pipe' })).error).toContain('it is a pipe, socket or device');
    expect((await call('file_edit', { path: 'mounted/one.txt', old_string: 'one', new_string: 'two' })).success).toBe(
      true,
    );
    expect((await call('file_write', { path: 'mounted/deep/er/new.txt', content: 'new' })).success).toBe(true);
    expect((await call('file_delete', { path: 'mounted/one.txt' })).success).toBe(true);
    expect((await call('workspace_undo', { scope: 'session' })).skipped).toEqual([]);
    expect((await call('file_read', { path: 'mounted/one.txt' })).content).toBe('one\n');
    expect((await call('file_exists', { path: 'mounted/deep' })).exists).toBe(false);
  });

  test('is another file system: what cannot be moved there stays, and it is said what to do', async () => {
    const { call } = await startWith('mount -t tmpfs none mounted; mount --bind plain other; echo x > mounted/x');
    for (const [oldPath, newPath] of [
      ['plain/a.txt', 'mounted/a.txt'],
      ['mounted/x', 'plain/x'],
      ['plain/a.txt', 'other/b.txt'],
    ] as const) {
      const { error } = await call('file_rename', { oldPath, newPath });
      expect(error).toContain('it is on another file system: write it there, then delete it here (EXDEV)');
      expect((await call('file_exists', { path: oldPath })).exists).toBe(true);
      expect((await call('file_exists', { path: newPath })).exists).toBe(false);
    }
    // It is that very place.
    expect((await call('file_rename', { oldPath: 'plain/a.txt', newPath: 'other/a.txt' })).success).toBe(true);
    expect((await call('file_delete', { path: 'mounted' })).error).toContain('(EBUSY)');
    expect((await call('file_rename', { oldPath: 'mounted', newPath: 'moved' })).error).toContain('(EBUSY)');
    expect((await call('workspace_undo')).restored).toEqual([]);
  });

  test('leads nowhere else, even where it is /proc', async () => {
    const { call } = await startWith('mount --rbind /proc mounted; mount --rbind /dev other');
    expect((await call('file_read', { path: 'mounted/version' })).content).toContain('Linux');
    for (const link of ['self/root', 'self/root/etc/passwd', 'self/cwd/../..', '1/root', 'self/exe', 'self/fd/0'])
      expect((await call('file_read', { path: `mounted/${link}` })).error).toMatch(/is refused|permission|no such/);
    expect((await call('file_read', { path: 'mounted/self/mem' })).error).toContain('mounted/self/mem');
    expect((await call('file_read', { path: 'mounted/kcore' })).error).toContain('kcore');
    for (const name of ['zero', 'null', 'tty', 'full'])
      expect((await call('file_read', { path: `other/${name}` })).error).toContain('it is a pipe, socket or device');
    expect((await call('file_write', { path: 'other/null', content: 'x' })).error).toContain('is left alone');
    expect((await call('file_write', { path: 'mounted/sysrq-trigger', content: 'x' })).error).toBeDefined();
    expect((await call('file_delete', { path: 'mounted/version' })).error).toBeDefined();
  });

  test('that is only for reading is not changed', async () => {
    const { call } = await startWith('mount --bind plain other; mount -o remount,bind,ro other');
    expect((await call('file_read', { path: 'other/a.txt' })).content).toBe('plain');
    for (const [name, args] of [
      ['file_write', { path: 'other/a.txt', content: 'x' }],
      ['file_write', { path: 'other/new/b.txt', content: 'x' }],
      ['file_delete', { path: 'other/a.txt' }],
      ['dir_create', { path: 'other/folder' }],
    ] as const)
      expect((await call(name, args)).error).toContain('the file system is read-only (EROFS)');
    expect((await call('workspace_undo')).restored).toEqual([]);
  });

  test('may come and go meanwhile: each file is whole, in one place or the other', async () => {
    const swap = 'mount -t tmpfs none mounted; echo up > mounted/a.txt; umount -l mounted';
    const { call } = await startWith(
      `echo down > mounted/a.txt; (set +e; while kill -0 $$; do ${swap}; sleep 0.01; done) 2>&- & true`,
    );
    for (let step = 0; step < 80; step++) {
      const { content, error } = await call('file_read', { path: 'mounted/a.txt' });
      expect(['down\n', 'up\n', '', undefined]).toContain(content);
      if (content === undefined) expect(error).toContain('mounted/a.txt');
      const written = await call('file_write', { path: 'mounted/b.txt', content: `step ${step}` });
      expect(written.success === true || written.error.includes('mounted/b.txt')).toBe(true);
    }
  });
});
