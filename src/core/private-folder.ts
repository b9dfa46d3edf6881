import { statSync } from 'node:fs';

/**
 * Whether a folder is this user's and nobody else can put files there. A folder with a name that anybody can guess, in
 * a place for temporary files, may have been made by somebody else before us.
 */
export function isPrivateFolder(folder: string): boolean {
  if (process.platform === 'win32') return true;
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}
