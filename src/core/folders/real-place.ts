import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns the real path of an absolute one. What is missing is taken to be in the nearest folder above it that is there;
 * `undefined` for a link that leads nowhere, and for what cannot be looked at.
 */
export async function realPlace(place: string): Promise<string | undefined> {
  if (!path.isAbsolute(place) || place.includes('\0')) return undefined;
  let existing = path.resolve(place);
  const missing: string[] = [];
  for (;;) {
    try {
      return path.join(await realpath(existing), ...missing);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const parent = path.dirname(existing);
      const isMissing = (code === 'ENOENT' || code === 'ENOTDIR') && !(await isThere(existing));
      if (!isMissing || parent === existing) return undefined;
      missing.unshift(path.basename(existing));
      existing = parent;
    }
  }
}

async function isThere(place: string): Promise<boolean> {
  try {
    await lstat(place);
    return true;
  } catch {
    return false;
  }
}
