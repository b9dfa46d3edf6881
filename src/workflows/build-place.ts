import path from 'node:path';
import type { BuildFacts } from '../builds/build-recorder.ts';
import { GatewayError } from '../core/errors.ts';
import type { Environment } from '../core/settings/environment.ts';
import type { Repository } from '../projects/git/find-repository.ts';
import { headBranch } from '../projects/git/head.ts';
import { openRepository } from '../projects/git/open-repository.ts';
import { gitIn } from '../projects/git/run-git.ts';
import { type Identities, resolveProject } from '../projects/identity/resolve-project.ts';
import type { CallingClient } from './define.ts';
import { requireProject } from './project-access.ts';

const GIT_TIMEOUT_MS = 5_000;

/** Repository and branch of a build; what is missing is taken from git. */
export interface BuildNames {
  readonly repo?: string | undefined;
  readonly branch?: string | undefined;
}

export interface BuildPlaceOptions {
  readonly names: BuildNames;
  readonly client: CallingClient;
  readonly identities: Identities;
  readonly env: Environment;
}

/**
 * Returns whose a build is that runs in a folder: the project of the folder, and what is built there.
 * @param folder absolute path that the client may use
 * @throws GatewayError when the client may not use the project of the folder
 */
export async function buildPlace(
  folder: string,
  { names, client, identities, env }: BuildPlaceOptions,
): Promise<Pick<BuildFacts, 'projectId' | 'repo' | 'branch'>> {
  const { folderRule } = client;
  const found = await unlessOutside(resolveProject({ cwd: folder, store: identities, folderRule, env }));
  requireProject(client, found?.projectId, 'the project of this folder');
  const repository = await unlessOutside(openRepository(folder, folderRule));
  return {
    projectId: found?.projectId,
    repo: names.repo ?? path.basename(repository?.anchor ?? folder, '.git'),
    branch: names.branch ?? (repository === undefined ? '' : await branchOf(repository, env)),
  };
}

/** Returns `HEAD` where no branch is checked out. */
async function branchOf(repository: Repository, env: Environment): Promise<string> {
  const git = gitIn(repository.root, env, AbortSignal.timeout(GIT_TIMEOUT_MS));
  return (await headBranch(repository, git)) ?? 'HEAD';
}

/** `undefined` for a folder whose repository is out of the client's reach. */
async function unlessOutside<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'OUTSIDE_WORKSPACE') return undefined;
    throw error;
  }
}
