import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { Challenge } from './token-source.ts';

/** Reads a `WWW-Authenticate`. */
export function readChallenge(header: string | undefined): Challenge {
  if (header === undefined) return { isBearer: false };
  const headers = new Headers({ 'www-authenticate': header });
  const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(new Response(null, { headers }));
  return { isBearer: /^\s*(bearer|dpop)\b/i.test(header), error, scope, resourceMetadata: resourceMetadataUrl?.href };
}
