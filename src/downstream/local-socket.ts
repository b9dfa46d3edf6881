import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { listen } from '../core/addresses/listen.ts';
import { whyNotPrivate } from '../core/files/private-folder.ts';
import { makeFolder } from '../core/folders/make-folder.ts';
import type { StreamClient } from './stream-client.ts';

export interface LocalSocket {
  /** Takes no more clients. */
  stopListening(): void;
  /** Ends all clients; resolves when every connection is closed. */
  close(): Promise<void>;
}

/** A client that does not hang up when it is told that all is over loses its connection after this. */
const CLOSE_MS = 500;

/**
 * Listens on a socket in the file system (a named pipe on Windows) that only this user can open. Each connection is a
 * client; `serve` makes it one. The socket is removed when it stops listening.
 * @throws when the path cannot be listened on, or something is there already
 */
export async function listenLocally(file: string, serve: (socket: Socket) => StreamClient): Promise<LocalSocket> {
  const isPipe = process.platform === 'win32';
  if (!isPipe) makeSocketFolder(path.dirname(file));
  const clients = new Set<StreamClient>();
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const client = serve(socket);
    clients.add(client);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void client.ended.then(() => clients.delete(client));
  });
  // A client whose connection cannot be accepted notices that itself.
  await listen(server, { path: file }, () => undefined);
  if (!isPipe) await chmod(file, 0o600);
  let closed: Promise<void> | undefined;
  const stopListening = () => (closed ??= new Promise((resolve) => server.close(() => resolve())));
  return {
    stopListening: () => void stopListening(),
    async close() {
      for (const client of clients) client.close('the gateway stops');
      const cut = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), CLOSE_MS);
      await stopListening();
      clearTimeout(cut);
    },
  };
}

/**
 * Makes the folder of a socket, if missing.
 * @throws Error if others than this user could put files into it
 */
export function makeSocketFolder(folder: string): void {
  makeFolder(folder, 0o700);
  const problem = whyNotPrivate(folder);
  if (problem === undefined) return;
  throw new Error(
    `the socket cannot be in ${folder}: ${problem}. Make it a folder that only you can write to (chmod 700)`,
  );
}
