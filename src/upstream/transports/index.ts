import type { UpstreamEntry } from '../../core/upstream-entry.ts';
import { http } from './http.ts';
import { ideRest } from './ide-rest.ts';
import { stdio } from './stdio.ts';
import type { TransportDefinition } from './transport.ts';

const TRANSPORTS: { readonly [type in UpstreamEntry['type']]: TransportDefinition } = {
  stdio,
  http,
  'ide-rest': ideRest,
};

/** The transport that an entry needs. */
export function transportFor(entry: UpstreamEntry): TransportDefinition {
  return TRANSPORTS[entry.type];
}
