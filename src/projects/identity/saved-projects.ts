import { asObject } from '../../core/json/as-object.ts';
import type { CheckpointStore, JsonObject } from '../../core/stores/checkpoint-store.ts';

import { canonicalRemote } from '../git/remote-address.ts';
import { idsOfRemote } from './project-id.ts';

/** The repository that a project is looked for. */
export interface WantedRepository {
  /** Canonical; `undefined` for a repository without a remote. */
  readonly remote: string | undefined;
  readonly branch: string | undefined;
  /** The folder of the repository, which completes relative addresses. */
  readonly anchor: string;
}

type Saved = Pick<CheckpointStore, 'history' | 'load'>;

/** Returns whether there are checkpoints under an id. */
export async function hasCheckpoints(store: Pick<CheckpointStore, 'history'>, projectId: string): Promise<boolean> {
  return (await store.history(projectId, 1)).length > 0;
}

/**
 * Returns whether there are checkpoints under an id that several remotes can have, and they are those of the given repository, as
 * far as is known: they were saved with another remote that has the same id otherwise. A remote that has another id is that of a
 * repository which was renamed.
 */
export async function hasCheckpointsOf(store: Saved, projectId: string, wanted: WantedRepository): Promise<boolean> {
  if (!(await hasCheckpoints(store, projectId))) return false;
  const { remote, branch, anchor } = wanted;
  if (remote === undefined) return true;
  const kept = remoteIn((await store.load(projectId))?.bundle ?? {});
  const other = kept === undefined ? undefined : canonicalRemote(kept, anchor);
  if (other === undefined || other === remote) return true;
  return idsOfRemote(other, branch).readable !== idsOfRemote(remote, branch).readable;
}

/** Returns the remote with which a bundle was saved, by Viaduct or by ide-bridge. */
function remoteIn({ git, project }: JsonObject): string | undefined {
  const remotes = [asObject(git).remote, asObject(asObject(project).git).remote];
  return remotes.find((remote): remote is string => typeof remote === 'string' && remote !== '');
}
