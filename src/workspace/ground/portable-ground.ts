import { lstatSync } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GatewayError } from '../../core/errors.ts';
import { errorCode, type Found, type Ground, type HeldFolder, type Identity, isSame } from './ground.ts';

/**
 * Folders are paths without links, and what they were when they were looked at. If a folder was replaced between a look
 * and its use, `verify` finds out afterwards: data that was read until then is discarded.
 */
export const portableGround: Ground = {
  open: async (folder) => {
    const real = await realpath(folder);
    const { dev, ino } = await stat(real, { bigint: true });
    return new KnownFolder(undefined, real, { dev, ino });
  },
  enter,
};

async function enter(parent: HeldFolder, name: string): Promise<Found> {
  const place = parent.at(name);
  try {
    const facts = await lstat(place, { bigint: true });
    if (facts.isDirectory()) return { kind: 'folder', folder: new KnownFolder(parent, place, facts) };
    return facts.isSymbolicLink() ? { kind: 'link', target: await readlink(place) } : { kind: 'other' };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { kind: 'missing' };
    if (code === 'EACCES' || code === 'EPERM') return { kind: 'locked' };
    throw error;
  }
}

class KnownFolder implements HeldFolder {
  readonly identity: Identity;
  readonly path: string;
  readonly #parent: HeldFolder | undefined;

  constructor(parent: HeldFolder | undefined, place: string, { dev, ino }: Identity) {
    this.#parent = parent;
    this.path = place;
    this.identity = { dev, ino };
  }

  at(name: string): string {
    return path.join(this.path, name);
  }

  async realPath(): Promise<string> {
    return this.path;
  }

  verify(): void {
    if (!this.#isAsItWas())
      throw new GatewayError('FILE_FAILED', `A folder on the way was replaced meanwhile: ${path.basename(this.path)}`);
    this.#parent?.verify();
  }

  #isAsItWas(): boolean {
    try {
      const now = lstatSync(this.path, { bigint: true });
      return now.isDirectory() && isSame(now, this.identity);
    } catch {
      return false;
    }
  }

  /** Windows opens no folders. */
  async sync(): Promise<void> {
    try {
      const handle = await open(this.path);
      await handle.sync().finally(() => handle.close());
    } catch {
      return;
    }
  }

  async close(): Promise<void> {}
}
