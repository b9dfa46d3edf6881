import type { LoginAuth, RemoteEntry } from '../../../src/core/settings/upstream-entry.ts';
import { CredentialFiles } from '../../../src/store/credentials/credential-files.ts';
import { guardedFetch } from '../../../src/upstream/auth/guarded-fetch.ts';
import { login } from '../../../src/upstream/auth/login.ts';
import { LoginTokens } from '../../../src/upstream/auth/login-tokens.ts';
import { remoteEntryOf } from '../../unit/upstream/entries.ts';
import { temporaryFolder } from '../gateway.ts';
import { type SeenRequest, sendJson, startHttpServer } from '../http/http-server.ts';

export type Document = 'resource' | 'server' | 'registration' | 'tokens';

/** Members that differ from a perfect document; `undefined` takes one out. `ORIGIN` in texts is the server's own. */
export type Changes = Readonly<Record<string, unknown>>;

export interface AuthorizationScript {
  changes?: Partial<Record<Document, Changes>>;
  /** True if a refresh token is valid only once. */
  rotates?: boolean;
  /** Answers a request in the place of everything else, if it returns something. */
  override?: (request: SeenRequest, origin: string) => { status?: number; type?: string; body: string } | undefined;
}

/** An upstream that is its own authorization server, both as a script says. Only the current refresh token is good. */
export async function startScriptedAuthorization(script: AuthorizationScript) {
  let count = 0;
  let refreshToken = '';
  const server = await startHttpServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const other = script.override?.(request, origin);
    if (other !== undefined) {
      response.writeHead(other.status ?? 200, { 'content-type': other.type ?? 'application/json' }).end(other.body);
      return;
    }
    const send = (document: Document, perfect: Changes, status = 200) => {
      const text = JSON.stringify({ ...perfect, ...script.changes?.[document] }).replaceAll('ORIGIN', origin);
      sendJson(response, JSON.parse(text), status);
    };
    if (request.path === '/.well-known/oauth-protected-resource/mcp')
      send('resource', { resource: `${origin}/mcp`, authorization_servers: [origin], scopes_supported: ['read'] });
    else if (request.path === '/.well-known/oauth-authorization-server') send('server', metadataOf(origin));
    else if (request.path === '/register') send('registration', { client_id: 'c1', ...JSON.parse(request.body) }, 201);
    else if (request.path !== '/token') response.writeHead(request.path === '/mcp' ? 401 : 404).end();
    else {
      const form = new URLSearchParams(request.body);
      const isRefresh = form.get('grant_type') === 'refresh_token';
      if (isRefresh && form.get('refresh_token') !== refreshToken) {
        sendJson(response, { error: 'invalid_grant' }, 400);
        return;
      }
      count++;
      const gives = !isRefresh || script.rotates === true;
      if (gives) refreshToken = `refresh-${count}`;
      const perfect = { access_token: `access-${count}`, token_type: 'Bearer', expires_in: 3600, scope: 'read' };
      send('tokens', { ...perfect, ...(gives && { refresh_token: refreshToken }) });
    }
  });
  return { ...server, origin: new URL(server.url).origin, refreshToken: () => refreshToken };
}

export const metadataOf = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
});

/** The steps of a user with a browser, and then of a gateway, at such a server. */
export function userOf(origin: string, changes: Partial<LoginAuth> = {}) {
  const auth: LoginAuth = { type: 'oauth', isWritten: true, ...changes };
  const entry: RemoteEntry = remoteEntryOf(`${origin}/mcp`, { auth });
  const store = new CredentialFiles({ folder: temporaryFolder(), usesKeychain: false, onError: () => undefined });
  const urls: URL[] = [];
  const unsaved: unknown[] = [];
  return {
    entry,
    store,
    /** Addresses that a browser was sent to. */
    urls,
    /** Failures to store tokens. */
    unsaved,
    /** The browser brings back `iss`, if there is one. */
    login: (iss?: string) =>
      login({
        entry,
        auth,
        store,
        env: {},
        signal: new AbortController().signal,
        onSecrets: () => undefined,
        onUrl: (text) => {
          const url = new URL(text);
          urls.push(url);
          const back = new URL(url.searchParams.get('redirect_uri')!);
          const state = url.searchParams.get('state')!;
          back.search = String(new URLSearchParams({ code: 'code', state, ...(iss !== undefined && { iss }) }));
          void fetch(back);
        },
      }),
    /** A gateway that starts now. */
    gateway: () =>
      new LoginTokens({
        entry,
        auth,
        store,
        fetchFn: guardedFetch({ entry, env: {} }),
        onSecrets: () => undefined,
        onUnsaved: (error) => unsaved.push(error),
      }),
    tokens: async () => (await store.load(entry))?.tokens,
  };
}
