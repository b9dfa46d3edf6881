import path from 'node:path';
import type { Disk } from './disk.ts';
import { plainName } from './names.ts';
import type { ProtectedPath } from './rules.ts';
import type { Spot } from './spot.ts';

const GIT_FOLDER = 'the folder in which git keeps a repository, with the commands that it runs';
const HOOKS = 'a hook, which git runs';
const SETTINGS = 'settings of git, which may name commands';
/** The number of settings files that may include one another. */
const MOST_SETTINGS = 20;

/** The files in which git looks for settings that hold for all repositories of a user. */
export interface GitUser {
  /** Files of settings. */
  readonly gitConfigs: readonly string[];
  readonly userHome: string;
}

/**
 * Returns the files that git runs in the repositories that a place is in: their own folders, anywhere on the disk, their
 * hooks, also where they are links or are in a folder that the settings name, and what the settings include.
 */
export function pathsOfGit({ paths }: Spot, disk: Disk, user: GitUser): ProtectedPath[] {
  const found = paths.map((folder) => repositoryIn(folder, disk));
  const repositories = found.filter((repository) => repository !== undefined);
  return [undefined, ...repositories].flatMap((repository) => pathsOf(repository, disk, user));
}

interface Repository {
  /** The folder that relative folders of hooks are seen from. */
  readonly top: string;
  readonly gitFolder: string;
  readonly commonFolder: string;
}

function repositoryIn(top: string, disk: Disk): Repository | undefined {
  const dotGit = path.join(top, '.git');
  const facts = disk.facts(dotGit);
  if (facts === undefined) return isGitFolder(top, disk) ? repositoryAt(top, top, disk) : undefined;
  if (!facts.isFile()) return repositoryAt(top, dotGit, disk);
  const [firstLine = ''] = disk.textOf(dotGit).split(/\r?\n/, 1);
  if (!firstLine.startsWith('gitdir: ')) return undefined;
  return repositoryAt(top, path.resolve(top, firstLine.slice('gitdir: '.length)), disk);
}

function repositoryAt(top: string, gitFolder: string, disk: Disk): Repository {
  const common = disk.textOf(path.join(gitFolder, 'commondir')).trim();
  return { top, gitFolder, commonFolder: path.resolve(gitFolder, common) };
}

/**
 * Returns true if git takes a folder for a repository without working tree (gitrepository-layout), which needs no name of its
 * own.
 */
export function isGitFolder(folder: string, disk: Disk): boolean {
  const isThere = (name: string) => disk.facts(path.join(folder, name)) !== undefined;
  if (!isThere('HEAD')) return false;
  return isThere('commondir') || (isThere('objects') && isThere('refs'));
}

/**
 * Returns true if git could take a folder for a repository once something has this name: then a file in it, which was
 * harmless before, names commands.
 */
export function makesGitFolder(folder: string, name: string, disk: Disk): boolean {
  if (name === 'HEAD') return true;
  const plain = plainName(name);
  if (plain === 'head') return process.platform === 'darwin' || process.platform === 'win32';
  if (!['objects', 'refs', 'commondir'].includes(plain)) return false;
  return disk.facts(path.join(folder, 'HEAD')) !== undefined;
}

/** Returns the files of one repository, or of none: then those that hold for all of them. */
function pathsOf(repository: Repository | undefined, disk: Disk, user: GitUser): ProtectedPath[] {
  const { top, gitFolder, commonFolder } = repository ?? {};
  const common = commonFolder === undefined ? [] : [path.join(commonFolder, 'config')];
  const own = gitFolder === undefined ? [] : [path.join(gitFolder, 'config.worktree')];
  const settings = settingsIn([...user.gitConfigs, ...common, ...own], disk, { top, userHome: user.userHome });
  const folders = [...(commonFolder === undefined ? [] : [path.join(commonFolder, 'hooks')]), ...settings.hooks];
  return [
    ...liftable(gitFolder === undefined ? [] : [gitFolder, commonFolder!], GIT_FOLDER),
    ...liftable(settings.read, SETTINGS),
    ...pathsOfHooks(folders, disk),
  ];
}

function liftable(paths: readonly string[], what: string): ProtectedPath[] {
  return paths.map((place) => ({ path: place, what, canBeLifted: true }));
}

/** A hook is often a link to a script of the project. */
function pathsOfHooks(folders: readonly string[], disk: Disk): ProtectedPath[] {
  return liftable([...folders, ...folders.flatMap((folder) => disk.linksIn(folder))], HOOKS);
}

interface Settings {
  /** Folders of hooks. */
  readonly hooks: readonly string[];
  /** The settings files that git would read, whether they exist or not. */
  readonly read: readonly string[];
}

/** Reads as much of git's settings (git-config, "Configuration file") as tells where hooks and further settings are. */
function settingsIn(
  files: readonly string[],
  disk: Disk,
  { top, userHome }: { readonly top: string | undefined; readonly userHome: string },
): Settings {
  const hooks: string[] = [];
  const read: string[] = [];
  const ahead = [...files];
  for (let file = ahead.shift(); file !== undefined && read.length < MOST_SETTINGS; file = ahead.shift()) {
    if (read.includes(file)) continue;
    read.push(file);
    for (const { section, name, value } of entriesOf(disk.textOf(file))) {
      const place = value.startsWith('~/') ? path.join(userHome, value.slice(2)) : value;
      if ((section === 'include' || section === 'includeif') && name === 'path')
        ahead.push(path.resolve(path.dirname(file), place));
      if (section !== 'core' || name !== 'hookspath' || place === '') continue;
      if (top !== undefined || path.isAbsolute(place)) hooks.push(path.resolve(top ?? '/', place));
    }
  }
  return { hooks, read };
}

interface Entry {
  readonly section: string;
  readonly name: string;
  readonly value: string;
}

function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    let rest = line.trim();
    if (rest.startsWith('[')) {
      const end = rest.indexOf(']');
      section = (rest.slice(1, end === -1 ? undefined : end).split(/[\s"]/, 1)[0] ?? '').toLowerCase();
      // A variable may follow on the same line.
      rest = end === -1 ? '' : rest.slice(end + 1).trim();
    }
    const equals = rest.indexOf('=');
    if (equals === -1) continue;
    entries.push({
      section,
      name: rest.slice(0, equals).trim().toLowerCase(),
      value: bareValue(rest.slice(equals + 1)),
    });
  }
  return entries;
}

function bareValue(written: string): string {
  const value = written.trim();
  if (!value.startsWith('"')) return (value.split(/[#;]/, 1)[0] ?? '').trim();
  return value.slice(1, value.indexOf('"', 1)).replaceAll('\\\\', '\\');
}
