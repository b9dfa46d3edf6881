import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;
/** In such a folder only the owner of a file may rename or remove it, as in /tmp. */
const STICKY = 0o1000;

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
  return whyNotOwn(facts);
}

/** Says why other users could change a file or the content of a folder; `undefined` if only this user can. */
export function whyNotOwn({ uid, mode }: Stats): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (uid !== process.getuid?.()) return 'it belongs to another user';
  return (mode & WRITABLE_BY_OTHERS) === 0 ? undefined : 'others may write to it';
}

/**
 * Says why other users could change the content of a private folder, or could put another folder in its place;
 * `undefined` if they cannot.
 * @param place absolute and without links (`realpath`)
 * @throws the system's error if there is nothing at the path
 */
export function whyReplaceable(place: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const problem = whyNotPrivate(place);
  if (problem !== undefined) return problem;
  for (let folder = path.dirname(place); ; folder = path.dirname(folder)) {
    if (!keepsItsFolders(lstatSync(folder))) return `others may rename what is in ${folder}`;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function keepsItsFolders({ uid, mode }: Stats): boolean {
  const isOfOwner = uid === 0 || uid === process.getuid?.();
  return isOfOwner && ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0);
}
