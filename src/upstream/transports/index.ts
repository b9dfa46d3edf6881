import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { stdio } from './stdio.ts';
import type { TransportDefinition } from './transport.ts';

/** The transport that most entries have is there at once; of the others, only users wait for their code. */
const TRANSPORTS: { readonly [type in UpstreamEntry['type']]: () => Promise<TransportDefinition> } = {
  stdio: async () => stdio,
  http: async () => (await import('./http.ts')).http,
  sse: async () => (await import('./sse.ts')).sse,
  tcp: async () => (await import('./tcp.ts')).tcp,
  unix: async () => (await import('./unix.ts')).unix,
  websocket: async () => (await import('./websocket.ts')).websocket,
  'ide-rest': async () => (await import('./ide-rest.ts')).ideRest,
};

/** The transport that an entry needs. */
export function transportFor(entry: UpstreamEntry): Promise<TransportDefinition> {
  return TRANSPORTS[entry.type]();
}
