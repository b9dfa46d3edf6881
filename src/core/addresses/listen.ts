import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';

/**
 * Resolves once a server listens. What goes wrong with it later (a connection that cannot be accepted, where files run out)
 * is told to `onLost`: an unhandled error event ends the process.
 * @throws the system's error if the address cannot be had; the server may then try another
 */
export async function listen(server: Server, where: ListenOptions, onLost: (error: Error) => void): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(where);
  await listening;
  server.on('error', onLost);
}
