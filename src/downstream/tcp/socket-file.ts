import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { makeSocketFolder } from '../local-socket.ts';

/** A socket in the file system that clients find under a name of the user's choice. */
export interface SocketFile {
  /** Path that the server listens on; Node removes it when the server closes. */
  readonly bound: string;
  /** Gives the socket its name, once the server listens. @throws the system's error */
  publish(): void;
  /** Removes the name, unless another program has taken it meanwhile. */
  remove(): void;
}

/**
 * Prepares to listen on a path. A socket that a program of this user has left there is removed, anything else is not.
 * @throws Error if the folder is not this user's alone, something else is at the path, or a process listens there
 */
export async function prepareSocketFile(file: string): Promise<SocketFile> {
  if (process.platform === 'win32') return { bound: file, publish: () => undefined, remove: () => undefined };
  const folder = path.dirname(file);
  makeSocketFolder(folder);
  await removeLeft(file);
  const bound = path.join(folder, `.v${randomBytes(3).toString('hex')}`);
  let ours: Stats | undefined;
  return {
    bound,
    publish() {
      chmodSync(bound, 0o600);
      renameSync(bound, file);
      ours = lstatSync(file);
    },
    remove() {
      const there = factsOf(file);
      if (ours !== undefined && there?.ino === ours.ino && there.dev === ours.dev) rmSync(file, { force: true });
    },
  };
}

async function removeLeft(file: string): Promise<void> {
  const facts = factsOf(file);
  if (facts === undefined) return;
  if (!facts.isSocket()) throw new Error(`${file} already exists and is not a socket: name another path`);
  if (facts.uid !== process.getuid?.()) throw new Error(`${file} belongs to another user: name another path`);
  if (await isAnswered(file)) throw new Error(`another program listens on ${file}: end it, or name another path`);
  // If another program has created a new socket there meanwhile, it stays.
  if (factsOf(file)?.ino === facts.ino) rmSync(file, { force: true });
}

function factsOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}

/** Returns whether a program may listen on a socket: only a refused connection proves that none does. */
function isAnswered(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path: file });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}
