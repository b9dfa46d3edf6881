import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LoginAuth, RemoteEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { CredentialFiles } from '../../../../src/store/credentials/credential-files.ts';
import { login } from '../../../../src/upstream/auth/login.ts';
import { logout } from '../../../../src/upstream/auth/logout.ts';
import { freePort } from '../../../support/free-port.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { remoteEntryOf } from '../entries.ts';

interface Script {
  /** Members of the metadata that are not as they should be; `undefined` takes one out. */
  readonly metadata?: Record<string, unknown>;
  /** What the browser brings back besides the state. */
  readonly answer?: Record<string, string>;
  readonly auth?: Partial<LoginAuth>;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** One server that is upstream and authorization server, and says what a script wants. */
async function serve({ metadata = {} }: Script) {
  const posts: { readonly path: string; readonly body: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const server = createServer(async (request, response) => {
    const origin = `http://${request.headers.host}`;
    const path = new URL(request.url!, origin).pathname;
    const send = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (request.method === 'POST') posts.push({ path, body: await textOf(request), headers: request.headers });
    if (path === '/.well-known/oauth-protected-resource/mcp')
      send({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    else if (path === '/.well-known/oauth-authorization-server')
      send({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        revocation_endpoint: `${origin}/revoke`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
        ...metadata,
      });
    else if (path === '/register') send({ client_id: 'registered', redirect_uris: [] }, 201);
    else if (path === '/token')
      send({ access_token: 'access-1', token_type: 'Bearer', expires_in: 60, refresh_token: 'refresh-1' });
    else if (path === '/revoke') send({});
    else response.writeHead(path === '/mcp' ? 401 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts };
}

async function tryLogin(script: Script = {}, visit: (callback: URL) => Promise<unknown> = async () => undefined) {
  const { origin, posts } = await serve(script);
  const auth: LoginAuth = { type: 'oauth', isWritten: true, ...script.auth };
  const entry: RemoteEntry = {
    ...remoteEntryOf(`${origin}/mcp`, { headers: { 'x-key': 'only-for-the-upstream' } }),
    auth,
  };
  const store = new CredentialFiles({ folder: temporaryFolder(), usesKeychain: false, onError: () => undefined });
  const urls: URL[] = [];
  const waiting = new AbortController();
  const done = login({
    entry,
    auth,
    store,
    env: {},
    signal: waiting.signal,
    onSecrets: () => undefined,
    onUrl: (text) => {
      const url = new URL(text);
      urls.push(url);
      const callback = new URL(url.searchParams.get('redirect_uri')!);
      callback.searchParams.set('state', url.searchParams.get('state')!);
      for (const [name, value] of Object.entries(script.answer ?? { code: 'code-1' }))
        callback.searchParams.set(name, value.replace('ISSUER', origin));
      void visit(callback).then(() =>
        script.answer === undefined || Object.keys(script.answer).length > 0 ? fetch(callback) : undefined,
      );
    },
  });
  return { done, urls, posts, store, env: {}, entry, auth, origin, waiting };
}

describe('a login', () => {
  test('keeps what it got, and sends the headers of the entry to nobody but the upstream', async () => {
    const { done, posts, store, entry } = await tryLogin();
    await done;
    expect((await store.load(entry))?.tokens).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
    const [probe, register, token] = posts;
    expect(probe).toMatchObject({ path: '/mcp', headers: { 'x-key': 'only-for-the-upstream' } });
    expect(JSON.parse(register!.body)).toMatchObject({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    });
    expect(Object.fromEntries(new URLSearchParams(token!.body))).toMatchObject({
      grant_type: 'authorization_code',
      code: 'code-1',
      resource: entry.url,
      code_verifier: expect.any(String),
    });
    for (const { headers } of [register!, token!]) expect(headers).not.toHaveProperty('x-key');
  });

  test('with a client of the config registers none, and comes back to its port', async () => {
    const callbackPort = await freePort();
    const { done, posts, urls } = await tryLogin({
      auth: { clientId: 'mine', clientSecret: 'my-secret', callbackPort },
    });
    await done;
    expect(posts.map(({ path }) => path)).toEqual(['/mcp', '/token']);
    expect(urls[0]!.searchParams.get('redirect_uri')).toBe(`http://127.0.0.1:${callbackPort}/callback`);
    expect(posts[1]!.headers.authorization).toBe(`Basic ${Buffer.from('mine:my-secret').toString('base64')}`);
  });

  test('with a metadata document uses its url where the server takes such', async () => {
    const { done, posts, urls } = await tryLogin({
      metadata: { client_id_metadata_document_supported: true },
      auth: { clientMetadataUrl: 'https://example.com/viaduct.json' },
    });
    await done;
    expect(urls[0]!.searchParams.get('client_id')).toBe('https://example.com/viaduct.json');
    expect(posts.map(({ path }) => path)).toEqual(['/mcp', '/token']);
  });

  test('takes only what has its state', async () => {
    const statuses: number[] = [];
    const { done } = await tryLogin({}, async (callback) => {
      for (const change of [
        (url: URL) => url.searchParams.set('state', 'guessed'),
        (url: URL) => url.searchParams.delete('state'),
        (url: URL) => {
          url.pathname = '/other';
        },
      ]) {
        const other = new URL(callback);
        change(other);
        statuses.push((await fetch(other)).status);
      }
    });
    await done;
    expect(statuses).toEqual([400, 400, 400]);
  });

  test.each([
    ['another server speaks', { iss: 'https://evil.example', error: 'x', error_description: 'call 555-1234' }, /iss/i],
    [
      'the user says no',
      { iss: 'ISSUER', error: 'access_denied', error_description: 'not today' },
      /access_denied: not today/,
    ],
    ['nothing is said', { iss: 'ISSUER' }, /without saying why/],
  ])('ends when %s', async (_name, answer, message) => {
    const { done, posts } = await tryLogin({ answer });
    await expect(done).rejects.toThrow(message);
    await expect(done).rejects.not.toThrow('555-1234');
    expect(posts.map(({ path }) => path)).not.toContain('/token');
  });

  test('ends when a server that always says who it is does not', async () => {
    const metadata = { authorization_response_iss_parameter_supported: true };
    await expect((await tryLogin({ metadata })).done).rejects.toThrow(/iss/i);
  });

  test.each([
    ['knows no PKCE', { code_challenge_methods_supported: undefined }, 'PKCE'],
    ['knows only plain PKCE', { code_challenge_methods_supported: ['plain'] }, 'PKCE'],
    ['says that it is another', { issuer: 'https://other.example' }, 'another issuer'],
    [
      'wants the user elsewhere, in the open',
      { authorization_endpoint: 'http://as.example/authorize' },
      'must be https',
    ],
    ['hides a user in its address', { authorization_endpoint: 'https://a:b@as.example/' }, 'without a user'],
    ['registers nobody', { registration_endpoint: undefined }, 'auth.clientId'],
    ['registers on another machine', { registration_endpoint: 'https://10.0.0.1/register' }, 'not a public address'],
  ])('opens nothing when the server %s', async (_name, metadata, message) => {
    const { done, urls } = await tryLogin({ metadata });
    await expect(done).rejects.toThrow(message);
    expect(urls).toEqual([]);
  });

  test('does not send its code to another network', async () => {
    const { done } = await tryLogin({ metadata: { token_endpoint: 'https://169.254.169.254/token' } });
    await expect(done).rejects.toThrow('not a public address');
  });

  test('that nobody finishes is given up, with its port', async () => {
    const { done, urls, waiting } = await tryLogin({ answer: {} }, async () => waiting.abort(new Error('too late')));
    await expect(done).rejects.toThrow('too late');
    await expect(fetch(urls[0]!.searchParams.get('redirect_uri')!)).rejects.toThrow('fetch failed');
  });

  test('sends the secret of the config to no other server than before', async () => {
    const { done, posts, ...rest } = await tryLogin({ auth: { clientId: 'mine', clientSecret: 'my-secret' } });
    await done;
    const credentials = await rest.store.load(rest.entry);
    await rest.store.save(rest.entry, { ...credentials!, issuer: 'https://as.example.com' });
    const again = login({
      ...rest,
      signal: rest.waiting.signal,
      onSecrets: () => undefined,
      onUrl: () => expect.unreachable(),
    });
    await expect(again).rejects.toThrow('set upstreams.up.auth.issuer');
    expect(posts.filter(({ path }) => path === '/token')).toHaveLength(1);
  });

  test('uses a registered client again', async () => {
    const { done, posts, ...rest } = await tryLogin();
    await done;
    const again = login({
      ...rest,
      signal: rest.waiting.signal,
      onSecrets: () => undefined,
      onUrl: (text) => {
        const { searchParams } = new URL(text);
        void fetch(`${searchParams.get('redirect_uri')}?code=code-2&state=${searchParams.get('state')}`);
      },
    });
    await again;
    expect(posts.filter(({ path }) => path === '/register')).toHaveLength(1);
  });
});

test('a logout takes both tokens back, and forgets them also where that fails', async () => {
  const { done, posts, ...rest } = await tryLogin();
  await done;
  expect(await logout(rest)).toBe('revoked');
  const revoked = posts
    .filter(({ path }) => path === '/revoke')
    .map(({ body }) => new URLSearchParams(body).get('token'));
  expect(revoked).toEqual(['refresh-1', 'access-1']);
  expect(await rest.store.load(rest.entry)).toBeUndefined();
  expect(await logout(rest)).toBe('no-tokens');
});
