import { PROFILE_NOTIFICATION } from '../../../core/access/client-grant.ts';
import { FOLDER_NOTIFICATION } from '../../../core/providers/client-folder.ts';

interface ClientFacts {
  /** The folder in which the client was started. */
  readonly folder: string;
  /** The profile of the client. */
  readonly profile: string;
  /** Number of agents, started by gateways, between the client and the user. */
  readonly depth: number;
}

/** Returns the lines that tell a gateway who its client is. */
export function introductionOf({ folder, profile, depth }: ClientFacts): string {
  return `${notice(PROFILE_NOTIFICATION, { profile })}${notice(FOLDER_NOTIFICATION, { folder, depth: String(depth) })}`;
}

function notice(method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`;
}
