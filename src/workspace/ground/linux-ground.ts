import { constants } from 'node:fs';
import { type FileHandle, open, readlink, stat } from 'node:fs/promises';
import { errorCode, type Found, type Ground, type HeldFolder, type Identity } from './ground.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * Folders are open handles, and `/proc/self/fd/N/name` is a name in the folder that N has open, even after it was moved:
 * what `openat` does for programs in C. No process can replace the folder unnoticed.
 */
export const linuxGround: Ground = {
  open: async (folder) => hold(await open(folder, O_RDONLY | O_DIRECTORY)),
  enter,
};

async function enter(parent: HeldFolder, name: string): Promise<Found> {
  const path = parent.at(name);
  try {
    return { kind: 'folder', folder: await hold(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)) };
  } catch (error) {
    switch (errorCode(error)) {
      case 'ENOENT':
        return { kind: 'missing' };
      case 'EACCES':
      case 'EPERM':
        return { kind: 'locked' };
      case 'ENOTDIR':
      case 'ELOOP':
        return linkOrOther(path);
      default:
        throw error;
    }
  }
}

async function linkOrOther(path: string): Promise<Found> {
  try {
    return { kind: 'link', target: await readlink(path) };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EINVAL') return { kind: 'other' };
    if (code === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
}

async function hold(handle: FileHandle): Promise<HeldFolder> {
  const path = `/proc/self/fd/${handle.fd}`;
  try {
    const { dev, ino } = await handle.stat({ bigint: true });
    return new OpenFolder(handle, path, { dev, ino });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

class OpenFolder implements HeldFolder {
  readonly identity: Identity;
  readonly path: string;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, path: string, identity: Identity) {
    this.#handle = handle;
    this.path = path;
    this.identity = identity;
  }

  at(name: string): string {
    return `${this.path}/${name}`;
  }

  realPath(): Promise<string> {
    return readlink(this.path);
  }

  verify(): void {}

  /** Some file systems know no such thing. */
  async sync(): Promise<void> {
    await this.#handle.sync().catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** True if open folders can be reached by paths: without `/proc` they cannot. */
export async function hasOpenFolders(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    return (await stat('/proc/self/fd')).isDirectory();
  } catch {
    return false;
  }
}
