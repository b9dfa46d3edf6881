import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GatewayError } from '../../core/errors.ts';
import { isInside } from '../../core/folders/is-inside.ts';
import type { WorkspaceSettings } from '../../core/workspace-settings.ts';
import { foldersUpFrom } from '../../projects/git/find-repository.ts';
import type { Guard } from '../../workspace/protection/guard.ts';
import { rootsFor } from '../../workspace/roots.ts';
import { groundHere, Sandbox } from '../../workspace/sandbox.ts';
import type { CallContext } from '../define.ts';

/** The part of a repository that a call is about. */
export interface CodePlace {
  /** Real path of the folder that is indexed as one repository. */
  readonly root: string;
  /** Relative to the root, with `/`; `undefined` for all of it. */
  readonly directory: string | undefined;
}

export interface PlacesOptions {
  readonly workspace: WorkspaceSettings;
  readonly guard: () => Guard;
}

/** Knows in which folders the code of a caller is, and which files of them it may read. */
export class Places {
  readonly #options: PlacesOptions;
  /** Folders that clients have chosen, by the client's id; real paths. */
  readonly #chosen = new Map<string, string>();

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Returns where a call searches that names no repository: the repository around the folder that its client works in, as far
   * as it may use it, or else all folders of the workspace.
   * @throws GatewayError where the client has no workspace
   */
  async ofCall(context: CallContext): Promise<readonly CodePlace[]> {
    const roots = await this.#roots(context);
    const folder = await this.#folderOf(context, roots);
    if (folder === undefined) return roots.map((root) => ({ root, directory: undefined }));
    const root = await repositoryAround(folder, roots.find((one) => isInside(one, folder))!);
    return [{ root, directory: relativeTo(root, folder) }];
  }

  /**
   * Returns the real path of a folder that a client names.
   * @throws GatewayError where it is no folder, or none that this client may use
   */
  async folder(place: string, context: CallContext): Promise<string> {
    const real = await realFolder(place);
    if (await this.mayUse(real, context)) return real;
    const what = `${JSON.stringify(place)} is not in the workspace of this client`;
    throw new GatewayError('OUTSIDE_WORKSPACE', `${what}: add it to workspace.roots in the config`, { effect: 'none' });
  }

  /** Returns whether a client may use a folder; `real` is its real path. */
  async mayUse(real: string, context: CallContext): Promise<boolean> {
    return (await this.#roots(context)).some((root) => isInside(root, real));
  }

  /** Binds a client to a folder, by its real path, until its session ends. */
  choose(clientId: string, real: string): void {
    this.#chosen.set(clientId, real);
  }

  forget(clientId: string): void {
    this.#chosen.delete(clientId);
  }

  /** Returns a function that tells whether tools may read a file of a repository, by its path relative to the root. */
  async readable(root: string): Promise<(file: string) => Promise<boolean>> {
    const sandbox = new Sandbox([{ folder: root }], await groundHere(), this.#options.guard());
    return async (file) => {
      try {
        return await sandbox.at(file, { intent: 'read', follow: true }, async () => true);
      } catch (error) {
        if (error instanceof GatewayError) return false;
        throw error;
      }
    };
  }

  async #roots(context: CallContext): Promise<readonly string[]> {
    const roots = await rootsFor(context, this.#options.workspace);
    const real = await Promise.all(roots.map(({ folder }) => realpath(folder).catch(() => undefined)));
    return real.filter((folder) => folder !== undefined);
  }

  /** The folder that a client has chosen or works in, where it lies in one of the roots. */
  async #folderOf(context: CallContext, roots: readonly string[]): Promise<string | undefined> {
    const folder = this.#chosen.get(context.client.id) ?? (await context.folder()) ?? aloneIn(roots);
    const real = folder === undefined ? undefined : await realpath(folder).catch(() => undefined);
    return real !== undefined && roots.some((root) => isInside(root, real)) ? real : aloneIn(roots);
  }
}

const aloneIn = (roots: readonly string[]) => (roots.length === 1 ? roots[0] : undefined);

/** Returns the top of the working tree that a folder is in, where that lies in the client's root, else the root. */
async function repositoryAround(folder: string, root: string): Promise<string> {
  const inRoot = foldersUpFrom(folder).filter((one) => isInside(root, one));
  for (const one of inRoot) if (await isThere(path.join(one, '.git'))) return one;
  return root;
}

function relativeTo(root: string, folder: string): string | undefined {
  return root === folder ? undefined : path.relative(root, folder).split(path.sep).join('/');
}

async function realFolder(place: string): Promise<string> {
  const real = await realpath(place).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real !== undefined && found?.isDirectory() === true) return real;
  const what = real === undefined ? 'Repository path does not exist' : 'Repository path is not a folder';
  throw new GatewayError('INVALID_PARAMS', `${what}: ${JSON.stringify(place)}`, { effect: 'none' });
}

async function isThere(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    () => false,
  );
}
