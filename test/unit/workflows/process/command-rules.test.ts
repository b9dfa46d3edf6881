import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandRules } from '../../../../src/workflows/process/command-rules.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

test.each([
  ['everything, unless told otherwise', { allow: ['*'], deny: [] }, 'git', 'bin/git', true],
  ['nothing of an empty list', { allow: [], deny: [] }, 'git', 'bin/git', false],
  ['a name', { allow: ['git'], deny: [] }, 'git', 'bin/git', true],
  ['no other name', { allow: ['git'], deny: [] }, 'rm', 'bin/rm', false],
  ['no file that happens to have the name', { allow: ['git'], deny: [] }, './git', 'bin/git', false],
  ['a path', { allow: ['**/bin/*'], deny: [] }, './bin/git', 'bin/git', true],
  ['a path, found by its name', { allow: ['**/bin/git'], deny: [] }, 'git', 'bin/git', true],
  ['no other path', { allow: ['**/sbin/*'], deny: [] }, 'git', 'bin/git', false],
  ['no denied name', { allow: ['*'], deny: ['rm'] }, 'rm', 'bin/rm', false],
  ['no path with a denied name', { allow: ['*'], deny: ['rm'] }, '/x/bin/rm', 'bin/rm', false],
  ['no link to a denied name', { allow: ['*'], deny: ['rm'] }, 'harmless', 'bin/harmless', false],
  ['no denied path', { allow: ['*'], deny: ['**/bin/*'] }, 'git', 'bin/git', false],
  [
    'no path that is too long to be compared',
    { allow: ['*'], deny: ['rm'] },
    `./${'x'.repeat(5_000)}`,
    'bin/git',
    false,
  ],
  ['what only begins like it', { allow: ['*'], deny: ['g'] }, 'git', 'bin/git', true],
])('the config allows %s', async (_what, rules, command, file, allowed) => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'bin'));
  for (const name of ['git', 'rm']) writeFileSync(path.join(folder, 'bin', name), '');
  symlinkSync('rm', path.join(folder, 'bin', 'harmless'));
  expect(await commandRules(rules)(command, path.join(folder, file))).toBe(allowed);
});
