import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GatewayError } from '../../core/errors.ts';
import { isInside } from '../../core/folders/is-inside.ts';
import { realPlace } from '../../core/folders/real-place.ts';
import type { WorkspaceSettings } from '../../core/settings/workspace-settings.ts';
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

const READING = { intent: 'read', follow: true } as const;

/** Knows in which folders the code of a caller is, and which files of them it may read. */
export class Places {
  readonly #options: PlacesOptions;
  /** Folders that clients have chosen, by the client's id; real paths. */
  readonly #chosen = new Map<string, string>();

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Returns where a call without a repository searches: in the folder that its client works in, or else in all folders of the
   * workspace.
   * @throws GatewayError if the client has no workspace
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
   * @throws GatewayError if it is no folder, none that this client may use, or one that tools leave alone
   */
  async folder(place: string, context: CallContext): Promise<string> {
    const { real, root } = await this.#reach(place, context);
    const found = (await isThere(root)) ? await this.#statAt(root, real) : undefined;
    if (found?.isDirectory() === true) return real;
    const what = found === undefined ? 'Repository path does not exist' : 'Repository path is not a folder';
    throw new GatewayError('INVALID_PARAMS', `${what}: ${JSON.stringify(place)}`, { effect: 'none' });
  }

  /**
   * Returns the repository and the path in it of a file or folder that a client names; it need not be there.
   * @param place absolute, or relative to the folder that the client works in
   * @throws GatewayError if this client may not use it
   */
  async find(place: string, context: CallContext): Promise<{ readonly root: string; readonly relative: string }> {
    const [own] = await this.ofCall(context);
    const full = own === undefined ? place : path.resolve(own.root, own.directory ?? '.', place);
    const { real, root } = await this.#reach(full, context);
    const repository = own !== undefined && isInside(own.root, real) ? own.root : await repositoryAround(real, root);
    return { root: repository, relative: relativeTo(repository, real) ?? '' };
  }

  /** Returns whether a client may use a folder of the index. A link that is in its place now leads elsewhere. */
  async mayUse(folder: string, context: CallContext): Promise<boolean> {
    const roots = await this.#roots(context);
    return roots.some((root) => isInside(root, folder)) && (await realPlace(folder)) === folder;
  }

  /** Binds a client to a folder, by its real path, until its session ends. */
  choose(clientId: string, real: string): void {
    this.#chosen.set(clientId, real);
  }

  forget(clientId: string): void {
    this.#chosen.delete(clientId);
  }

  /** Returns a function that checks whether tools may read a file, given its path relative to the root. */
  async readable(root: string): Promise<(file: string) => Promise<boolean>> {
    const sandbox = await this.#sandbox(root);
    return async (file) => {
      try {
        return await sandbox.at(file, READING, async () => true);
      } catch (error) {
        if (error instanceof GatewayError) return false;
        throw error;
      }
    };
  }

  /** @throws GatewayError if tools leave the place alone, whether it exists or not */
  async #statAt(root: string, real: string): Promise<Stats | undefined> {
    const sandbox = await this.#sandbox(root);
    return sandbox.at(path.relative(root, real) || '.', READING, () => stat(real).catch(() => undefined));
  }

  async #sandbox(root: string): Promise<Sandbox> {
    return new Sandbox([{ folder: root }], await groundHere(), this.#options.guard());
  }

  /** Says nothing of a place outside of the workspace, not even whether it exists. */
  async #reach(place: string, context: CallContext): Promise<{ readonly real: string; readonly root: string }> {
    const [roots, real] = await Promise.all([this.#allowed(context), realPlace(place)]);
    const root = real === undefined ? undefined : roots.find((one) => isInside(one, real));
    if (real !== undefined && root !== undefined) return { real, root };
    const what = `${JSON.stringify(place)} is not in the workspace of this client`;
    throw new GatewayError('OUTSIDE_WORKSPACE', `${what}: add it to workspace.roots in the config`, { effect: 'none' });
  }

  /** Real paths of the folders that a call may work in, as far as they are there. */
  async #roots(context: CallContext): Promise<readonly string[]> {
    const roots = await this.#allowed(context);
    const isRoot = await Promise.all(roots.map(isThere));
    return roots.filter((_, index) => isRoot[index]);
  }

  async #allowed(context: CallContext): Promise<readonly string[]> {
    const roots = await rootsFor(context, this.#options.workspace);
    const real = await Promise.all(roots.map(({ folder }) => realPlace(folder)));
    return real.filter((folder) => folder !== undefined);
  }

  /** Returns the folder that a client has chosen or works in, if it lies in one of the roots. */
  async #folderOf(context: CallContext, roots: readonly string[]): Promise<string | undefined> {
    const folder = this.#chosen.get(context.client.id) ?? (await folderOf(context)) ?? aloneIn(roots);
    const real = folder === undefined ? undefined : await realpath(folder).catch(() => undefined);
    return real !== undefined && roots.some((root) => isInside(root, real)) ? real : aloneIn(roots);
  }
}

/** Returns the client's folder; `undefined` if the client may not use it, because it may be a folder of another machine. */
async function folderOf(context: CallContext): Promise<string | undefined> {
  try {
    return await context.folder();
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'OUTSIDE_WORKSPACE') return undefined;
    throw error;
  }
}

const aloneIn = (roots: readonly string[]) => (roots.length === 1 ? roots[0] : undefined);

/** Returns the top of the working tree that a file or folder is in, where that lies in the client's root, else the root. */
async function repositoryAround(folder: string, root: string): Promise<string> {
  const inRoot = foldersUpFrom(folder).filter((one) => isInside(root, one));
  for (const one of inRoot) if (await isThere(path.join(one, '.git'))) return one;
  return root;
}

function relativeTo(root: string, folder: string): string | undefined {
  return root === folder ? undefined : path.relative(root, folder).split(path.sep).join('/');
}

async function isThere(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    () => false,
  );
}
