import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, newRepository, write } from '../../../support/git-repository.ts';
import { filesIn } from './walked.ts';

/** What git would list, tracked or not. */
const listed = (folder: string): string[] =>
  git(folder, 'ls-files', '--cached', '--others', '--exclude-standard').split('\n').toSorted();

describe('in a repository', () => {
  it('files are those that git lists', async () => {
    const repository = newRepository();
    const ignored =
      '*.log\n!/keep.log\ntmp/**\n/only-here.ts\n**/deep/x.ts\na/**/z.ts\nfoo[0-9].ts\n\\#odd.ts\ndoc/*.txt\n';
    write(repository, '.gitignore', ignored);
    write(repository, 'sub/.gitignore', '/own.ts\n!special.log\n');
    const files = [
      'a.log keep.log tmp/a.ts tmp/b/c.ts only-here.ts sub/only-here.ts sub/deep/x.ts a/z.ts a/b/c/z.ts foo1.ts foox.ts',
      '#odd.ts doc/a.txt doc/b/a.txt sub/own.ts sub/sub/own.ts sub/special.log sub/other.log ä/ü.ts',
    ];
    for (const file of files.join(' ').split(' ')) write(repository, file);
    git(repository, 'config', 'core.quotePath', 'false');
    expect(await filesIn(repository)).toEqual(listed(repository));
  });

  it('rules of info/exclude hold, also in its worktrees and folders', async () => {
    const repository = newRepository();
    write(repository, '.git/info/exclude', 'private/\n/pkg/one/own.ts\n');
    write(repository, '.gitignore', '/pkg/one/generated.ts\n*.log\n');
    const worktree = path.join(path.dirname(repository), 'worktree');
    git(repository, 'worktree', 'add', '-q', worktree);
    for (const root of [repository, worktree]) {
      write(root, '.gitignore', '/pkg/one/generated.ts\n*.log\n');
      for (const file of ['private/a.ts', 'pkg/one/own.ts', 'pkg/one/generated.ts', 'pkg/one/a.ts', 'pkg/one/b.log'])
        write(root, file);
      expect(await filesIn(root)).toEqual(listed(root));
      expect(await filesIn(path.join(root, 'pkg/one'))).toEqual(['a.ts']);
      expect(await filesIn(path.join(root, 'private'))).toEqual([]);
    }
  });
});
