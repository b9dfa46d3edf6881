import { createHash } from 'node:crypto';
import { PROJECT_ID } from '../../core/projects/project-id.ts';

export interface IdeBridgeFacts {
  /** Address of `origin`, as git has it. */
  readonly origin: string | undefined;
  readonly branch: string | undefined;
  /** Folders in which an IDE may have been opened, as it may have named them. */
  readonly folders: readonly string[];
}

/**
 * Returns the ids under which ide-bridge may have saved a project, the likeliest first. It keeps ports, takes `file://` and
 * local paths as they are written, and hashes the path that an IDE named, links and all, if there is no origin or branch.
 */
export function ideBridgeIds({ origin, branch, folders }: IdeBridgeFacts): string[] {
  const isInGit = origin !== undefined && branch !== undefined;
  const ids = isInGit
    ? [`${remoteName(origin)}-${hash('sha1', branch).slice(0, 6)}`]
    : folders.map((folder) => `path-${hash('sha256', folder).slice(0, 12)}`);
  return [...new Set(ids)].filter((id) => PROJECT_ID.test(id));
}

/** Returns the host and the path, with a dash for each character that is not a letter or digit. */
function remoteName(address: string): string {
  const place = address
    .trim()
    .replace(/^[a-z]+:\/\/[^/@]*@/, '')
    .replace(/^git@([^:]+):/, '$1/')
    .replace(/^[a-z]+:\/\//, '')
    .replace(/\.git$/, '');
  return `${place}${place.includes('/') ? '' : '/'}`.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
}

function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}
