import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import type { ClientIdentity } from '../../core/stores/credentials.ts';

/** Returns a client as the SDK wants it. A secret of the config is not kept anywhere else. */
export function clientInformationOf(
  client: ClientIdentity,
  { clientSecret }: { readonly clientSecret?: string | undefined },
): OAuthClientInformationMixed {
  const secret = client.secret ?? clientSecret;
  return {
    client_id: client.id,
    ...(secret !== undefined && { client_secret: secret }),
    ...(client.authMethod !== undefined && {
      token_endpoint_auth_method: client.authMethod,
      redirect_uris: client.redirectUri === undefined ? [] : [client.redirectUri],
    }),
  };
}
