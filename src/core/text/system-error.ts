/** The meaning of each system error, and what to do about it. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist. Check the path'],
  ['ENOTDIR', 'cannot be reached, because a part of its path is not a folder. Check the path'],
  ['EISDIR', 'is a folder, and a file is needed. Check the path'],
  ['EEXIST', 'is there already. Move it away, or name another path'],
  ['EACCES', 'may not be used by this user. Check its owner and its mode, and those of the folders above it'],
  ['EPERM', 'may not be used by this user. Check its owner and its mode, and those of the folders above it'],
  ['EROFS', 'is on a file system that is read-only. Name a path on another one'],
  ['ENOSPC', 'cannot be written, because the disk is full. Free some room'],
  ['EDQUOT', 'cannot be written, because the disk quota of this user is used up. Free some room'],
  ['EMFILE', 'cannot be opened, because too many files are open. Raise the limit: ulimit -n 4096'],
  ['ENFILE', 'cannot be opened, because too many files are open on this machine'],
  ['ENAMETOOLONG', 'has a name that is too long for this system'],
]);

/**
 * Says what an error of the file system means and what to do about it.
 * @returns `undefined` for any other error, and where the system does not say which file it is about
 */
export function systemErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const meaning = code === undefined ? undefined : MEANINGS.get(code);
  if (meaning === undefined || path === undefined || path === '') return undefined;
  return `${path} ${meaning} (${code}${syscall === undefined ? '' : `, ${syscall.split(' ')[0]}`})`;
}
