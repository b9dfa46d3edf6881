import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { GatewayError } from '../../core/errors.ts';
import { foldersUpFrom } from '../git/find-repository.ts';

const MAX_LENGTH = 4_096;

/** A folder that a client named. */
export interface ClientFolder {
  /** Without symbolic links, as far as it is there. */
  readonly path: string;
  /** The folder itself, or the nearest one above it that is there. */
  readonly existing: string;
}

/** Finds a folder by its absolute path or `file://` URI. A file stands for the folder that it is in. */
export async function clientFolder(cwd: string): Promise<ClientFolder> {
  const folder = path.resolve(absolutePath(cwd));
  for (const place of foldersUpFrom(folder)) {
    const existing = await realFolder(place);
    // A folder that was removed, or is on another machine, still has a name.
    if (existing !== undefined)
      return {
        path: path.join(existing.path, existing.isFile ? '' : path.relative(place, folder)),
        existing: existing.path,
      };
  }
  return { path: folder, existing: path.parse(folder).root };
}

async function realFolder(place: string): Promise<{ path: string; isFile: boolean } | undefined> {
  try {
    const real = await realpath(place);
    return (await stat(real)).isDirectory()
      ? { path: real, isFile: false }
      : { path: path.dirname(real), isFile: true };
  } catch {
    return undefined;
  }
}

function absolutePath(cwd: string): string {
  const place = /^file:/i.test(cwd) ? pathOfUri(cwd) : cwd;
  if (path.isAbsolute(place) && !place.includes('\0') && place.length <= MAX_LENGTH) return place;
  throw refused(cwd);
}

function pathOfUri(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw refused(uri);
  }
}

function refused(cwd: string): GatewayError {
  const shown = JSON.stringify(cwd.slice(0, 200));
  return new GatewayError('INVALID_PARAMS', `invalid cwd: must be an absolute path of this machine, got ${shown}`);
}
