import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { GROUNDS } from '../workspace-setup.ts';
import { protectedScene, type SceneOptions } from './protection-setup.ts';

function git(folder: string, ...words: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...identity, ...words], { cwd: folder, stdio: 'ignore' });
}

describe.each(GROUNDS)('with %s', (_name, ground) => {
  const scene = (options: Partial<SceneOptions> = {}) => protectedScene({ ground, ...options });

  function repository(options: Partial<SceneOptions> = {}) {
    const made = scene(options);
    git(made.root, 'init', '-q');
    made.put('ws/file', 'text');
    git(made.root, 'add', 'file');
    git(made.root, 'commit', '-qm', 'first');
    return made;
  }

  test('what git keeps is read, and not changed', async () => {
    const { refuses, read, write, remove, move, makeFolder } = repository();
    expect(await read('.git/config')).toContain('[core]');
    for (const place of [
      '.git/config',
      '.git/config.worktree',
      '.git/hooks/pre-commit',
      '.git/hooks/new',
      '.git/commondir',
      '.git/modules/a/config',
    ])
      await refuses(write(place, 'evil'), /it is in the folder of a version control/);
    await refuses(makeFolder('.git/worktrees/x'));
    await refuses(remove('.git/HEAD'));
    for (const place of ['.git', '.git/hooks', '.git/config']) await refuses(move(place, 'elsewhere'));
    for (const place of ['.git/x', '.git/hooks/x', '.git/config']) await refuses(move('file', place));
    await write('.gitignore', 'fine');
    await write('.gitmodules', 'fine');
    await write('.gitattributes', 'fine');
  });

  test('a folder of version control is not made, in no spelling', async () => {
    const { refuses, write, makeFolder, move, put } = scene();
    put('ws/tree/hooks/pre-commit', 'evil');
    for (const name of [
      '.git',
      '.GIT',
      '.g\u200cit',
      '.hg',
      '.svn',
      '.jj',
      '.sl',
      '.bzr',
      '_darcs',
      '.husky',
      '.githooks',
    ]) {
      await refuses(makeFolder(name));
      await refuses(makeFolder(`a/b/${name}/c`));
      await refuses(write(`a/${name}`, 'gitdir: ../tree'));
      await refuses(move('tree', name));
    }
    for (const name of ['.gitconfig', '.hgrc']) await refuses(write(name, 'evil'));
  });

  test('a folder without a name of its own does not become a repository', async () => {
    const { refuses, write, makeFolder, move, put } = scene();
    await write('a/config', '[core]\nfsmonitor = evil');
    await makeFolder('a/objects');
    await makeFolder('a/refs');
    await write('a/main', 'ref: refs/heads/main');
    await refuses(write('a/HEAD', 'ref: refs/heads/main'), /take its folder for a repository/);
    await refuses(move('a/main', 'a/HEAD'));
    put('ws/b/HEAD', 'ref: refs/heads/main');
    await refuses(write('b/commondir', '../c'));
    await refuses(makeFolder('b/objects'));
    await refuses(write('b/refs/x', ''));
    await refuses(move('a/objects', 'b/objects'));
    await write('b/config', 'fine');
    await write('c/objects', 'fine');
  });

  test('a repository without working tree is not changed', async () => {
    const { refuses, write, root, move } = scene();
    git(root, 'init', '-q', '--bare', 'lake');
    await refuses(write('lake/config', 'evil'));
    await refuses(write('lake/hooks/pre-receive', 'evil'));
    await refuses(move('lake/hooks', 'elsewhere'));
    await write('lake.txt', 'fine');
  });

  test('a working tree, and a submodule, lead to what git keeps elsewhere', async () => {
    const { refuses, write, root, put, at } = repository();
    git(root, 'worktree', 'add', '-q', '../ws/tree');
    git(root, 'init', '-q', '--separate-git-dir', at('ws/kept'), 'separate');
    put('other/file', '');
    git(at('other'), 'init', '-q');
    git(at('other'), 'add', '.');
    git(at('other'), 'commit', '-qm', 'first');
    git(root, 'submodule', '--quiet', 'add', at('other'), 'sub');
    git(root, 'config', 'core.hooksPath', 'hooks');
    await refuses(write('tree/hooks/pre-commit', 'evil'));
    await refuses(write('tree/.git', 'gitdir: /x'));
    await refuses(write('sub/.git', 'gitdir: /x'));
    await refuses(write('.git/modules/sub/config', 'evil'));
    await refuses(write('.git/worktrees/tree/config.worktree', 'evil'));
    await refuses(write('kept/config', 'evil'), /repository/);
    await refuses(write('kept/hooks/pre-commit', 'evil'));
    await write('tree/new', 'fine');
    await write('sub/new', 'fine');
  });

  test('folders that core.hooksPath names are not changed, nor scripts that hooks are links to', async () => {
    const { refuses, write, move, at, root } = repository({
      files: { 'ws/tools/hooks/pre-push': 'x', 'ws/scripts/check': 'x' },
    });
    git(root, 'config', 'core.hooksPath', 'tools/hooks');
    symlinkSync('../../scripts/check', at('ws/.git/hooks/commit-msg'));
    symlinkSync('../../scripts/commit', at('ws/tools/hooks/pre-commit'));
    await refuses(write('tools/hooks/pre-push', 'evil'), /it is in a hook/);
    await refuses(write('tools/hooks/new', 'evil'));
    await refuses(write('scripts/check', 'evil'), /it is a hook/);
    await refuses(write('scripts/commit', 'evil'));
    await refuses(move('tools', 'elsewhere'));
    await refuses(move('scripts', 'elsewhere'));
    await write('scripts/other', 'fine');
  });

  test('settings that git includes are not changed, wherever they are', async () => {
    const { refuses, write, put, at } = repository({
      rules: (base) => ({ gitConfigs: [path.join(base, 'user.gitconfig')] }),
    });
    const config = readFileSync(at('ws/.git/config'), 'utf8');
    put(
      'ws/.git/config',
      `${config}[include]\n\tpath = ../shared/git.conf\n[includeIf "onbranch:x"] path="../more.conf" ; y\n`,
    );
    put('ws/shared/git.conf', '[Core]\n HooksPath = their-hooks # all of them\n');
    put('user.gitconfig', '[core]\n\thooksPath = ~/ws/user-hooks\n[include]\npath = ws/user.conf');
    await refuses(write('shared/git.conf', 'evil'), /settings of git/);
    await refuses(write('more.conf', 'evil'));
    await refuses(write('their-hooks/pre-commit', 'evil'));
    await refuses(write('user-hooks/pre-commit', 'evil'));
    await refuses(write('user.conf', 'evil'));
    await write('shared/other.conf', 'fine');
  });

  test('the same holds in a folder of a repository that is the workspace', async () => {
    const { refuses, write, put, at } = scene({ root: 'repo/packages/app' });
    git(at('repo'), 'init', '-q');
    git(at('repo'), 'config', 'core.hooksPath', 'packages/app/hooks');
    put('repo/packages/app/script', 'x');
    symlinkSync('../../packages/app/script', at('repo/.git/hooks/pre-commit'));
    await refuses(write('hooks/pre-commit', 'evil'));
    await refuses(write('script', 'evil'));
    await write('other', 'fine');
  });

  test('a workspace in what git keeps is only read', async () => {
    const { refuses, read, write, put } = scene({ root: 'repo/.git/hooks' });
    put('repo/.git/hooks/pre-push', 'x');
    expect(await read('pre-push')).toBe('x');
    await refuses(write('pre-commit', 'evil'));
  });
});
