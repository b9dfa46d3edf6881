import type { Caller } from '../../core/providers/provider.ts';

/**
 * Returns who owns the data of a caller's calls. Calls of one session have no secrets from each other; nor have modern
 * calls of one authenticated client. If no authentication is required, names tell programs apart that share an
 * endpoint, though nothing vouches for them.
 */
export function ownerOf({ sessionId, client }: Caller): string {
  const { era, clientId, principal, clientInfo = '' } = client;
  if (era === 'legacy' || sessionId === clientId) return sessionId;
  return principal ? clientId : `${clientId} ${clientInfo}`;
}
