import net from 'node:net';
import { ImpossibleError } from '../../core/impossible-error.ts';
import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import { SocketTransport } from './lines/socket-transport.ts';
import { lookupFor } from './network/local-lookup.ts';
import { defineTransport } from './transport.ts';

/** Finds out that the other machine is gone, where nothing is said for long. */
const KEEP_ALIVE_MS = 30_000;

/** A server that speaks newline-delimited JSON-RPC on a TCP port. */
export const tcp = defineTransport({
  async open(entry: RemoteEntry, events, context) {
    if (!URL.canParse(entry.url)) throw new ImpossibleError('its url is none');
    const { hostname, port } = new URL(entry.url);
    const socket = net.connect({
      // Without the brackets of an IPv6 address.
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
      // All addresses of a name are tried.
      autoSelectFamily: true,
      ...(await lookupFor({ hostname })),
    });
    return new SocketTransport(socket, events, context);
  },
});
