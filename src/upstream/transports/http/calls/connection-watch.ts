import type { ClientRequest } from 'node:http';

/** On a stream nothing may come for hours: what is between must not forget the connection, nor we a server that is gone. */
const KEEP_ALIVE_MS = 30_000;

/** Watches whether the connection of a request is made; it is kept alive from then on. */
export function watchConnection(request: ClientRequest): { readonly isMade: boolean } {
  const connection = { isMade: false };
  const onMade = () => {
    connection.isMade = true;
  };
  request.once('socket', (socket) => {
    if (request.reusedSocket) {
      onMade();
      return;
    }
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const isTls = 'encrypted' in socket;
    // The agent of a proxy hands over what is connected already.
    if (isTls || socket.connecting) socket.once(isTls ? 'secureConnect' : 'connect', onMade);
    else onMade();
  });
  return connection;
}

/** Returns true if the server has ended an idle connection in the moment in which we used it again. */
export function wasStale({ reusedSocket }: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
  return reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}
