import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { TRANSPORTS } from './manifests/index.ts';
import type { TransportTable } from './manifests/transport-table.ts';
import type { TransportDefinition } from './transport.ts';

/**
 * Loads the transport that an entry needs.
 * @throws Error if no transport has the type of the entry
 */
export function transportFor(
  { type }: Pick<UpstreamEntry, 'type'>,
  transports: TransportTable = TRANSPORTS,
): Promise<TransportDefinition> {
  return transports.named(type).load();
}
