import { GatewayError } from '../core/errors.ts';
import type { WorkspaceRoot, WorkspaceSettings } from '../core/workspace-settings.ts';
import type { Ground } from './ground/ground.ts';
import { hasOpenFolders, linuxGround } from './ground/linux-ground.ts';
import { portableGround } from './ground/portable-ground.ts';
import type { Place } from './place.ts';
import { rootsFor, type WorkspaceCaller } from './roots.ts';
import { type WalkOptions, walk } from './walk.ts';

/** A folder of the workspace for as long as it is held. */
export interface WorkspaceFolder {
  /** To start a program in: it is this very folder, whatever happens to the way to it. */
  readonly cwd: string;
  /** Where it is, without links: for people, and for `PWD`. */
  readonly realPath: string;
  /** At once after the program was started; harmless when called twice. */
  close(): Promise<void>;
}

let ground: Promise<Ground> | undefined;

/** How folders are held on this machine. */
export function groundHere(): Promise<Ground> {
  ground ??= hasOpenFolders().then((has) => (has ? linuxGround : portableGround));
  return ground;
}

/** The part of this machine's files that a call may see and change. @throws GatewayError where there is none for it. */
export async function sandboxOf(caller: WorkspaceCaller, settings: WorkspaceSettings): Promise<Sandbox> {
  return new Sandbox(await rootsFor(caller, settings), await groundHere());
}

/** Folders, and what is beneath them: every path is looked up inside, and whatever would lead out is refused. */
export class Sandbox {
  readonly roots: readonly WorkspaceRoot[];
  readonly ground: Ground;

  constructor(roots: readonly WorkspaceRoot[], ground: Ground) {
    this.roots = roots;
    this.ground = ground;
  }

  /** Does something at the place that a path means, which is held meanwhile. @throws GatewayError for a path that leads out. */
  async at<T>(path: string, options: WalkOptions, work: (place: Place) => Promise<T>): Promise<T> {
    const place = await walk(this.roots, this.ground, path, options);
    try {
      return await work(place);
    } finally {
      await place.close();
    }
  }

  /** Opens a folder that is there. */
  async folder(path: string): Promise<WorkspaceFolder> {
    const place = await walk(this.roots, this.ground, path, { follow: true });
    try {
      if (place.folder === undefined)
        throw new GatewayError('FILE_FAILED', `${path} is no folder of the workspace`, { effect: 'none' });
      const realPath = await place.realPath();
      let closed: Promise<void> | undefined;
      return { cwd: place.folder.path, realPath, close: () => (closed ??= place.close()) };
    } catch (error) {
      await place.close();
      throw error;
    }
  }
}
