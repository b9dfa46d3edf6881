import { createHash, randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { userHome } from '../../core/folders/user-home.ts';
import type { Environment } from '../../core/settings/environment.ts';

/** Longest path of a socket that every system takes. */
const MAX_SOCKET_PATH = 100;

/** Returns the gateway's folder for its own files. */
export function homeFolder(env: Environment): string {
  return path.resolve(env.VIADUCT_HOME || path.join(userHome(env), '.viaduct'));
}

export interface DaemonPaths {
  /** Says which gateway serves a config. */
  readonly record: string;
  /** The folder of the sockets on which gateways listen for this user's own programs. */
  readonly socketFolder: string;
}

/** The files of a shared gateway. */
export interface SharedPaths extends DaemonPaths {
  /** Lock of the client that starts it. */
  readonly start: string;
  /** Lock of the gateway itself. */
  readonly owner: string;
  /** The reason why the last start failed. */
  readonly failure: string;
  readonly log: string;
}

/** Returns the files of the gateway that serves a config; the same for every way of writing the config's path. */
export function daemonPaths(home: string, configPath: string): DaemonPaths {
  return pathsOf(home, `${nameOf(configPath)}.json`);
}

/** Returns the files of the shared gateway with a key (`sharedKey`). */
export function sharedPaths(home: string, key: string): SharedPaths {
  const base = path.join(runFolder(home), `${SHARED}${key}`);
  const paths = pathsOf(home, `${SHARED}${key}.json`);
  return { ...paths, start: `${base}.start`, owner: `${base}.owner`, failure: `${base}.failed`, log: `${base}.log` };
}

/** Returns whether a file of the folder `run` is the record of a shared gateway. */
export function isSharedRecord(file: string): boolean {
  return path.basename(file).startsWith(SHARED) && file.endsWith('.json');
}

/** Returns the files about a config that any gateway of it may use. */
export function configFiles(home: string, configPath: string): { readonly facts: string } {
  return { facts: path.join(runFolder(home), `${nameOf(configPath)}.facts`) };
}

/** Returns the folder of the files of gateways that run. */
export function runFolder(home: string): string {
  return path.join(home, 'run');
}

const SHARED = 'shared-';

function nameOf(configPath: string): string {
  return createHash('sha256').update(realPath(configPath)).digest('hex').slice(0, 12);
}

function pathsOf(home: string, record: string): DaemonPaths {
  const folder = runFolder(home);
  const paths = { record: path.join(folder, record), socketFolder: folder };
  if (process.platform === 'win32') return { ...paths, socketFolder: '\\\\.\\pipe' };
  if (newSocket(paths).length <= MAX_SOCKET_PATH) return paths;
  return { ...paths, socketFolder: path.join(tmpdir(), `viaduct-${process.getuid?.() ?? 0}`) };
}

/** Returns a path that no other gateway listens on: the one that ends removes its socket, while the next one has another. */
export function newSocket({ record, socketFolder }: DaemonPaths): string {
  const name = `${path.basename(record, '.json')}-${randomBytes(4).toString('hex')}`;
  return process.platform === 'win32' ? `${socketFolder}\\viaduct-${name}` : path.join(socketFolder, `${name}.sock`);
}

/** Returns a path without links, so that one file has one name. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
