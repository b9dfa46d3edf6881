import { createHash } from 'node:crypto';
import { GatewayError } from '../core/errors.ts';
import type { FolderRule } from '../core/folders/folder-rule.ts';
import { type Identities, type ResolvedProject, resolveProject } from '../projects/identity/resolve-project.ts';
import type { CallContext } from './define.ts';
import { requireProject } from './project-access.ts';

/** The project that a call is about. */
export interface Project {
  readonly id: string;
  /** Its folder, where the client's is known to be of this project. */
  readonly root: string | undefined;
  /** The rule for the folders that its client may name; any if absent. */
  readonly folderRule?: FolderRule | undefined;
  /** The way in which it was found, as its bundle tells. */
  readonly facts?: { readonly resolved_from: string; readonly root_path_fingerprint?: string } | undefined;
}

/**
 * Returns the project that a client means: the one it names, else that of its folder.
 * @throws GatewayError when it names none and its folder is not known, or its folder or the project of its folder is none that
 * it may use; the reason of the context's signal when the call was cancelled.
 */
export async function projectOf(
  projectId: string | undefined,
  context: CallContext,
  store: Identities,
): Promise<Project> {
  if (projectId !== undefined) return { id: projectId, root: undefined };
  const cwd = await context.folder();
  if (cwd === undefined) throw new GatewayError('INVALID_PARAMS', UNKNOWN_FOLDER);
  const found = await resolveProject({ cwd, store, folderRule: context.client.folderRule });
  context.signal.throwIfAborted();
  requireProject(context.client, found.projectId, 'the project of this folder');
  return asProject(found, context);
}

/** The same with the folder of a project that the client names, if that is where it works: it may ask for another one. */
export async function placedProjectOf(
  projectId: string | undefined,
  context: CallContext,
  store: Identities,
): Promise<Project> {
  if (projectId === undefined) return projectOf(projectId, context, store);
  const found = await placeOf(context, store);
  context.signal.throwIfAborted();
  return found?.projectId === projectId ? asProject(found, context) : { id: projectId, root: undefined };
}

/**
 * Returns the project of the client's folder; `undefined` if the client may not use the folder: it has named its project,
 * and the log has a line about it.
 */
async function placeOf(context: CallContext, store: Identities): Promise<ResolvedProject | undefined> {
  try {
    // A modern client would have to call once more, only to tell its roots.
    const cwd = await context.folder({ mayAsk: context.client.era === 'legacy' });
    if (cwd === undefined) return undefined;
    return await resolveProject({ cwd, store, folderRule: context.client.folderRule });
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'OUTSIDE_WORKSPACE') return undefined;
    throw error;
  }
}

const UNKNOWN_FOLDER =
  'missing project_id: the folder of this client is not known. Pass project_id, or let the client say where it works ' +
  '(roots, "viaduct/cwd" in _meta, the header X-Viaduct-Cwd, or ?cwd= in the address)';

function asProject(found: ResolvedProject, { client: { folderRule } }: CallContext): Project {
  const { projectId: id, root } = found;
  const resolved_from = seedTier(found);
  if (root === undefined) return { id, root, folderRule, facts: { resolved_from } };
  const fingerprint = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return { id, root, folderRule, facts: { resolved_from, root_path_fingerprint: fingerprint } };
}

/** Returns the tier in ide-bridge's words: it knows three. */
export function seedTier({ resolvedFrom, cachedFrom }: ResolvedProject): 'explicit' | 'git' | 'path' {
  const tier = resolvedFrom === 'cache' ? (cachedFrom ?? 'git') : resolvedFrom;
  return tier === 'git' || tier === 'path' ? tier : 'explicit';
}
