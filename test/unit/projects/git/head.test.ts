import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findRepository } from '../../../../src/projects/git/find-repository.ts';
import { headBranch, workBranch } from '../../../../src/projects/git/head.ts';
import { git, newRepository, write } from '../../../support/git-repository.ts';

const MAKE_PIPE = 'mkfifo';
const COMMIT = '1'.repeat(40);

async function detached() {
  const folder = newRepository();
  git(folder, 'checkout', '--quiet', '--detach');
  return { folder, repository: (await findRepository(folder))! };
}

const noGit = () => Promise.resolve(undefined);

test('with reference tables, git is asked', async () => {
  const { folder, repository } = await detached();
  write(folder, '.git/HEAD', 'ref: refs/heads/.invalid\n');
  const asked: string[] = [];
  const answer = { bytes: Buffer.from('refs/heads/a/b\n'), isCut: false };
  const branch = await headBranch(repository, (args) => {
    asked.push(args[0]!);
    return Promise.resolve(answer);
  });
  expect(branch).toBe('a/b');
  expect(asked).toEqual(['symbolic-ref']);
  expect(await headBranch(repository, noGit)).toBeUndefined();
});

test.each([
  ['', undefined],
  [`checkout: moving from ${COMMIT} to main`, undefined],
  ['checkout: moving from a/b to main', 'a/b'],
  [`checkout: moving from a to b\n0 1 me\tcheckout: moving from ${COMMIT} to v1`, 'a'],
  [
    'checkout: moving from a to b\n0 1 me\tcheckout: moving from c to d\n0 1 me\tcommit: checkout: moving from e to f',
    'c',
  ],
])('a log of HEAD with %j says that %j was left', async (lines, branch) => {
  const { folder, repository } = await detached();
  write(folder, '.git/logs/HEAD', `0 1 me <m> 1 +0000\t${lines}\n`);
  expect(await workBranch(repository, noGit)).toBe(branch);
});

test('of a long log the end counts', async () => {
  const { folder, repository } = await detached();
  const line = (from: string, to: string) => `0 1 me <m> 1 +0000\tcheckout: moving from ${from} to ${to}\n`;
  write(folder, '.git/logs/HEAD', line('first', 'x').repeat(5_000) + line('last', COMMIT));
  expect(await workBranch(repository, noGit)).toBe('last');
});

test.skipIf(process.platform === 'win32')(
  'pipes and huge files in the place of those of git are not read',
  async () => {
    const { folder, repository } = await detached();
    rmSync(path.join(folder, '.git', 'logs'), { recursive: true });
    write(folder, '.git/logs/x');
    write(folder, '.git/rebase-merge/x');
    execFileSync(MAKE_PIPE, ['logs/HEAD', 'rebase-merge/head-name', 'BISECT_START'], {
      cwd: path.join(folder, '.git'),
    });
    expect(await workBranch(repository, noGit)).toBeUndefined();
    write(folder, '.git/HEAD', `ref: refs/heads/${'x'.repeat(2_000_000)}`);
    expect(await headBranch(repository, noGit)).toBeUndefined();
  },
);
