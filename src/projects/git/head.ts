import path from 'node:path';
import type { Repository } from './find-repository.ts';
import type { Git } from './run-git.ts';
import { tailOf, textOf } from './small-file.ts';

const REFLOG_TAIL = 64 * 1024;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns the branch that HEAD is on; `undefined` if it is detached. */
export async function headBranch(repository: Repository, git: Git): Promise<string | undefined> {
  const branch = branchIn((await textOf(path.join(repository.gitDir, 'HEAD'))).replace(/^ref: /, ''));
  // Repositories with reference tables have this content there, so that they are not taken for ones with files.
  if (branch !== '.invalid') return branch;
  const answer = await git(['symbolic-ref', '--quiet', 'HEAD'], 4096);
  return branchIn(answer?.bytes.toString() ?? '');
}

/**
 * Returns the branch that the work in this tree belongs to. During a rebase or a bisection, and after a commit was checked out,
 * that is the branch it began from; `undefined` if there was none.
 */
export async function workBranch(repository: Repository, git: Git): Promise<string | undefined> {
  return (await headBranch(repository, git)) ?? (await interruptedBranch(repository)) ?? (await leftBranch(repository));
}

async function interruptedBranch({ gitDir }: Repository): Promise<string | undefined> {
  for (const name of ['rebase-merge/head-name', 'rebase-apply/head-name']) {
    const branch = branchIn(await textOf(path.join(gitDir, name)));
    if (branch !== undefined) return branch;
  }
  const start = (await textOf(path.join(gitDir, 'BISECT_START'))).trim();
  return start === '' || COMMIT.test(start) ? undefined : start;
}

/** git notes what was left as a branch's name, or as a commit where HEAD was detached already. */
async function leftBranch({ gitDir }: Repository): Promise<string | undefined> {
  const lines = (await tailOf(path.join(gitDir, 'logs', 'HEAD'), REFLOG_TAIL)).split('\n');
  return lines
    .map((line) => /\tcheckout: moving from (\S+) to \S+$/.exec(line)?.[1])
    .findLast((left) => left !== undefined && !COMMIT.test(left));
}

function branchIn(reference: string): string | undefined {
  return /^refs\/heads\/(.+)/.exec(reference)?.[1];
}
