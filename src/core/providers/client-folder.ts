import path from 'node:path';
import type { ClientFolder } from './provider.ts';

/** Under these keys of `_meta` a request may say in which folder its client works; the first one counts. */
export const FOLDER_META_KEYS = ['viaduct/cwd', 'cwd'] as const;

/** With this notification a program on a pipe says in which folder it works; it is meant for `viaduct stdio` alone. */
export const FOLDER_NOTIFICATION = 'notifications/viaduct/folder';

/** Returns the folder that a client names, if it is a valid one. */
export function asFolder(text: unknown): string | undefined {
  return typeof text === 'string' && path.isAbsolute(text) && !text.includes('\0') ? text : undefined;
}

/** The folder of a program on a pipe. */
export function startFolder(folder: string | undefined): ClientFolder | undefined {
  return folder === undefined ? undefined : { path: folder, source: 'start' };
}
