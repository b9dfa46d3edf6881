import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRunning, ownStamp, stampIn, stampText } from '../../core/processes/process-stamp.ts';

/** A browser may still write while its processes end. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/** As Chrome, Chromium and Edge name the folders of their sockets. */
const SOCKET_FOLDER = /^(?:org|com)\.[\w.]{1,40}\.[A-Za-z0-9]{6}$/;

/** Nothing is loaded in advance: the requests for that are not shown to the guard. */
const PREFERENCES = { net: { network_prediction_options: 2 } };

/**
 * Makes a folder for the profile of a browser, and removes those of gateways that were killed.
 * @param home the gateway's folder for its own files
 * @returns an absolute path; `removeProfile` removes it
 * @throws the system's error; then no folder is left
 */
export async function makeProfile(home: string): Promise<string> {
  const folder = path.join(home, 'webview');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder);
  const profile = path.join(folder, `${stampText(ownStamp())}.${randomBytes(6).toString('hex')}`);
  await mkdir(profile, { mode: 0o700 });
  try {
    await writePreferences(path.join(profile, 'Default'));
  } catch (error) {
    await removeProfile(profile);
    throw error;
  }
  return profile;
}

async function writePreferences(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await writeFile(path.join(folder, 'Preferences'), JSON.stringify(PREFERENCES));
}

/**
 * Removes a profile and everything in it, and the folder of the browser's socket: a browser that is killed leaves it.
 * @throws the system's error if something is left
 */
export async function removeProfile(profile: string): Promise<void> {
  const socketFolder = await socketFolderOf(profile);
  await rm(profile, REMOVAL);
  if (socketFolder !== undefined) await rm(socketFolder, REMOVAL);
}

/** Chrome keeps its socket in a folder of its own in the folder for temporary files, and a link to it in the profile. */
async function socketFolderOf(profile: string): Promise<string | undefined> {
  try {
    const folder = path.dirname(await readlink(path.join(profile, 'SingletonSocket')));
    if (!SOCKET_FOLDER.test(path.basename(folder))) return undefined;
    const { uid } = await lstat(folder);
    return uid === process.getuid?.() ? folder : undefined;
  } catch {
    return undefined; // The browser has made none, or has removed it.
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = stampIn(name.slice(0, Math.max(0, name.lastIndexOf('.'))));
    if (owner !== undefined && isRunning(owner) === false) await removeProfile(path.join(folder, name));
  }
}
