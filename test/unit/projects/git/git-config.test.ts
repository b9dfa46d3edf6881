import path from 'node:path';
import { expect, test } from 'vitest';
import { findRepository } from '../../../../src/projects/git/find-repository.ts';
import { readGitConfig } from '../../../../src/projects/git/git-config.ts';
import { gitIn } from '../../../../src/projects/git/run-git.ts';
import { GIT_ENV, git, newRepository, realFolder, write } from '../../../support/git-repository.ts';

async function configOf(folder: string, env: NodeJS.ProcessEnv) {
  const repository = await findRepository(folder);
  return readGitConfig(repository!, gitIn(folder, env, AbortSignal.timeout(20_000)));
}

const WITHOUT_GIT = { PATH: '/no/such/folder' };

const CONFIG = `
# comment
[core]
\tbare = false
[remote "origin"]
  url = https://example.org/a.git ; comment
[Remote "up.Stream \\"x\\""]
URL="git@example.org:a#b.git" # comment
[branch "main"]
\tremote = "quoted"
`;

test.each([
  ['git', GIT_ENV, true],
  ['us alone', WITHOUT_GIT, false],
] as const)('a config read by %s says the same', async (_name, env, isWhole) => {
  const folder = newRepository();
  write(folder, '.git/config', CONFIG);
  const config = await configOf(folder, env);
  expect(config.isWhole).toBe(isWhole);
  expect(config.values.get('remote.origin.url')).toEqual(['https://example.org/a.git']);
  expect(config.values.get('remote.up.Stream "x".url')).toEqual(['git@example.org:a#b.git']);
  expect(config.values.get('branch.main.remote')).toEqual(['quoted']);
});

test("what git includes counts, and so does the worktree's own config", async () => {
  const folder = newRepository();
  const other = write(realFolder(), 'more', '[remote "origin"]\nurl = https://example.org/included\n[x]\nempty\n');
  git(folder, 'config', 'include.path', other);
  git(folder, 'config', 'extensions.worktreeConfig', 'true');
  git(folder, 'config', '--worktree', 'x.tree', 'with\nnewline');
  const { values, isWhole } = await configOf(folder, GIT_ENV);
  expect(isWhole).toBe(true);
  expect(values.get('remote.origin.url')).toEqual(['https://example.org/included']);
  expect(values.get('x.empty')).toEqual(['']);
  expect(values.get('x.tree')).toEqual(['with\nnewline']);
});

test.each(['', '[', '[remote', 'url = x', '[a "b]\nurl = x', '\0'])('%j as a config is no error', async (text) => {
  const folder = newRepository();
  write(folder, path.join('.git', 'config'), text);
  expect((await configOf(folder, WITHOUT_GIT)).isWhole).toBe(false);
});

test('many values of one variable cost about as much as one value of many', async () => {
  const folder = newRepository();
  const cpuFor = async (nameOf: (index: number) => string) => {
    write(
      folder,
      path.join('.git', 'config'),
      `[a]\n${Array.from({ length: 20_000 }, (_, at) => `${nameOf(at)}=\n`).join('')}`,
    );
    const runs: number[] = [];
    for (let run = 0; run < 3; run++) {
      const before = process.cpuUsage();
      expect((await configOf(folder, WITHOUT_GIT)).values.size).toBeGreaterThan(0);
      runs.push(process.cpuUsage(before).user);
    }
    return Math.min(...runs);
  };
  const ofMany = await cpuFor((at) => `b${at}`);
  expect(await cpuFor(() => 'b')).toBeLessThan(8 * ofMany);
});
