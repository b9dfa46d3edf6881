import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { GatewayError } from '../core/errors.ts';
import type { WorkspaceRoot, WorkspaceSettings } from '../core/workspace-settings.ts';
import { isSame } from './ground/ground.ts';

/** What a call tells that decides in which folder its client works. */
export interface WorkspaceCaller {
  readonly client: { readonly principal?: string | undefined };
  folder(): Promise<string | undefined>;
}

/** The folders that a call may work in: those of the config, else the one that its client works in. */
export async function rootsFor(
  caller: WorkspaceCaller,
  settings: WorkspaceSettings,
): Promise<readonly WorkspaceRoot[]> {
  if (settings.roots.length > 0) return settings.roots;
  // Whoever comes with a token may be on another machine, and must not choose what of this one it sees.
  if (caller.client.principal) throw refused('this gateway has no workspace for clients that come with a token');
  const folder = (await caller.folder()) ?? process.cwd();
  if (await isTooWide(folder)) throw refused(`${folder} is not taken as a workspace unless it is configured`);
  return [{ folder }];
}

/** Programs that a desktop starts stand in such folders, which nobody meant to open to an agent: home, and all above it. */
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
