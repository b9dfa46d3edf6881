import { GatewayError } from '../core/errors.ts';
import { errorCode } from './ground/ground.ts';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'the user that the gateway runs as has no permission',
  EPERM: 'the user that the gateway runs as has no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTEMPTY: 'the folder is not empty',
  EEXIST: 'there is something of this name already',
  EXDEV: 'it is on another file system: write it there, then delete it here',
  ELOOP: 'it was replaced by a symbolic link meanwhile: try again',
  EINVAL: 'the system does not allow this',
  ENAMETOOLONG: 'the name is too long for this file system',
  EBUSY: 'another program uses it, or something is mounted there',
  ETXTBSY: 'another program uses it',
  EMFILE: 'too many files are open: try again',
  ENFILE: 'too many files are open: try again',
  EFBIG: 'it is too large for this file system',
};

/** Returns a path as it is in messages. */
export function shownPath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}

/** Returns the error that nothing was done to a path, and why. */
export function failed(path: string, why: string): GatewayError {
  return new GatewayError('FILE_FAILED', `${shownPath(path)}: ${why}`, { effect: 'none' });
}

/** Returns the error that nothing was done to a path, because tools leave it alone. */
export function protectedFailure(path: string, why: string, advice: string): GatewayError {
  return new GatewayError('PATH_PROTECTED', `${shownPath(path)} is protected: ${why}; ${advice}`, { effect: 'none' });
}

/** Returns the system's fault with a path in words; any other error as it is. */
export function fileFailure(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof GatewayError || code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  const message = `${shownPath(path)}: ${WORDS[code] ?? 'the system refuses it'} (${code})`;
  return new GatewayError('FILE_FAILED', message, { effect: 'none', cause: error });
}
