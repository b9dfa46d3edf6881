import type { OAuthRules } from './access-tokens.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where clients find the metadata of a resource: its path comes last (RFC 9728, section 3.1). */
export function metadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
}

/** Whether a request asks for the metadata; by either form, as clients try both. */
export function isMetadataPath(path: string, resource: string): boolean {
  return path === WELL_KNOWN || path === new URL(metadataUrl(resource)).pathname;
}

/** What clients must know to get a token (RFC 9728, section 2). */
export function resourceMetadata({ issuer, audience, scopes }: OAuthRules): string {
  return JSON.stringify({
    resource: audience,
    resource_name: 'Viaduct',
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  });
}
