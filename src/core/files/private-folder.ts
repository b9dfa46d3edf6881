import { lstatSync } from 'node:fs';

/**
 * Says why other users could put files into a folder, or could choose which folder it is; `undefined` if it is this
 * user's alone. A folder with a guessable name in a place for temporary files may have been made by another user: as a
 * link it would lead to any folder of this user, so links are not followed.
 * @throws the system's error if there is nothing at the path
 */
export function whyNotPrivate(folder: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const facts = lstatSync(folder);
  if (facts.isSymbolicLink()) return 'it is a link';
  if (!facts.isDirectory()) return 'it is no folder';
  if (facts.uid !== process.getuid?.()) return 'it belongs to another user';
  return (facts.mode & 0o022) === 0 ? undefined : 'others may write to it';
}
