import net from 'node:net';
import { ImpossibleError } from '../../core/impossible-error.ts';
import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import { SocketTransport } from './lines/socket-transport.ts';
import { defineTransport } from './transport.ts';

/** The longest socket path that every system accepts, in bytes; a longer one would be cut off and name another file. */
const MAX_PATH_BYTES = 103;

/** A server that speaks newline-delimited JSON-RPC on a Unix socket. */
export const unix = defineTransport({
  open(entry: RemoteEntry, events, context) {
    const path = entry.url.slice('unix://'.length);
    if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
      throw new ImpossibleError(`the path of its socket is longer than ${MAX_PATH_BYTES} bytes`);
    }
    return Promise.resolve(new SocketTransport(net.connect({ path }), events, context));
  },
});
