import { finished } from 'node:stream/promises';
import { PROFILE_NOTIFICATION } from '../../core/access/client-grant.ts';
import { FOLDER_NOTIFICATION } from '../../core/providers/client-folder.ts';
import type { RunningDaemon } from '../../gateway/serving/daemon-record.ts';
import type { StdioClient, StdioServing } from './stdio-client.ts';

/** Copies bytes in both directions. The running gateway does the rest, once it knows in which folder the client works. */
export function attach({ socket }: RunningDaemon, client: StdioClient & { readonly depth: number }): StdioServing {
  const { input, output, folder, profile, depth } = client;
  let inputEnded = false;
  input.on('end', () => {
    inputEnded = true;
  });
  // It may be a socket whose client was killed.
  input.on('error', () => {
    inputEnded = true;
    socket.destroy();
  });
  const tell = (method: string, params: object) =>
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  tell(PROFILE_NOTIFICATION, { profile });
  tell(FOLDER_NOTIFICATION, { folder, depth: String(depth) });
  input.pipe(socket);
  socket.pipe(output, { end: false });
  output.on('error', () => socket.destroy());
  const ended = finished(socket, { writable: false }).then(
    () => ({ clean: inputEnded, reason: 'the gateway has closed the connection' }),
    (error: Error) => ({ clean: inputEnded, reason: `the connection to the gateway broke: ${error.message}` }),
  );
  return {
    ended,
    stop: async () => {
      socket.destroy();
    },
  };
}
