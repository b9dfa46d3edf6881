import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { kindOf, textOf } from './small-file.ts';

/** A git repository as it lies on the disk. All paths are real ones. */
export interface Repository {
  /** Top of the working tree; a bare repository's own folder. */
  readonly root: string;
  /** Folder that has the HEAD of this working tree. */
  readonly gitDir: string;
  /** Folder that all working trees of the repository share. */
  readonly commonDir: string;
  /** Identifies the repository, the same in all of its working trees: the main one, or `commonDir`. */
  readonly anchor: string;
}

/**
 * Finds the repository that a folder lies in, as git would, but without running it: that is done for each call, and
 * works where git refuses to (a folder of another user) or is not installed.
 */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  for (const place of foldersUpFrom(folder)) {
    const dotGit = path.join(place, '.git');
    const kind = await kindOf(dotGit);
    if (kind === 'folder' && (await isGitDir(dotGit))) return repositoryOf(place, dotGit);
    // If the file leads nowhere, git looks no further either.
    if (kind === 'file') return linkedRepository(place, dotGit);
    if (path.basename(place) !== '.git' && (await isGitDir(place))) return repositoryOf(place, place);
  }
  return undefined;
}

/** Returns the folder, its parent, and so on. */
export function foldersUpFrom(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}

/** Worktrees and submodules have a file that says where their part of the repository is. */
async function linkedRepository(root: string, file: string): Promise<Repository | undefined> {
  const target = /^gitdir: (.+)/.exec(await textOf(file))?.[1];
  const gitDir = target === undefined ? undefined : path.resolve(root, target);
  return gitDir !== undefined && (await isGitDir(gitDir)) ? repositoryOf(root, gitDir) : undefined;
}

async function repositoryOf(root: string, gitDir: string): Promise<Repository> {
  const common = (await textOf(path.join(gitDir, 'commondir'))).trim();
  const commonDir = await realpath(path.resolve(gitDir, common));
  const anchor = path.basename(commonDir) === '.git' ? path.dirname(commonDir) : commonDir;
  return { root, gitDir: await realpath(gitDir), commonDir, anchor };
}

async function isGitDir(folder: string): Promise<boolean> {
  if ((await kindOf(path.join(folder, 'HEAD'))) !== 'file') return false;
  const kinds = await Promise.all(['objects', 'refs', 'commondir'].map((name) => kindOf(path.join(folder, name))));
  return kinds[2] === 'file' || (kinds[0] === 'folder' && kinds[1] === 'folder');
}
