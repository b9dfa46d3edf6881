import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { idOfPath, idsOfRemote } from '../../../../src/projects/identity/project-id.ts';
import { resolveProject } from '../../../../src/projects/identity/resolve-project.ts';
import { rememberedIdentities } from '../../../support/auth/identities.ts';
import { GIT_ENV, git, newRepository, realFolder, write } from '../../../support/git-repository.ts';

const idOfRemote = (remote: string, branch: string | undefined) => idsOfRemote(remote, branch).own;
const REMOTE = 'git@github.com:acme/billing.git';
const MAKE_PIPE = 'mkfifo';
const ON_MAIN = idOfRemote('github.com/acme/billing', 'main');

type Question = Partial<Parameters<typeof resolveProject>[0]>;

function resolve(cwd: string | undefined, more: Question = {}) {
  return resolveProject({ cwd, store: rememberedIdentities(), env: GIT_ENV, home: '/home/nobody', ...more });
}

const idOf = async (cwd: string, more: Question = {}) => (await resolve(cwd, more)).projectId;

describe('what is said', () => {
  test('the argument counts before everything, and the folder is found all the same', async () => {
    const folder = newRepository({ remote: REMOTE });
    write(folder, '.viaduct.yaml', 'project_id: in-file');
    const found = await resolve(path.join(folder, 'src'), { projectId: 'mine' });
    expect(found).toEqual({ projectId: 'mine', resolvedFrom: 'argument', root: folder });
  });

  test('with an argument, a folder that cannot be found is no error', async () => {
    expect(await resolve('relative', { projectId: 'mine' })).toMatchObject({ projectId: 'mine', root: undefined });
    expect(await resolve(undefined, { projectId: 'mine' })).toMatchObject({ projectId: 'mine', root: undefined });
  });

  test.each(['../x', 'a b', 'x'.repeat(129)])('%j is refused', async (projectId) => {
    await expect(resolve(undefined, { projectId })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('invalid project_id'),
    });
  });

  test.each([undefined, ''])('without an argument and a folder (%j), the argument is missing', async (nothing) => {
    await expect(resolve(nothing, { projectId: nothing })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^missing or empty required string arg: project_id/),
    });
  });

  test.each(['relative/x', './x', '~/x', 'file://elsewhere/x', '/a\0b', `/${'x'.repeat(5_000)}`, 'https://x.org/'])(
    'a folder called %j is refused',
    async (cwd) => {
      await expect(resolve(cwd)).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining('invalid cwd'),
      });
    },
  );
});

describe('files', () => {
  test.each([
    ['.viaduct.yaml', 'project_id: acme\n', 'acme'],
    ['.viaduct.yaml', '\uFEFF# ours\nother: [1, 2]\nproject_id: "acme"\n', 'acme'],
    ['.viaduct.yaml', 'project_id: 1.10\n', '1.10'],
    ['.ide-bridge.yaml', 'project_id: acme # comment\nidentity:\n  prefer: git\n', 'acme'],
    ['.ide-bridge/project-id', 'acme\n', 'acme'],
  ])('%s with %j says %s', async (name, text, projectId) => {
    const folder = newRepository({ remote: REMOTE });
    const file = write(folder, name, text);
    const found = await resolve(path.join(folder, 'src'));
    expect(found).toEqual({ projectId, resolvedFrom: 'file', file, root: folder });
  });

  test('the nearest folder counts, and in it our own file', async () => {
    const folder = newRepository({ remote: REMOTE });
    write(folder, '.viaduct.yaml', 'project_id: top');
    write(folder, 'src/.ide-bridge/project-id', 'third');
    expect(await idOf(path.join(folder, 'src'))).toBe('third');
    write(folder, 'src/.ide-bridge.yaml', 'project_id: second');
    expect(await idOf(path.join(folder, 'src'))).toBe('second');
    write(folder, 'src/.viaduct.yaml', 'project_id: first');
    expect(await idOf(path.join(folder, 'src'))).toBe('first');
  });

  test('a file above the repository does not count', async () => {
    const outside = realFolder();
    write(outside, '.viaduct.yaml', 'project_id: outside');
    expect(await idOf(newRepository({ remote: REMOTE, folder: path.join(outside, 'inner') }))).toBe(ON_MAIN);
  });

  test.each(['', '# nothing', 'other: x', 'project_id:', 'project_id: ""', '- a list'])(
    'a file with %j says nothing',
    async (text) => {
      const folder = newRepository({ remote: REMOTE });
      write(folder, '.viaduct.yaml', text);
      expect(await idOf(folder)).toBe(ON_MAIN);
    },
  );

  test.each([
    ['project_id: a b', 'must match'],
    ['project_id: [a]', 'must be a string'],
    ['project_id: "a', 'not valid YAML'],
    ['project_id: *x', 'not valid YAML'],
  ])('a file with %j is an error that names it', async (text, reason) => {
    const folder = newRepository({ remote: REMOTE });
    const file = write(folder, '.viaduct.yaml', text);
    const refused = expect(resolve(folder)).rejects;
    await refused.toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining(file) });
    await expect(resolve(folder)).rejects.toMatchObject({ message: expect.stringContaining(reason) });
  });

  test('folders and pipes with such names are no files', async () => {
    const folder = newRepository({ remote: REMOTE });
    mkdirSync(path.join(folder, '.viaduct.yaml'));
    if (process.platform !== 'win32') execFileSync(MAKE_PIPE, [path.join(folder, '.ide-bridge.yaml')]);
    write(folder, '.ide-bridge');
    expect(await idOf(folder)).toBe(ON_MAIN);
  });

  test('outside of repositories, files count up to the home folder, elsewhere in the folder itself', async () => {
    const home = realFolder();
    const inner = path.join(home, 'notes', 'today');
    mkdirSync(inner, { recursive: true });
    write(home, '.viaduct.yaml', 'project_id: home');
    expect(await idOf(inner, { home })).toBe(idOfPath(inner));
    write(home, 'notes/.viaduct.yaml', 'project_id: notes');
    expect(await idOf(inner, { home })).toBe('notes');
    expect(await idOf(inner)).toBe(idOfPath(inner));
    expect(await idOf(home, { home })).toBe('home');
  });

  test('a file that nobody has committed counts in the other worktrees too', async () => {
    const folder = newRepository({ remote: REMOTE });
    write(folder, '.viaduct.yaml', 'project_id: main-tree');
    const tree = path.join(realFolder(), 'tree');
    git(folder, 'worktree', 'add', '--quiet', tree);
    expect(await resolve(path.join(tree, 'src'))).toMatchObject({ projectId: 'main-tree', root: tree });
    write(tree, '.viaduct.yaml', 'project_id: own');
    expect(await idOf(tree)).toBe('own');
  });
});

describe('git', () => {
  test.each([
    REMOTE,
    'ssh://git@github.com:22/Acme/billing',
    'https://GitHub.com/acme/billing.git',
    'https://user:token@github.com/acme/billing/',
  ])('a clone of %s is the same project', async (remote) => {
    expect(await resolve(newRepository({ remote }))).toMatchObject({ projectId: ON_MAIN, resolvedFrom: 'git' });
  });

  test('all folders of a repository, and links to them, are one project', async () => {
    const folder = newRepository({ remote: REMOTE });
    const link = path.join(realFolder(), 'link');
    symlinkSync(path.join(folder, 'src'), link);
    const places = [folder, `${folder}/`, path.join(folder, 'src'), link, pathToFileURL(folder).href];
    places.push(path.join(folder, 'a.txt'), path.join(folder, 'src', '..'), path.join(folder, '.git', 'hooks'));
    for (const place of places) expect(await resolve(place)).toMatchObject({ projectId: ON_MAIN, root: folder });
  });

  test('a folder that was removed belongs to the repository it was in', async () => {
    const folder = newRepository({ remote: REMOTE });
    expect(await resolve(path.join(folder, 'gone', 'deeper'))).toMatchObject({ projectId: ON_MAIN, root: folder });
  });

  test('a branch has one id, in whichever worktree it is', async () => {
    const folder = newRepository({ remote: REMOTE });
    const tree = path.join(realFolder(), 'tree');
    git(folder, 'worktree', 'add', '--quiet', '-b', 'feature', tree);
    const store = rememberedIdentities();
    const found = await resolve(path.join(tree, 'src'), { store });
    expect(found).toMatchObject({ projectId: idOfRemote('github.com/acme/billing', 'feature'), root: tree });
    git(folder, 'worktree', 'remove', '--force', tree);
    git(folder, 'checkout', '--quiet', 'feature');
    expect(await resolve(folder, { store })).toMatchObject({ projectId: found.projectId, resolvedFrom: 'cache' });
    expect(await idOf(folder)).toBe(found.projectId);
  });

  test('worktrees of a bare repository are as those of any other', async () => {
    const bare = path.join(realFolder(), '.bare');
    git(newRepository(), 'clone', '--quiet', '--bare', '.', bare);
    git(bare, 'remote', 'set-url', 'origin', REMOTE);
    write(path.dirname(bare), '.git', 'gitdir: ./.bare\n');
    git(bare, 'worktree', 'add', '--quiet', '../main', 'main');
    for (const place of [bare, path.dirname(bare), path.join(path.dirname(bare), 'main')]) {
      expect(await idOf(place)).toBe(ON_MAIN);
    }
  });

  test('a detached HEAD is on the branch it was detached from', async () => {
    const folder = newRepository({ remote: REMOTE });
    write(folder, 'c.txt');
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '-m', 'second');
    git(folder, 'tag', 'v1');
    git(folder, 'checkout', '--quiet', '--detach');
    expect(await idOf(folder)).toBe(ON_MAIN);
    git(folder, 'checkout', '--quiet', 'HEAD~1');
    git(folder, 'checkout', '--quiet', 'v1');
    expect(await idOf(folder)).toBe(ON_MAIN);
  });

  test('where HEAD never was on a branch, the remote alone is the project', async () => {
    const folder = newRepository({ remote: REMOTE });
    const tree = path.join(realFolder(), 'tree');
    git(folder, 'worktree', 'add', '--quiet', '--detach', tree);
    const store = rememberedIdentities();
    expect(await idOf(tree, { store })).toBe(idOfRemote('github.com/acme/billing', undefined));
    expect(await idOf(folder, { store })).toBe(ON_MAIN);
  });

  test('a rebase and a bisection do not change the project', async () => {
    const folder = newRepository({ remote: REMOTE });
    git(folder, 'checkout', '--quiet', '-b', 'feature');
    write(folder, 'a.txt', 'theirs\n');
    git(folder, 'commit', '--quiet', '-a', '-m', 'theirs');
    const onFeature = await idOf(folder);
    git(folder, 'checkout', '--quiet', 'main');
    write(folder, 'a.txt', 'ours\n');
    git(folder, 'commit', '--quiet', '-a', '-m', 'ours');
    expect(() => git(folder, 'rebase', '--quiet', 'main', 'feature')).toThrow();
    expect(git(folder, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD');
    expect(await idOf(folder)).toBe(onFeature);
    git(folder, 'rebase', '--abort');
    git(folder, 'checkout', '--quiet', 'main');
    git(folder, 'bisect', 'start', 'HEAD', 'HEAD~1');
    git(folder, 'checkout', '--quiet', 'HEAD~1');
    expect(await idOf(folder)).toBe(ON_MAIN);
  });

  test('a submodule is a project of its own, the same as a clone of it', async () => {
    const folder = newRepository({ remote: REMOTE });
    const library = newRepository();
    git(folder, 'submodule', '--quiet', 'add', library, 'lib');
    git(folder, 'commit', '--quiet', '-m', 'lib');
    const clone = path.join(realFolder(), 'clone');
    git(folder, 'clone', '--quiet', library, clone);
    const other = path.join(realFolder(), 'other');
    git(folder, 'clone', '--quiet', '--recurse-submodules', folder, other);
    const expected = await idOf(clone);
    expect(expected).not.toBe(ON_MAIN);
    expect(git(path.join(other, 'lib'), 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD');
    for (const place of [path.join(folder, 'lib'), path.join(folder, 'lib', 'src'), path.join(other, 'lib')]) {
      expect(await idOf(place)).toBe(expected);
    }
    expect(await idOf(folder)).toBe(ON_MAIN);
  });

  test('the remote is origin, else the one of the branch, else the first', async () => {
    const folder = newRepository();
    git(folder, 'remote', 'add', 'beta', 'https://example.org/beta');
    git(folder, 'remote', 'add', 'alpha', 'https://example.org/alpha');
    expect(await idOf(folder)).toBe(idOfRemote('example.org/alpha', 'main'));
    git(folder, 'config', 'branch.main.remote', 'beta');
    expect(await idOf(folder)).toBe(idOfRemote('example.org/beta', 'main'));
    git(folder, 'remote', 'add', 'origin', REMOTE);
    expect(await idOf(folder)).toBe(ON_MAIN);
  });

  test('addresses that are abbreviated by config are known by their full form', async () => {
    const folder = newRepository({ remote: 'hub:acme/billing' });
    git(folder, 'config', 'url.https://elsewhere.org/.insteadOf', 'hu');
    git(folder, 'config', 'url.https://github.com/.insteadOf', 'hub:');
    expect(await idOf(folder)).toBe(ON_MAIN);
  });

  test('a repository without a commit has a branch already', async () => {
    const folder = realFolder();
    git(folder, 'init', '--quiet');
    git(folder, 'remote', 'add', 'origin', REMOTE);
    expect(await idOf(folder)).toBe(ON_MAIN);
  });

  test('without git, the same answer comes from the files', async () => {
    const folder = newRepository({ remote: REMOTE });
    const store = rememberedIdentities();
    const env = { PATH: realFolder() };
    expect(await resolve(folder, { env, store })).toMatchObject({ projectId: ON_MAIN, resolvedFrom: 'git' });
    expect(store.known.size).toBe(0);
  });

  test.runIf(process.getuid?.() === 0)('a repository of another user is the same project', async () => {
    const folder = newRepository({ remote: REMOTE });
    chownSync(folder, 1234, 1234);
    chownSync(path.join(folder, '.git'), 1234, 1234);
    expect(() => git(folder, 'status')).toThrow(/dubious ownership/);
    expect(await idOf(folder)).toBe(ON_MAIN);
  });

  test('variables of another run of git lead nowhere', async () => {
    const other = newRepository({ remote: 'https://example.org/other' });
    const env = { ...GIT_ENV, GIT_DIR: path.join(other, '.git'), GIT_CONFIG_COUNT: '1' };
    expect(await idOf(newRepository({ remote: REMOTE }), { env })).toBe(ON_MAIN);
  });
});

describe('path', () => {
  test('a folder without a repository is its path', async () => {
    const folder = realFolder();
    const link = path.join(realFolder(), 'link');
    symlinkSync(folder, link);
    const expected = { projectId: idOfPath(folder), resolvedFrom: 'path', root: folder };
    expect(await resolve(folder)).toEqual(expected);
    expect(await resolve(link)).toEqual(expected);
  });

  test('a folder that does not exist is its path, and is not remembered', async () => {
    const store = rememberedIdentities();
    const folder = path.join(realFolder(), 'no', 'such');
    expect(await resolve(folder, { store })).toEqual({
      projectId: idOfPath(folder),
      resolvedFrom: 'path',
      root: folder,
    });
    expect(store.known.size).toBe(0);
  });

  test('without a remote, all worktrees and branches are one project', async () => {
    const folder = newRepository();
    const tree = path.join(realFolder(), 'tree');
    git(folder, 'worktree', 'add', '--quiet', '-b', 'feature', tree);
    expect(await idOf(folder)).toBe(idOfPath(folder));
    expect(await idOf(tree)).toBe(idOfPath(folder));
  });

  test('a .git that leads nowhere is no repository', async () => {
    const folder = realFolder();
    write(folder, '.git', 'gitdir: /no/such\n');
    expect(await idOf(folder)).toBe(idOfPath(folder));
    write(folder, '.git', 'something else');
    expect(await idOf(folder)).toBe(idOfPath(folder));
    rmSync(path.join(folder, '.git'));
    mkdirSync(path.join(folder, '.git'));
    expect(await idOf(folder)).toBe(idOfPath(folder));
  });
});

describe('cache', () => {
  test('an id that was found once stays when the remote changes', async () => {
    const folder = newRepository({ remote: REMOTE });
    const store = rememberedIdentities();
    await resolve(folder, { store });
    git(folder, 'remote', 'set-url', 'origin', 'https://example.org/other');
    expect(await resolve(folder, { store })).toMatchObject({
      projectId: ON_MAIN,
      resolvedFrom: 'cache',
      cachedFrom: 'git',
    });
  });

  test('a project that began without a repository, and then without a remote, stays what it was', async () => {
    const folder = realFolder();
    const store = rememberedIdentities();
    const expected = await idOf(folder, { store });
    newRepository({ folder, remote: REMOTE });
    git(folder, 'checkout', '--quiet', '-b', 'feature');
    expect(await resolve(folder, { store })).toMatchObject({
      projectId: expected,
      resolvedFrom: 'cache',
      cachedFrom: 'path',
    });
  });

  test('another branch is another project', async () => {
    const folder = newRepository({ remote: REMOTE });
    const store = rememberedIdentities();
    await resolve(folder, { store });
    git(folder, 'checkout', '--quiet', '-b', 'feature');
    expect(await resolve(folder, { store })).toMatchObject({ resolvedFrom: 'git' });
  });

  test('a clone in the place of another one is not taken for it', async () => {
    const folder = newRepository({ remote: REMOTE });
    const store = rememberedIdentities();
    await resolve(folder, { store });
    rmSync(folder, { recursive: true });
    newRepository({ folder, remote: 'https://example.org/other' });
    expect(await idOf(folder, { store })).toBe(idOfRemote('example.org/other', 'main'));
  });

  test('a file counts before what is remembered', async () => {
    const folder = newRepository({ remote: REMOTE });
    const store = rememberedIdentities();
    await resolve(folder, { store });
    write(folder, '.viaduct.yaml', 'project_id: mine');
    expect(await resolve(folder, { store })).toMatchObject({ projectId: 'mine', resolvedFrom: 'file' });
  });
});

describe('what ide-bridge has saved is found under its own id', () => {
  const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
  const ofMain = (name: string) => `${name}-${hash('sha1', 'main').slice(0, 6)}`;
  const pathId = (folder: string) => `path-${hash('sha256', folder).slice(0, 12)}`;

  test.each([
    ['a port', 'ssh://git@git.example.com:2222/acme/billing.git', 'git-example-com-2222-acme-billing'],
    ['a port and a token', 'https://me:tok@git.example.com:8443/acme/billing', 'git-example-com-8443-acme-billing'],
    ['another user', 'deploy@git.example.com:acme/billing.git', 'deploy-git-example-com-acme-billing'],
    ['file://', 'file:///srv/git/Billing.git', '-srv-git-billing'],
    ['a local path', '/srv/git/Billing.git', '-srv-git-billing'],
    ['a local path upwards', '../billing.git', '---billing'],
    [
      'a name that forges have for SSH',
      'ssh://git@ssh.github.com:443/acme/billing.git',
      'ssh-github-com-443-acme-billing',
    ],
    ['a slash at its end', 'https://github.com/acme/billing/', 'github-com-acme-billing-'],
  ])('of a remote with %s', async (_what, remote, name) => {
    const folder = newRepository({ remote });
    const own = await idOf(folder);
    const imported = ofMain(name);
    expect(own).not.toBe(imported);
    const store = rememberedIdentities([imported]);
    expect(await resolve(folder, { store })).toMatchObject({ projectId: imported, resolvedFrom: 'git' });
    expect(await resolve(folder, { store })).toMatchObject({ projectId: imported, resolvedFrom: 'cache' });
    // What we have saved ourselves counts first.
    expect(await idOf(folder, { store: rememberedIdentities([own, imported]) })).toBe(own);
  });

  test('after it was asked for once, when nothing was imported yet', async () => {
    const folder = newRepository({ remote: 'ssh://git@git.example.com:2222/acme/billing.git' });
    const saved: string[] = [];
    const store = rememberedIdentities(saved);
    const own = await idOf(folder, { store });
    const imported = ofMain('git-example-com-2222-acme-billing');
    saved.push(imported);
    expect(await idOf(folder, { store })).toBe(imported);
    saved.push(own);
    expect(await idOf(folder, { store })).toBe(imported);
  });

  test('of a folder that it knows by a link, or by a folder below the top', async () => {
    const folder = newRepository({});
    write(folder, 'src/a.txt', '');
    const link = path.join(realFolder(), 'link');
    symlinkSync(folder, link);
    const below = path.join(folder, 'src');
    for (const cwd of [link, below]) {
      const store = rememberedIdentities([pathId(cwd)]);
      expect(await resolve(cwd, { store })).toMatchObject({ projectId: pathId(cwd), resolvedFrom: 'path' });
    }
    const plain = realFolder();
    const other = path.join(realFolder(), 'other');
    symlinkSync(plain, other);
    expect(await idOf(other, { store: rememberedIdentities([pathId(other)]) })).toBe(pathId(other));
  });

  test('a path says nothing of a branch with a remote', async () => {
    const folder = newRepository({ remote: REMOTE });
    expect(await idOf(folder, { store: rememberedIdentities([pathId(folder)]) })).toBe(ON_MAIN);
  });
});
