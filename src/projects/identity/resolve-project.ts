import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { GatewayError } from '../../core/errors.ts';
import { admitted, type FolderRule } from '../../core/folders/folder-rule.ts';
import type { Environment } from '../../core/settings/environment.ts';
import type { CheckpointStore } from '../../core/stores/checkpoint-store.ts';
import { trimmedEnd } from '../../core/text/trimmed.ts';
import { foldersUpFrom, type Repository } from '../git/find-repository.ts';
import { originAddress, readGitConfig, remoteAddress } from '../git/git-config.ts';
import { workBranch } from '../git/head.ts';
import { openRepository } from '../git/open-repository.ts';
import { canonicalRemote } from '../git/remote-address.ts';
import { gitIn } from '../git/run-git.ts';
import { type ClientFolder, clientFolder } from './client-folder.ts';
import { type IdeBridgeFacts, ideBridgeIds } from './ide-bridge-ids.ts';
import { idFromFiles } from './identity-files.ts';
import { checkedProjectId, idOfPath, idsOfRemote } from './project-id.ts';
import { hasCheckpoints, hasCheckpointsOf, type WantedRepository } from './saved-projects.ts';

const GIT_TIMEOUT_MS = 5_000;

/** The part of a store that knows the ids of folders, and which projects have checkpoints. */
export type Identities = Pick<CheckpointStore, 'identityOf' | 'rememberIdentity' | 'history' | 'load'>;

export interface ProjectQuestion {
  /** The client's own choice; wins over everything else. An empty text counts as none. */
  readonly projectId?: string | undefined;
  /** The client's folder, as an absolute path or a `file://` URI. */
  readonly cwd?: string | undefined;
  readonly store: Identities;
  /** The rule for the folders that the client may name; any if absent. */
  readonly folderRule?: FolderRule | undefined;
  readonly env?: Environment | undefined;
  /** The user's home folder. */
  readonly home?: string | undefined;
}

export interface ResolvedProject {
  readonly projectId: string;
  readonly resolvedFrom: 'argument' | 'file' | 'cache' | 'git' | 'path';
  /** Facts from which a remembered id was made. */
  readonly cachedFrom?: 'git' | 'path';
  /** The file that decided. */
  readonly file?: string;
  /** Top of the working tree, else the client's folder; `undefined` if no folder is known. */
  readonly root: string | undefined;
}

/**
 * Returns the project that a call is about. The same folder gets the same answer, regardless of the path by which it
 * was reached.
 * @throws GatewayError when it cannot be found, or the client may not use the folder or the repository that it lies in
 */
export async function resolveProject(question: ProjectQuestion): Promise<ResolvedProject> {
  const { projectId, cwd, store, folderRule } = question;
  if (projectId !== undefined && projectId !== '') {
    const id = checkedProjectId(projectId, 'project_id');
    return { projectId: id, resolvedFrom: 'argument', root: await rootOf(cwd, folderRule) };
  }
  if (cwd === undefined || cwd === '') {
    const reason = "the client's folder is not known, so the project cannot be found by itself";
    throw new GatewayError('INVALID_PARAMS', `missing or empty required string arg: project_id (${reason})`);
  }
  const folder = await clientFolder(cwd);
  await admitted(folder.path, folderRule);
  const repository = await openRepository(folder.existing, folderRule);
  const root = repository?.root ?? folder.path;
  const home = await realHome(question.home ?? homedir());
  const written = await idFromFiles(foldersWithFiles(folder.existing, repository, home), folderRule);
  if (written !== undefined) return { ...written, resolvedFrom: 'file', root };
  const named = /^file:/i.test(cwd) ? folder.path : trimmedFolder(cwd);
  if (repository === undefined) return { ...(await idOfFolder(folder, store, named)), root };
  const folders = [named, folder.path, repository.root, repository.anchor];
  return { ...(await idOfRepository(repository, store, { env: question.env ?? process.env, folders })), root };
}

/** Returns the folder as its IDE named it. */
function trimmedFolder(cwd: string): string {
  return trimmedEnd(cwd, '/') || '/';
}

function realHome(home: string): Promise<string> {
  return realpath(home).catch(() => home);
}

async function rootOf(cwd: string | undefined, rule: FolderRule | undefined): Promise<string | undefined> {
  try {
    if (cwd === undefined || cwd === '') return undefined;
    const folder = await clientFolder(cwd);
    await admitted(folder.path, rule);
    return (await openRepository(folder.existing, rule))?.root ?? folder.path;
  } catch {
    return undefined;
  }
}

/**
 * Returns the folders up to the top of the working tree, then the main one, which may have an uncommitted
 * file. Outside of repositories, goes up to the home folder, and elsewhere no further: any user may put a file into
 * `/tmp`.
 */
function foldersWithFiles(folder: string, repository: Repository | undefined, home: string): string[] {
  const upwards = foldersUpFrom(folder);
  if (repository === undefined) return upwards.slice(0, Math.max(upwards.indexOf(home), 1));
  const { root, anchor } = repository;
  return [...new Set([...upwards.slice(0, upwards.indexOf(root) + 1), anchor])];
}

type Found = Pick<ResolvedProject, 'projectId' | 'resolvedFrom' | 'cachedFrom'>;

async function idOfFolder(folder: ClientFolder, store: Identities, named: string): Promise<Found> {
  const derived: Found = { projectId: idOfPath(folder.path), resolvedFrom: 'path' };
  if (folder.path !== folder.existing) return derived;
  const key = await keyOf(folder.path);
  const known = await remembered(store, [key]);
  if (known !== undefined && (await hasCheckpoints(store, known.projectId))) return known;
  const folders = [named, folder.path];
  const imported = await importedId(store, derived, { origin: undefined, branch: undefined, folders });
  return imported === undefined ? (known ?? remember(store, key, derived)) : remember(store, key, imported);
}

/**
 * A repository has one id for each branch. One that had no remote when it was first seen has a single id, and keeps it:
 * what was saved before the remote came must not be lost.
 */
async function idOfRepository(
  repository: Repository,
  store: Identities,
  { env, folders }: { readonly env: Environment; readonly folders: readonly string[] },
): Promise<Found> {
  const { anchor } = repository;
  const git = gitIn(repository.root, env, AbortSignal.timeout(GIT_TIMEOUT_MS));
  const [branch, key] = await Promise.all([workBranch(repository, git), keyOf(anchor)]);
  const branchKey = `${key}#${branch ?? ''}`;
  // Ids that are known by the bare key may be shared with another remote, as all readable ids once were.
  const checkedKey = `remote:${branchKey}`;
  const known = await remembered(store, [checkedKey, key]);
  if (known !== undefined && (await hasCheckpoints(store, known.projectId))) return known;
  const config = await readGitConfig(repository, git);
  const address = remoteAddress(config, branch);
  const remote = address === undefined ? undefined : canonicalRemote(address, anchor);
  const wanted: WantedRepository = { remote, branch, anchor };
  const unchecked = await remembered(store, [branchKey]);
  const saved =
    (await savedUnder(store, unchecked, wanted)) ??
    (await savedProject(store, wanted, { origin: originAddress(config), branch, folders }));
  if (saved === undefined && known !== undefined) return known;
  const best = saved ?? (await newProject(store, wanted));
  // A result found without git may be found better next time.
  return config.isWhole ? remember(store, remote === undefined ? key : checkedKey, best) : best;
}

async function savedUnder(store: Identities, found: Found | undefined, wanted: WantedRepository) {
  return found !== undefined && (await hasCheckpointsOf(store, found.projectId, wanted)) ? found : undefined;
}

/** Returns the project under which the checkpoints of a repository are: by our ids, or by those of ide-bridge. */
async function savedProject(store: Identities, wanted: WantedRepository, facts: IdeBridgeFacts) {
  const { remote, branch, anchor } = wanted;
  const ids = remote === undefined ? undefined : idsOfRemote(remote, branch);
  if (ids !== undefined && (await hasCheckpoints(store, ids.hashed))) return asFound(ids.hashed);
  for (const projectId of [ids?.readable ?? idOfPath(anchor), ...ideBridgeIds(facts)])
    if (await hasCheckpointsOf(store, projectId, wanted)) return asFound(projectId);
  return undefined;
}

/** Returns the project of a repository that has no checkpoints. Those under its readable id are of another remote then. */
async function newProject(store: Identities, { remote, branch, anchor }: WantedRepository): Promise<Found> {
  if (remote === undefined) return asFound(idOfPath(anchor));
  const { own, hashed } = idsOfRemote(remote, branch);
  return asFound((await hasCheckpoints(store, own)) ? hashed : own);
}

const asFound = (projectId: string): Found => ({ projectId, resolvedFrom: tierOf(projectId) });
const tierOf = (projectId: string) => (projectId.startsWith('path-') ? 'path' : 'git');

/**
 * Returns the id under which ide-bridge has spelt the project of a folder, where there are checkpoints of it: they were imported.
 * Our own id counts first.
 */
async function importedId(store: Identities, found: Found, facts: IdeBridgeFacts): Promise<Found | undefined> {
  if (await hasCheckpoints(store, found.projectId)) return undefined;
  for (const projectId of ideBridgeIds(facts))
    if (projectId !== found.projectId && (await hasCheckpoints(store, projectId))) return asFound(projectId);
  return undefined;
}

async function remembered(store: Identities, keys: readonly string[]): Promise<Found | undefined> {
  for (const key of keys) {
    const projectId = await store.identityOf(key);
    if (projectId === undefined) continue;
    return { projectId, resolvedFrom: 'cache', cachedFrom: tierOf(projectId) };
  }
  return undefined;
}

async function remember(store: Identities, key: string, found: Found): Promise<Found> {
  await store.rememberIdentity(key, found.projectId);
  return found;
}

/** Returns a key with the time when the folder was made: another project may later take its place. */
async function keyOf(folder: string): Promise<string> {
  const { birthtimeMs } = await stat(folder);
  return `${folder}#${Math.trunc(birthtimeMs)}`;
}
