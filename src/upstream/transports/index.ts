import type { UpstreamEntry } from '../../core/upstream-entry.ts';
import { http } from './http.ts';
import { ideRest } from './ide-rest.ts';
import { sse } from './sse.ts';
import { stdio } from './stdio.ts';
import { tcp } from './tcp.ts';
import type { TransportDefinition } from './transport.ts';
import { unix } from './unix.ts';
import { websocket } from './websocket.ts';

const TRANSPORTS: { readonly [type in UpstreamEntry['type']]: TransportDefinition } = {
  stdio,
  http,
  sse,
  tcp,
  unix,
  websocket,
  'ide-rest': ideRest,
};

/** The transport that an entry needs. */
export function transportFor(entry: UpstreamEntry): TransportDefinition {
  return TRANSPORTS[entry.type];
}
