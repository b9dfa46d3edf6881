import { admitted, type FolderRule } from '../core/folders/folder-rule.ts';
import type { Environment } from '../core/settings/environment.ts';
import { headBranch } from './git/head.ts';
import { openRepository } from './git/open-repository.ts';
import { gitIn } from './git/run-git.ts';
import { clientFolder } from './identity/client-folder.ts';

const TIMEOUT_MS = 3_000;

export interface RepositoryHead {
  /** Top of the working tree. */
  readonly root: string;
  /** `undefined` if HEAD is detached. */
  readonly branch: string | undefined;
  /** Hash of the commit; `undefined` if there is none yet, or git cannot be run. */
  readonly commit: string | undefined;
}

/**
 * Returns what is checked out where a client works; `undefined` outside of a repository.
 * @param cwd absolute path or `file://` URI
 * @throws GatewayError when the client may not use the folder or its repository
 */
export async function repositoryHead(
  cwd: string,
  rule: FolderRule | undefined,
  env: Environment = process.env,
): Promise<RepositoryHead | undefined> {
  const folder = await clientFolder(cwd);
  await admitted(folder.path, rule);
  const repository = await openRepository(folder.existing, rule);
  if (repository === undefined) return undefined;
  const git = gitIn(repository.root, env, AbortSignal.timeout(TIMEOUT_MS));
  const [branch, commit] = await Promise.all([
    headBranch(repository, git),
    git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], 256),
  ]);
  return { root: repository.root, branch, commit: commit?.bytes.toString().trim() || undefined };
}
