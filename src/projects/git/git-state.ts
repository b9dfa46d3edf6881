import path from 'node:path';
import type { FolderRule } from '../../core/folders/folder-rule.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { type GitConfig, readGitConfig, remoteAddress } from './git-config.ts';
import { headBranch } from './head.ts';
import { openRepository } from './open-repository.ts';
import { withoutUser } from './remote-address.ts';
import { type Git, type GitOutput, gitIn } from './run-git.ts';

const TIMEOUT_MS = 3_000;
const MAX_LIST_BYTES = 1024 * 1024;
const MAX_FILES = 1_000;
const MAX_DIFF_BYTES = 128 * 1024;

/**
 * The state of a working tree, in the words of a bundle. Every member is there in each answer, `null` if it is not known or
 * was not asked for: merged into a bundle, it leaves nothing of an older answer.
 */
export interface GitState {
  /** The remote's url without user and password. */
  readonly remote: string | null;
  readonly branch: string | null;
  readonly head: string | null;
  readonly dirty_files: string[] | null;
  readonly staged_diff: string | null;
  readonly unstaged_diff: string | null;
  /** Names of the fields above that hold only a part. */
  readonly truncated: string[] | null;
}

export interface GitStateOptions {
  readonly diffs?: boolean;
  /** The rule for the folders that the client may name; any if absent. */
  readonly folderRule?: FolderRule | undefined;
  readonly env?: Environment | undefined;
  /** The time limit for all of it. */
  readonly timeoutMs?: number;
  readonly maxFiles?: number;
  /** The limit for each diff. */
  readonly maxDiffBytes?: number;
}

/**
 * Returns nothing outside of a repository, and of one that the client may not use. Never throws, and never takes longer than
 * `timeoutMs` (3 s).
 */
export async function readGitState(root: string, options: GitStateOptions = {}): Promise<GitState | undefined> {
  try {
    return await read(root, options);
  } catch {
    return undefined;
  }
}

async function read(root: string, options: GitStateOptions): Promise<GitState | undefined> {
  const repository = path.isAbsolute(root) ? await openRepository(root, options.folderRule) : undefined;
  if (repository === undefined) return undefined;
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const git = gitIn(repository.root, options.env ?? process.env, signal);
  const [config, branch, head] = await Promise.all([
    readGitConfig(repository, git),
    headBranch(repository, git),
    git(['rev-parse', '--verify', '--quiet', 'HEAD'], 256),
  ]);
  const remote = remoteAddress(config, branch);
  const tree = await readTree(git, config, options);
  return {
    remote: remote === undefined ? null : withoutUser(remote),
    branch: branch ?? null,
    head: head?.bytes.toString().trim() || null,
    ...tree,
  };
}

type TreeState = Pick<GitState, 'dirty_files' | 'staged_diff' | 'unstaged_diff' | 'truncated'>;

async function readTree(git: Git, config: GitConfig, options: GitStateOptions): Promise<TreeState> {
  const off = filtersOff(config);
  if (off === undefined) return { dirty_files: null, staged_diff: null, unstaged_diff: null, truncated: null };
  const maxDiffBytes = options.maxDiffBytes ?? MAX_DIFF_BYTES;
  const diff = (...which: string[]) =>
    options.diffs === true ? git([...off, ...DIFF_SETTINGS, ...DIFF, ...which], maxDiffBytes) : undefined;
  const [changed, untracked, staged, unstaged] = await Promise.all([
    git([...off, ...STATUS], MAX_LIST_BYTES),
    git([...off, ...UNTRACKED], MAX_LIST_BYTES),
    diff('--cached'),
    diff(),
  ]);
  const files = dirtyFiles(changed, untracked);
  const maxFiles = options.maxFiles ?? MAX_FILES;
  const isPart = {
    // A tree with very many untracked files may take longer than there is time; what changed is known even so.
    dirty_files: files !== null && (files.length > maxFiles || untracked?.isCut !== false || changed?.isCut === true),
    staged_diff: staged?.isCut === true,
    unstaged_diff: unstaged?.isCut === true,
  };
  const truncated = Object.entries(isPart).flatMap(([field, isTrue]) => (isTrue ? [field] : []));
  return {
    dirty_files: files?.slice(0, maxFiles) ?? null,
    staged_diff: diffText(staged),
    unstaged_diff: diffText(unstaged),
    truncated: truncated.length === 0 ? null : truncated,
  };
}

/** `--ignore-submodules=dirty`: git would start itself in each submodule, with that one's own config. */
const STATUS = ['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=dirty'];
const UNTRACKED = ['ls-files', '--others', '--exclude-standard', '--directory', '--no-empty-directory', '-z'];
const DIFF_SETTINGS = ['-c', 'diff.noprefix=false', '-c', 'diff.mnemonicPrefix=false'];
const DIFF = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--ignore-submodules=dirty'];

/**
 * Switches off the filters that attributes may name: they are programs, and the config that says which comes with the
 * repository. `undefined` if that cannot be done.
 */
function filtersOff(config: GitConfig): string[] | undefined {
  if (!config.isWhole) return undefined;
  const names = [...config.values.keys()].flatMap((key) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []);
  // `-c` takes what is before the first equals sign for the variable.
  if (names.some((name) => name.includes('='))) return undefined;
  const settings = ['clean=', 'smudge=', 'process=', 'required=false'];
  return [...new Set(names)].flatMap((name) => settings.flatMap((setting) => ['-c', `filter.${name}.${setting}`]));
}

function dirtyFiles(changed: GitOutput | undefined, untracked: GitOutput | undefined): string[] | null {
  if (changed === undefined) return null;
  // Two letters and a space are before each path.
  const paths = [...pathsIn(changed).map((line) => line.slice(3)), ...pathsIn(untracked)];
  return [...new Set(paths)];
}

function pathsIn(output: GitOutput | undefined): string[] {
  if (output === undefined) return [];
  const { bytes, isCut } = output;
  const whole = isCut ? bytes.subarray(0, bytes.lastIndexOf(0) + 1) : bytes;
  return whole
    .toString()
    .split('\0')
    .filter((entry) => entry !== '');
}

/** Cut at the end of a line, so that no character is cut in two. */
function diffText(output: GitOutput | undefined): string | null {
  if (output === undefined) return null;
  const { bytes, isCut } = output;
  return (isCut ? bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1) : bytes).toString();
}
