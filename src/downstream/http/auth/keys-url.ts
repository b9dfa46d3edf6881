/**
 * Finds the url of an authorization server's keys in its metadata (RFC 8414, section 3; OpenID Connect Discovery).
 * `ask` throws if a url has nothing to read: servers with only one kind of metadata respond in many ways to requests
 * for the other.
 * @throws Error if there is no metadata, or if it belongs to another server
 */
export async function findKeysUrl(issuer: string, ask: (url: string) => Promise<Response>): Promise<string> {
  const problems: unknown[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const response = await ask(url);
      return keysIn((await response.json()) as Readonly<Record<string, unknown>>, issuer);
    } catch (error) {
      problems.push(error);
    }
  }
  throw new AggregateError(problems, 'the authorization server has no metadata that can be used');
}

function metadataUrls(issuer: string): Iterable<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  // The last two are one where the issuer has no path.
  return new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]);
}

function keysIn(metadata: Readonly<Record<string, unknown>>, issuer: string): string {
  if (metadata.issuer !== issuer) throw new Error('the metadata is of another issuer');
  const { jwks_uri: url } = metadata;
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error('the metadata names no keys');
  const { protocol, origin } = new URL(url);
  if (protocol !== 'https:' && origin !== new URL(issuer).origin) throw new Error('the keys are not behind https');
  return url;
}
