import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { atEnd } from '../shared.ts';

/** A request to the token endpoint, and how it ended. */
export interface TokenRequest {
  readonly grantType: string;
  readonly status: number;
  readonly resource: string | undefined;
}

export interface AuthorizationServer {
  readonly issuer: string;
  readonly provider: Provider;
  readonly tokenRequests: readonly TokenRequest[];
  readonly registrations: () => number;
  /** All refresh tokens are taken back. */
  revokeAll(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly clients?: readonly object[];
}

const SCOPES = 'read write';

/**
 * A real authorization server (oidc-provider) on a free port of this machine: registration, PKCE, resource indicators,
 * rotation of refresh tokens, revocation. Every user is Ada, who agrees to everything.
 */
export async function startAuthorizationServer(options: ServerOptions = {}): Promise<AuthorizationServer> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refreshTokens = new Set<{ destroy(): Promise<void> }>();
  const tokenRequests: TokenRequest[] = [];
  let registrations = 0;
  const provider = quietly(() => new Provider(issuer, configuration(options)));
  provider.on('refresh_token.saved', (token: { destroy(): Promise<void> }) => refreshTokens.add(token));
  provider.on('registration_create.success', () => registrations++);
  provider.use(async (context, next) => {
    await next();
    if (context.path !== '/token') return;
    const { grant_type: grantType, resource } = context.oidc?.params ?? {};
    tokenRequests.push({ grantType, resource, status: context.status });
  });
  const serve = provider.callback();
  answer = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void agree(provider, request, response);
    else serve(request, response);
  };
  const stop = async () => {
    const stopped = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await stopped;
  };
  atEnd(stop);
  return {
    issuer,
    provider,
    tokenRequests,
    registrations: () => registrations,
    revokeAll: async () => {
      for (const token of refreshTokens) await token.destroy();
    },
    stop,
  };
}

const TTL = 3_600;

function configuration({ clients = [] }: ServerOptions): object {
  return {
    clients,
    scopes: ['openid', 'offline_access', ...SCOPES.split(' ')],
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: TTL,
      ClientCredentials: TTL,
      RefreshToken: 86_400,
      Session: 600,
      Grant: 86_400,
      Interaction: 600,
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: SCOPES,
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: TTL,
        }),
      },
    },
  };
}

/** It says on the console that its defaults are not meant for the world. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console;
  console.warn = () => undefined;
  console.info = () => undefined;
  try {
    return work();
  } finally {
    Object.assign(console, { warn, info });
  }
}

async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
    return;
  }
  const grant = new provider.Grant({ accountId: session!.accountId, clientId: params.client_id });
  grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
  for (const [resource, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(' '));
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** Opens an address as a browser does: goes where it is sent, with the cookies it was given. Gives the last page. */
export async function browse(
  start: string,
): Promise<{ readonly url: string; readonly status: number; readonly text: string }> {
  const jar = new Map<string, string>();
  for (let url = start; ; ) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s);
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) return { url, status: response.status, text: await response.text() };
    url = new URL(location, url).href;
  }
}
