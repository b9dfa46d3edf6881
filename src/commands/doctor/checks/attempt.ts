import type { RemoteEntry } from '../../../core/settings/upstream-entry.ts';
import { TRANSPORTS } from '../../../upstream/transports/manifests/index.ts';
import type { TransportTable } from '../../../upstream/transports/manifests/transport-table.ts';

/**
 * Returns a shell command with which a user can see whether the server of an entry answers.
 * @throws Error if no transport with a url has the type of the entry
 */
export function attemptOf(
  { type, url }: Pick<RemoteEntry, 'type' | 'url'>,
  transports: TransportTable = TRANSPORTS,
): string {
  return transports.urlOf(type).attempt(url);
}

/** Returns what a user can do if no server is found on the ports of an entry. */
export function adviceOf(type: string, transports: TransportTable = TRANSPORTS): string {
  return transports.portsOf(type).advice;
}
