import type { OAuthRules } from './access-tokens.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Returns the url of a resource's metadata: the resource's path comes last (RFC 9728, section 3.1). */
export function metadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
}

/** Returns true if a request asks for the metadata, by either form of its path, because clients try both. */
export function isMetadataPath(path: string, resource: string): boolean {
  return path === WELL_KNOWN || path === new URL(metadataUrl(resource)).pathname;
}

/** Returns the metadata that clients need to get a token (RFC 9728, section 2), as JSON. */
export function resourceMetadata({ issuer, audience, scopes }: OAuthRules): string {
  return JSON.stringify({
    resource: audience,
    resource_name: 'Viaduct',
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  });
}
