import path from 'node:path';
import type { ClientFolder } from './provider.ts';

/** The keys of `_meta` under which a request may name its client's working folder; the first one counts. */
export const FOLDER_META_KEYS = ['viaduct/cwd', 'cwd'] as const;

/** The notification with which a program on a pipe names its working folder; it is meant for `viaduct stdio` alone. */
export const FOLDER_NOTIFICATION = 'notifications/viaduct/folder';

/** Returns the folder that a client names, if it is a valid one. */
export function asFolder(text: unknown): string | undefined {
  return typeof text === 'string' && path.isAbsolute(text) && !text.includes('\0') ? text : undefined;
}

/** Returns the folder of a program on a pipe. */
export function startFolder(folder: string | undefined): ClientFolder | undefined {
  return folder === undefined ? undefined : { path: folder, source: 'start' };
}
