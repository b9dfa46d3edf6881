import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { temporaryFolder } from './gateway.ts';

/** Nothing of the developer's own config, and a name to commit under. */
export const GIT_ENV: NodeJS.ProcessEnv = {
  ...process.env,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

export function git(folder: string, ...args: string[]): string {
  const quiet = [
    '-c',
    'init.defaultBranch=main',
    '-c',
    'protocol.file.allow=always',
    '-c',
    'advice.detachedHead=false',
  ];
  return execFileSync('git', ['-C', folder, ...quiet, ...args], {
    env: GIT_ENV,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

/** A real path, as everything in it will have. */
export function realFolder(): string {
  return realpathSync.native(temporaryFolder());
}

export function write(folder: string, file: string, text: string | Buffer = `${file}\n`): string {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
  return target;
}

/** A repository with one commit on `main`. */
export function newRepository({
  remote,
  folder = path.join(realFolder(), 'project'),
}: {
  remote?: string;
  folder?: string;
} = {}): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet');
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote);
  write(folder, 'a.txt');
  write(folder, 'src/b.txt');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'first');
  return folder;
}
