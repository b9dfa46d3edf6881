import { GatewayError } from '../core/errors.ts';
import type { WorkspaceRoot, WorkspaceSettings } from '../core/settings/workspace-settings.ts';
import type { Ground } from './ground/ground.ts';
import { hasOpenFolders, linuxGround } from './ground/linux-ground.ts';
import { portableGround } from './ground/portable-ground.ts';
import type { Place } from './place.ts';
import type { Guard } from './protection/guard.ts';
import type { Intent } from './protection/rules.ts';
import { rootsFor, type WorkspaceCaller } from './roots.ts';
import { type WalkOptions, walk } from './walk/walk.ts';

/** A folder of the workspace for as long as it is held. */
export interface WorkspaceFolder {
  /** The path to start a program in: it is this very folder, even if the path to it changes. */
  readonly cwd: string;
  /** The path without links: for people, and for `PWD`. */
  readonly realPath: string;
  /** Lets go of the folder. To be called as soon as the program has started; harmless when called twice. */
  close(): Promise<void>;
}

let ground: Promise<Ground> | undefined;

/** Returns the way in which folders are held on this machine. */
export function groundHere(): Promise<Ground> {
  ground ??= hasOpenFolders().then((has) => (has ? linuxGround : portableGround));
  return ground;
}

/**
 * Returns the part of this machine's files that a call may see and change, except what the guard keeps from it.
 * @throws GatewayError if the call may see none
 */
export async function sandboxOf(caller: WorkspaceCaller, settings: WorkspaceSettings, guard: Guard): Promise<Sandbox> {
  return new Sandbox(await rootsFor(caller, settings), await groundHere(), guard);
}

/** The purpose for which a path is looked up. */
export interface Purpose extends Omit<WalkOptions, 'closed'> {
  /** The operation about to be done there. */
  readonly intent: Intent;
}

/** Folders, and what is beneath them: every path is looked up inside, and every path that would lead out is refused. */
export class Sandbox {
  readonly roots: readonly WorkspaceRoot[];
  readonly ground: Ground;
  readonly #guard: Guard;

  constructor(roots: readonly WorkspaceRoot[], ground: Ground, guard: Guard) {
    this.roots = roots;
    this.ground = ground;
    this.#guard = guard;
  }

  /**
   * Does something at the place that a path means, which is held meanwhile.
   * @throws GatewayError for a path that leads out, or to what is protected
   */
  async at<T>(path: string, { intent, ...options }: Purpose, work: (place: Place) => Promise<T>): Promise<T> {
    const place = await this.#walk(path, options);
    try {
      await this.check(place, intent);
      return await work(place);
    } finally {
      await place.close();
    }
  }

  /**
   * Checks a change that was not known yet when the path was looked up.
   * @throws GatewayError
   */
  check(place: Place, intent: Intent): Promise<void> {
    return this.#guard.check(place, intent);
  }

  /** Opens a folder that is there. */
  async folder(path: string): Promise<WorkspaceFolder> {
    const place = await this.#walk(path, { follow: true });
    try {
      await this.check(place, 'read');
      if (place.folder === undefined)
        throw new GatewayError('FILE_FAILED', `${path} is not a folder of the workspace`, { effect: 'none' });
      const realPath = await place.realPath();
      let closed: Promise<void> | undefined;
      return { cwd: place.folder.path, realPath, close: () => (closed ??= place.close()) };
    } catch (error) {
      await place.close();
      throw error;
    }
  }

  async #walk(path: string, options: WalkOptions): Promise<Place> {
    const closed = await this.#guard.closedFolders();
    return walk(this.roots, this.ground, path, { ...options, closed });
  }
}
