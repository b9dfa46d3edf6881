import {
  type AuthorizationServerMetadata,
  buildDiscoveryUrls,
  type FetchLike,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import type { LoginAuth, RemoteEntry, SecretAuth, UpstreamAuth } from '../../core/settings/upstream-entry.ts';
import type { CredentialStore, Credentials } from '../../core/stores/credentials.ts';
import { isAnswer, isAnswerOf } from './answers/mend-answer.ts';
import { clientInformationOf } from './client-identity.ts';
import { type GuardOptions, guardedFetch } from './guarded-fetch.ts';
import { readServer } from './server-metadata.ts';

export interface LogoutOptions {
  readonly entry: RemoteEntry;
  readonly auth: UpstreamAuth;
  readonly store: CredentialStore;
  readonly env: GuardOptions['env'];
}

/** The result of revoking the tokens at the authorization server; the gateway deletes its own copy in any case. */
export type Revocation = 'revoked' | 'not-offered' | 'failed' | 'no-tokens';

/** Tells the authorization server that the tokens are no longer needed (RFC 7009), and forgets them and the client. */
export async function logout({ entry, auth, store, env }: LogoutOptions): Promise<Revocation> {
  const fetchFn = guardedFetch({ entry, env });
  return store.exclusively(entry, async () => {
    const credentials = await store.load(entry).catch(() => undefined);
    await store.remove(entry);
    return credentials?.tokens === undefined ? 'no-tokens' : revoke(credentials, { entry, auth, fetchFn });
  });
}

interface Revoking extends Pick<LogoutOptions, 'entry' | 'auth'> {
  readonly fetchFn: FetchLike;
}

async function revoke(credentials: Credentials, { entry, auth, fetchFn }: Revoking): Promise<Revocation> {
  // They would have to be signed for; and they end within the hour, mostly.
  if (auth.type === 'private-key-jwt') return 'not-offered';
  try {
    const { issuer, metadata, foundAt } = await readServer(credentials, entry, fetchFn);
    const endpoint = await readRevocationEndpoint(foundAt ?? issuer, fetchFn);
    if (endpoint === undefined) return 'not-offered';
    for (const [hint, token] of tokensToRevoke(credentials)) {
      const { headers, params } = clientProof(credentials, auth, metadata);
      const body = new URLSearchParams({ token, token_type_hint: hint, ...params });
      const { ok } = await fetchFn(endpoint, { method: 'POST', headers: { ...FORM, ...headers }, body });
      if (!ok) return 'failed';
    }
    return 'revoked';
  } catch {
    return 'failed';
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Returns the tokens to revoke, the refresh token first: many servers then revoke everything that was issued with it. */
function tokensToRevoke({ tokens }: Credentials): [hint: string, token: string][] {
  if (tokens === undefined) return [];
  const { accessToken, refreshToken } = tokens;
  return [
    ...(refreshToken === undefined ? [] : [['refresh_token', refreshToken] as [string, string]]),
    ['access_token', accessToken],
  ];
}

/** The metadata of OpenID Connect has it too, though the SDK's reading of it has not. */
async function readRevocationEndpoint(issuer: string, fetchFn: FetchLike): Promise<string | undefined> {
  for (const { url } of buildDiscoveryUrls(issuer)) {
    const response = await fetchFn(url);
    if (!response.ok) continue;
    const metadata: unknown = await response.json().catch(() => undefined);
    if (!isAnswer(metadata) || !isAnswerOf('server', metadata)) continue;
    const { revocation_endpoint: endpoint } = metadata;
    return typeof endpoint === 'string' && endpoint !== '' ? endpoint : undefined;
  }
  return undefined;
}

function clientProof(
  { client }: Credentials,
  auth: LoginAuth | SecretAuth,
  { token_endpoint_auth_methods_supported: methods = [] }: AuthorizationServerMetadata,
): { readonly headers: Record<string, string>; readonly params: Record<string, string> } {
  const information = clientInformationOf(client, auth);
  const { client_id: id, client_secret: secret = '' } = information;
  switch (selectClientAuthMethod(information, methods)) {
    case 'client_secret_basic': {
      const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
      return { headers: { authorization: `Basic ${basic}` }, params: {} };
    }
    case 'client_secret_post':
      return { headers: {}, params: { client_id: id, client_secret: secret } };
    case 'none':
      return { headers: {}, params: { client_id: id } };
  }
}
