import { appendFileSync, chownSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readGitState } from '../../../../src/projects/git/git-state.ts';
import { GIT_ENV, git, newRepository, realFolder, write } from '../../../support/git-repository.ts';

const read = (folder: string, options: object = {}) =>
  readGitState(folder, { env: GIT_ENV, timeoutMs: 20_000, ...options });

test('a working tree is told with remote, branch, commit and what is not committed', async () => {
  const folder = newRepository({ remote: 'https://me:secret@example.org/a/b.git' });
  write(folder, 'a.txt', 'changed\n');
  write(folder, 'new file.txt');
  write(folder, 'folder/one.txt');
  write(folder, 'folder/two.txt');
  write(folder, '.gitignore', 'ignored\n');
  write(folder, 'ignored');
  git(folder, 'add', '.gitignore');
  expect(await read(path.join(folder, 'src'))).toEqual({
    remote: 'https://example.org/a/b.git',
    branch: 'main',
    head: git(folder, 'rev-parse', 'HEAD'),
    dirty_files: ['.gitignore', 'a.txt', 'folder/', 'new file.txt'].sort(expectedOrder),
    staged_diff: null,
    unstaged_diff: null,
    truncated: null,
  });
});

/** Changed files come before those that git does not know. */
function expectedOrder(one: string, other: string): number {
  const rank = (file: string) => (['.gitignore', 'a.txt'].includes(file) ? 0 : 1);
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}

test('diffs are there when they are asked for', async () => {
  const folder = newRepository();
  write(folder, 'a.txt', 'staged\n');
  git(folder, 'add', '.');
  write(folder, 'src/b.txt', 'not staged\n');
  const state = await read(folder, { diffs: true });
  expect(state?.staged_diff).toContain('--- a/a.txt\n+++ b/a.txt\n');
  expect(state?.staged_diff).toContain('+staged\n');
  expect(state?.unstaged_diff).toContain('+not staged\n');
  expect(state?.unstaged_diff).not.toContain('+staged\n');
});

test('an empty diff is an empty text, and no remote is null', async () => {
  const state = await read(newRepository(), { diffs: true });
  expect(state).toMatchObject({ remote: null, dirty_files: [], staged_diff: '', unstaged_diff: '', truncated: null });
});

test('a detached HEAD has a commit and no branch, one without commits the reverse', async () => {
  const detached = newRepository();
  git(detached, 'checkout', '--quiet', '--detach');
  expect(await read(detached)).toMatchObject({ branch: null, head: git(detached, 'rev-parse', 'HEAD') });
  const unborn = path.join(realFolder());
  git(unborn, 'init', '--quiet');
  write(unborn, 'a');
  git(unborn, 'add', '.');
  expect(await read(unborn, { diffs: true })).toMatchObject({
    branch: 'main',
    head: null,
    dirty_files: ['a'],
    staged_diff: expect.stringContaining('+a\n'),
  });
});

test('a bare repository has no tree to tell of', async () => {
  const bare = path.join(realFolder(), 'x.git');
  git(newRepository(), 'clone', '--quiet', '--bare', '.', bare);
  const state = await read(bare, { diffs: true });
  expect(state).toMatchObject({ branch: 'main', dirty_files: null, unstaged_diff: null });
  expect(state?.head).toMatch(/^[0-9a-f]{40}$/);
});

test('outside of repositories, and where there is nothing, there is no state', async () => {
  expect(await read(realFolder())).toBeUndefined();
  expect(await read('/no/such/folder')).toBeUndefined();
  expect(await read('\0')).toBeUndefined();
});

test('long lists and diffs are cut, and it says which', async () => {
  const folder = newRepository();
  for (let index = 0; index < 30; index++) write(folder, `new-${index}`);
  write(folder, 'a.txt', Array.from({ length: 2_000 }, (_, index) => `Zeile ${index} äöü`).join('\n'));
  git(folder, 'add', 'a.txt');
  const state = await read(folder, { diffs: true, maxFiles: 10, maxDiffBytes: 1_000 });
  expect(state?.dirty_files).toHaveLength(10);
  expect(Buffer.byteLength(state!.staged_diff!)).toBeLessThanOrEqual(1_000);
  expect(state?.staged_diff).toMatch(/\n\+Zeile \d+ äöü\n$/);
  expect(state?.unstaged_diff).toBe('');
  expect(state?.truncated).toEqual(['dirty_files', 'staged_diff']);
});

test('renamed files, odd names and binary files are told of', async () => {
  const folder = newRepository();
  git(folder, 'mv', 'a.txt', 'moved.txt');
  write(folder, 'naïve "file"\n.txt');
  write(folder, 'src/b.txt', Buffer.from([0, 1, 2, 255]));
  const state = await read(folder, { diffs: true });
  expect(new Set(state?.dirty_files)).toEqual(new Set(['a.txt', 'moved.txt', 'src/b.txt', 'naïve "file"\n.txt']));
  expect(state?.unstaged_diff).toContain('Binary files');
});

test('without git, and in no time, what stands in files is told and the rest is null', async () => {
  const folder = newRepository({ remote: 'git@example.org:a/b.git' });
  const known = { remote: 'git@example.org:a/b.git', branch: 'main', head: null, dirty_files: null };
  expect(await read(folder, { env: { PATH: realFolder() }, diffs: true })).toMatchObject(known);
  expect(await read(folder, { timeoutMs: 0, diffs: true })).toMatchObject(known);
});

test('reading writes nothing and runs nothing that the repository names', async () => {
  const folder = newRepository();
  const evidence = path.join(realFolder(), 'evidence');
  const program = write(realFolder(), 'program', `#!/bin/sh\necho "$0 $*" >>'${evidence}'\ncat\n`);
  git(folder, 'config', 'core.fsmonitor', `sh ${program}`);
  git(folder, 'config', 'filter.x.clean', `sh ${program}`);
  git(folder, 'config', 'filter.x.process', `sh ${program}`);
  git(folder, 'config', 'filter.x.required', 'true');
  git(folder, 'config', 'diff.x.textconv', `sh ${program}`);
  git(folder, 'config', 'diff.y.command', `sh ${program}`);
  git(folder, 'config', 'diff.external', `sh ${program}`);
  git(folder, 'config', 'core.pager', `sh ${program}`);
  git(folder, 'config', 'core.hooksPath', path.dirname(program));
  write(folder, '.git/info/attributes', '*.txt filter=x diff=x\n*.md diff=y\n');
  write(folder, 'a.txt', 'b.txt\n');
  const index = path.join(folder, '.git', 'index');
  const before = [readFileSync(index), statSync(index).mtimeMs];
  const state = await read(folder, { diffs: true });
  expect(state?.dirty_files).toEqual(['a.txt']);
  expect(state?.unstaged_diff).toContain('+b.txt\n');
  expect(existsSync(evidence)).toBe(false);
  expect([readFileSync(index), statSync(index).mtimeMs]).toEqual(before);
});

test('a filter that cannot be switched off is not run: the tree is not read', async () => {
  const folder = newRepository();
  const evidence = path.join(realFolder(), 'evidence');
  appendFileSync(path.join(folder, '.git', 'config'), `[filter "x=y"]\n\tclean = "touch ${evidence}; cat"\n`);
  write(folder, '.git/info/attributes', '*.txt filter=x=y\n');
  write(folder, 'a.txt', 'b.txt\n');
  expect(await read(folder, { diffs: true })).toMatchObject({ branch: 'main', dirty_files: null, unstaged_diff: null });
  expect(existsSync(evidence)).toBe(false);
});

test('variables of another run of git lead nowhere', async () => {
  const [folder, other] = [newRepository(), newRepository()];
  write(other, 'in-other');
  const env = { ...GIT_ENV, GIT_DIR: path.join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: '/none' };
  expect(await read(folder, { env })).toMatchObject({ head: git(folder, 'rev-parse', 'HEAD'), dirty_files: [] });
});

test.runIf(process.getuid?.() === 0)('a repository of another user is told of as far as git allows', async () => {
  const folder = newRepository({ remote: 'git@example.org:a/b.git' });
  chownSync(folder, 1234, 1234);
  chownSync(path.join(folder, '.git'), 1234, 1234);
  const known = { remote: 'git@example.org:a/b.git', branch: 'main', dirty_files: null };
  expect(await read(folder, { diffs: true })).toMatchObject(known);
});

test('submodules and repositories within are told of by their folder alone', async () => {
  const folder = newRepository();
  git(folder, 'submodule', '--quiet', 'add', newRepository(), 'sub');
  git(folder, 'commit', '--quiet', '-m', 'sub');
  newRepository({ folder: path.join(folder, 'inner') });
  write(folder, 'sub/a.txt', 'changed\n');
  expect((await read(folder))?.dirty_files).toEqual(['inner/']);
  expect((await read(path.join(folder, 'sub')))?.dirty_files).toEqual(['a.txt']);
  git(path.join(folder, 'sub'), 'commit', '--quiet', '-a', '-m', 'second');
  expect((await read(folder))?.dirty_files).toEqual(['sub', 'inner/']);
  rmSync(path.join(folder, 'inner', '.git'), { recursive: true });
});
