import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { listen } from '../core/addresses/listen.ts';
import { whyNotPrivate } from '../core/files/private-folder.ts';
import { makeFolder } from '../core/folders/make-folder.ts';
import { admit, type Introduction } from '../core/handshake/introduce.ts';
import type { StreamClient } from './stream-client.ts';

export interface LocalSocketOptions {
  /** Path of the socket. */
  readonly file: string;
  /** The secret that a client must know, and the gateway proves to know. */
  readonly secret: string;
  /** Makes a connection a client, once both ends have proved who they are. */
  readonly serve: (socket: Socket) => StreamClient;
  /** Hears of connections as they come and go; optional. */
  readonly guests?: GuestBook | undefined;
}

/** Hears of the connections of a local socket. */
export interface GuestBook {
  /** A connection has come. Returns `undefined` if no more are taken. */
  arrived(): Guest | undefined;
}

/** One connection, as a guest book knows it. */
export interface Guest {
  /** It has proved who it is. */
  introduced(introduction: Introduction): void;
  /** It has ended. */
  left(): void;
}

export interface LocalSocket {
  /** Takes no more clients. */
  stopListening(): void;
  /** Ends all clients; resolves when every connection is closed. */
  close(): Promise<void>;
}

/** A client that does not hang up when it is told that all is over loses its connection after this. */
const CLOSE_MS = 500;

/** Guests of a socket whose guests are not counted. */
const ANYBODY: GuestBook = { arrived: () => ({ introduced: () => undefined, left: () => undefined }) };

/**
 * Listens on a socket in the file system (a named pipe on Windows) that only this user can open. Each connection that proves to
 * know the secret is a client. The socket is removed when it stops listening.
 * @throws when the path cannot be listened on, or something is there already
 */
export async function listenLocally(options: LocalSocketOptions): Promise<LocalSocket> {
  const { file } = options;
  const isPipe = process.platform === 'win32';
  if (!isPipe) makeSocketFolder(path.dirname(file));
  const connections = new LocalConnections(options);
  const server = createServer({ allowHalfOpen: true }, (socket) => connections.take(socket));
  // A client whose connection cannot be accepted notices that itself.
  await listen(server, { path: file }, () => undefined);
  if (!isPipe) await chmod(file, 0o600);
  let closed: Promise<void> | undefined;
  const stopListening = () => (closed ??= new Promise((resolve) => server.close(() => resolve())));
  return {
    stopListening: () => void stopListening(),
    async close() {
      connections.end();
      const cut = setTimeout(() => connections.cut(), CLOSE_MS);
      await stopListening();
      clearTimeout(cut);
    },
  };
}

/** The connections of a local socket, from the first byte to the last. */
class LocalConnections {
  readonly #options: LocalSocketOptions;
  readonly #clients = new Set<StreamClient>();
  readonly #sockets = new Set<Socket>();
  #hasEnded = false;

  constructor(options: LocalSocketOptions) {
    this.#options = options;
  }

  /** Takes a connection, if any are taken. */
  take(socket: Socket): void {
    const guest = (this.#options.guests ?? ANYBODY).arrived();
    if (guest === undefined) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    // Without a listener an error would end the process; code that waits for the socket hears of its end.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      guest.left();
    });
    void this.#admit(socket, guest);
  }

  /** Ends all clients. */
  end(): void {
    this.#hasEnded = true;
    for (const client of this.#clients) client.close('the gateway stops');
  }

  /** Ends the connections that are left. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #admit(socket: Socket, guest: Guest): Promise<void> {
    const { secret, serve } = this.#options;
    const introduction = await admit(socket, secret);
    if (introduction === undefined || this.#hasEnded || socket.destroyed) {
      socket.destroy();
      return;
    }
    guest.introduced(introduction);
    const client = serve(socket);
    this.#clients.add(client);
    void client.ended.then(() => this.#clients.delete(client));
  }
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
