import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { GatewayError } from '../core/errors.ts';
import type { FolderRule } from '../core/folders/folder-rule.ts';
import type { WorkspaceRoot, WorkspaceSettings } from '../core/settings/workspace-settings.ts';
import { isSame } from './ground/ground.ts';

/** The facts of a call that decide in which folder its client works. */
export interface WorkspaceCaller {
  readonly client: { readonly folderRule?: FolderRule | undefined };
  folder(): Promise<string | undefined>;
}

/**
 * Returns the folders that a call may work in: those of the config, else the one that its client works in.
 * @throws GatewayError if there is none, if the client may not use it, or if it is too wide
 */
export async function rootsFor(
  caller: WorkspaceCaller,
  settings: WorkspaceSettings,
): Promise<readonly WorkspaceRoot[]> {
  if (settings.roots.length > 0) return settings.roots;
  // The folder in which the gateway was started says nothing about a client that reaches it over HTTP.
  const folder = (await caller.folder()) ?? (caller.client.folderRule === undefined ? process.cwd() : undefined);
  if (folder === undefined) throw refused(NO_FOLDER);
  if (await isTooWide(folder)) throw refused(`${folder} is not taken as a workspace unless it is configured`);
  return [{ folder }];
}

const NO_FOLDER =
  'this gateway has no workspace for clients that come over HTTP and name no folder (a root, or the header X-Viaduct-Cwd)';

/** Programs that a desktop starts are in such folders, which were not meant to be open to an agent: home, and all above it. */
async function isTooWide(folder: string): Promise<boolean> {
  const real = path.resolve(folder);
  if (path.parse(real).root === real) return true;
  const [here, ...wide] = await Promise.all([real, ...foldersUpFrom(homedir())].map(factsOf));
  return here !== undefined && wide.some((facts) => facts !== undefined && isSame(here, facts));
}

function foldersUpFrom(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}

async function factsOf(folder: string) {
  try {
    return await stat(folder, { bigint: true });
  } catch {
    return undefined;
  }
}

function refused(why: string): GatewayError {
  return new GatewayError('OUTSIDE_WORKSPACE', `${why}: set workspace.root in the config`, { effect: 'none' });
}
