import { GatewayError } from '../../core/errors.ts';
import { type Identities, type ResolvedProject, resolveProject } from '../../projects/identity/resolve-project.ts';
import type { CallingClient } from '../define.ts';

/** Returns the project of a folder; `undefined` if it cannot be found, as where its repository is out of the client's reach. */
export async function projectAt(
  folder: string,
  store: Identities,
  { folderRule }: CallingClient,
): Promise<ResolvedProject | undefined> {
  try {
    return await resolveProject({ cwd: folder, store, folderRule });
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'OUTSIDE_WORKSPACE') return undefined;
    throw error;
  }
}
