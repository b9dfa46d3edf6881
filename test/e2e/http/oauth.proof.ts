import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { browse, startAuthorizationServer } from '../../support/auth/authorization-server.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import {
  BIN,
  connectStdio,
  freshHome,
  startServe,
  startStdio,
  statusOf,
  temporaryFolder,
  upstreams,
  viaduct,
} from '../../support/gateway.ts';
import { startGuardedFront } from '../../support/http/guarded-front.ts';
import { startProtectedServer } from '../../support/http/protected-server.ts';
import { reach } from '../../support/transports.ts';

const home = () => freshHome({ VIADUCT_KEYRING: 'off' });

interface LoginResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly url: string;
  readonly page: string;
}

/** `viaduct auth login h`, and the browser that follows its address. */
async function login(config: string, env: NodeJS.ProcessEnv): Promise<LoginResult> {
  const child = spawn(process.execPath, [BIN, 'auth', 'login', 'h', '--no-browser', '--config', config], { env });
  let stdout = '';
  let stderr = '';
  const found = new Promise<string | undefined>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const url = /^ {2}(http\S+)\n/m.exec(stdout)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => resolve(undefined));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const closed = once(child, 'close');
  const url = await found;
  const page = url === undefined ? '' : (await browse(url)).text;
  const [code] = (await closed) as [number];
  return { code, stdout, stderr, url: url ?? '', page };
}

const stateOf = async (config: string, env: NodeJS.ProcessEnv): Promise<any> =>
  (await statusOf(config, env)).upstreams[0];

async function setUp(options: { clients?: object[]; auth?: object } = {}) {
  const authorization = await startAuthorizationServer(options);
  const server = await startProtectedServer(authorization);
  const env = home();
  const config = upstreams({ h: { url: server.url, ...(options.auth !== undefined && { auth: options.auth }) } });
  return { authorization, server, env, config };
}

const ready = (client: RawClient) => expect.poll(() => client.toolNames()).toContain('h_echo');

describe('a first login', () => {
  test('goes from a refusal to a working tool', async () => {
    const { authorization, server, env, config } = await setUp();
    const before = await stateOf(config, env);
    expect(before).toMatchObject({ state: 'needs-auth', reason: expect.stringContaining('viaduct auth login h') });
    const { code, stdout, stderr, url, page } = await login(config, env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(page).toContain('close this page');
    expect(stdout).toContain('Logged in to h');
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: server.url,
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
    expect(authorization.tokenRequests).toEqual([
      { grantType: 'authorization_code', status: 200, resource: server.url },
    ]);
    const client = await connectStdio(config, { env });
    await ready(client);
    expect(await client.callText('h_echo', { text: 'grüße' })).toBe('grüße');
  });
});

describe('tokens', () => {
  const loggedIn = async (options: Parameters<typeof setUp>[0] = {}) => {
    const all = await setUp(options);
    expect(await login(all.config, all.env)).toMatchObject({ code: 0 });
    return all;
  };
  const refreshes = (authorization: { tokenRequests: readonly { grantType: string }[] }) =>
    authorization.tokenRequests.filter(({ grantType }) => grantType === 'refresh_token');

  test('five calls on an expired token renew it once, and all succeed', async () => {
    const { authorization, server, env, config } = await loggedIn();
    const client = await connectStdio(config, { env });
    await ready(client);
    server.expireAll();
    const texts = ['a', 'b', 'c', 'd', 'e'];
    expect(await Promise.all(texts.map((text) => client.callText('h_echo', { text })))).toEqual(texts);
    expect(refreshes(authorization)).toEqual([{ grantType: 'refresh_token', status: 200, resource: server.url }]);
  });

  test('two gateways use a refresh token once, and both go on', async () => {
    const { authorization, server, env, config } = await loggedIn();
    const clients = [await connectStdio(config, { env }), await connectStdio(config, { env })];
    for (const client of clients) await ready(client);
    for (const round of [1, 2, 3]) {
      server.expireAll();
      const calls = clients.flatMap((client, at) =>
        [1, 2, 3].map((call) => client.callText('h_echo', { text: `${at} ${call}` })),
      );
      expect(await Promise.all(calls)).toEqual(['0 1', '0 2', '0 3', '1 1', '1 2', '1 3']);
      expect(refreshes(authorization).map(({ status }: any) => status)).toEqual(Array(round).fill(200));
    }
  });

  test('both dead: one failed renewal, a clear error, and nothing more until somebody logs in', async () => {
    const { authorization, server, env, config } = await loggedIn();
    const client = await connectStdio(config, { env });
    await ready(client);
    await authorization.revokeAll();
    server.expireAll();
    const failed = await Promise.all([1, 2, 3, 4, 5].map(() => client.call('h_echo', { text: 'x' })));
    for (const { isError, content, _meta } of failed) {
      expect(isError).toBe(true);
      expect(content[0].text).toContain('viaduct auth login h');
      expect(_meta['viaduct/gateway']).toMatchObject({ reason: 'needs_auth' });
    }
    expect(refreshes(authorization)).toHaveLength(1);
    const requests = server.requests.length;
    for (const text of ['y', 'z']) expect(await client.callText('h_echo', { text })).toContain('viaduct auth login h');
    expect(server.requests).toHaveLength(requests);
    expect(refreshes(authorization)).toHaveLength(1);
    expect(await login(config, env)).toMatchObject({ code: 0 });
    await expect.poll(() => client.callText('h_echo', { text: 'back' })).toBe('back');
    expect(authorization.registrations()).toBe(1);
  });

  test('are renewed before their end, without a refusal', async () => {
    const { authorization, server, env, config } = await loggedIn();
    const folder = path.join(env.VIADUCT_HOME!, 'auth');
    const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.json'))!);
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    Object.assign(stored.credentials.tokens, { issuedAt: Date.now() - 3_550_000, expiresAt: Date.now() + 50_000 });
    writeFileSync(file, JSON.stringify(stored));
    const before = server.refusals();
    const client = await connectStdio(config, { env });
    await ready(client);
    await expect.poll(() => refreshes(authorization).length).toBe(1);
    expect(await client.callText('h_echo', { text: 'x' })).toBe('x');
    expect(refreshes(authorization)).toHaveLength(1);
    expect(server.refusals()).toBe(before);
  });

  test('while the authorization server is away, nothing is lost', async () => {
    const { authorization, server, env, config } = await loggedIn();
    const client = await connectStdio(config, { env });
    await ready(client);
    server.expireAll();
    await authorization.stop();
    const failed = await client.call('h_echo', { text: 'x' });
    expect(failed.content[0].text).toContain('cannot be reached');
    expect(failed._meta['viaduct/gateway']).toMatchObject({ reason: 'not_connected' });
    const [status] = JSON.parse((await viaduct(['auth', 'status', 'h', '--json', '--config', config], env)).stdout);
    expect(status).toMatchObject({ state: 'logged-in' });
  });

  test('stand nowhere but in a file that only the user can read', async () => {
    const { env, config, server } = await loggedIn();
    const folder = path.join(env.VIADUCT_HOME!, 'auth');
    const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.json'))!);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const { tokens } = JSON.parse(readFileSync(file, 'utf8')).credentials;
    const serving = startStdio(config, env);
    await serving.client.initialize();
    await ready(serving.client);
    server.expireAll();
    await serving.client.callText('h_echo', { text: 'x' });
    const said = [
      serving.stderr(),
      (await viaduct(['status', '--json', '--config', config], env)).stdout,
      (await viaduct(['auth', 'status', '--json', '--config', config], env)).stdout,
      (await viaduct(['auth', 'status', '--config', config], env)).stdout,
    ].join('\n');
    expect(said).not.toContain(tokens.accessToken);
    expect(said).not.toContain(tokens.refreshToken);
    expect(said).toContain('kept in a file');
  });

  test('more scopes are asked for when a tool needs them; the other tools go on', async () => {
    const { server, env, config } = await loggedIn();
    const client = await connectStdio(config, { env });
    await ready(client);
    const refused = await client.call('h_write', { text: 'x' });
    expect(refused.content[0].text).toContain('the scopes "write"');
    expect(refused.content[0].text).toContain('viaduct auth login h');
    expect(await client.callText('h_echo', { text: 'still here' })).toBe('still here');
    const { url } = await login(config, env);
    expect(new URL(url).searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['read', 'write']));
    await expect.poll(() => client.callText('h_write', { text: 'x' })).toBe('wrote x');
    expect(server.written).toEqual(['x']);
  });

  test('logging out takes them back, and the gateway that runs no longer has them', async () => {
    const { authorization, server, env, config } = await loggedIn();
    const serving = await startServe(config, env);
    const client = await connectStdio(config, { env });
    await ready(client);
    const out = await viaduct(['auth', 'logout', 'h', '--config', config], env);
    expect(out).toMatchObject({ code: 0, stdout: expect.stringContaining('no longer good there') });
    expect(readdirSync(path.join(env.VIADUCT_HOME!, 'auth'))).toEqual([]);
    await expect.poll(() => client.callText('h_echo', { text: 'x' })).toContain('viaduct auth login h');
    expect(refreshes(authorization)).toEqual([]);
    expect(await viaduct(['auth', 'status', 'h', '--config', config], env)).toMatchObject({ code: 1 });
    const { stdout } = await login(config, env);
    expect(stdout).toContain('The gateway that runs has 2 tools of it');
    expect(await client.callText('h_echo', { text: 'again' })).toBe('again');
    expect(serving.stderr()).not.toContain(server.url.replace('http', 'token'));
  });
});

describe.each(['sse', 'websocket'] as const)('a server over %s', (type) => {
  test('needs a login, has one, and comes back with a new token when it has ended the connection', async () => {
    const authorization = await startAuthorizationServer();
    const reached = await reach(type, { folder: temporaryFolder(), flags: ['--era=legacy', '--label=one'] });
    onTestFinished(() => reached.stop());
    const inner = new URL((reached.entry as { url: string }).url);
    const front = await startGuardedFront(Number(inner.port), authorization);
    inner.port = String(front.port);
    const env = home();
    const config = upstreams({ h: { ...reached.entry, url: inner.href } });
    expect(await stateOf(config, env)).toMatchObject({
      state: 'needs-auth',
      reason: expect.stringContaining('viaduct auth login h'),
    });
    const client = await connectStdio(config, { env });
    await client.toolNames();
    const before = front.refusals();
    expect(await login(config, env)).toMatchObject({ code: 0 });
    const says = () => client.callText('h_echo', { text: 'x' });
    await expect.poll(says).toBe('one: x');
    front.expireAll();
    await expect.poll(says).toBe('one: x');
    expect(authorization.tokenRequests.map(({ grantType, status }) => [grantType, status])).toEqual([
      ['authorization_code', 200],
      ['refresh_token', 200],
    ]);
    expect(front.refusals() - before).toBeLessThan(6);
  });
});

describe('a gateway that proves by itself who it is', () => {
  const machine = { client_id: 'machine', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };

  test('with a secret: nobody logs in, and a dead token is replaced', async () => {
    const { authorization, server, env, config } = await setUp({
      clients: [{ ...machine, client_secret: 'open-sesame-please' }],
      auth: { type: 'client-credentials', clientId: 'machine', clientSecret: '${SESAME}', scopes: ['read', 'write'] },
    });
    const withSecret = { ...env, SESAME: 'open-sesame-please' };
    const client = await connectStdio(config, { env: withSecret });
    await ready(client);
    expect(await client.callText('h_write', { text: 'a' })).toBe('wrote a');
    server.expireAll();
    expect(await Promise.all(['b', 'c', 'd'].map((text) => client.callText('h_echo', { text })))).toEqual([
      'b',
      'c',
      'd',
    ]);
    const other = await connectStdio(config, { env: withSecret });
    await ready(other);
    expect(await other.callText('h_echo', { text: 'e' })).toBe('e');
    const requests = authorization.tokenRequests.map(({ grantType, resource }) => [grantType, resource]);
    expect(requests).toEqual(Array(2).fill(['client_credentials', server.url]));
    const status = await viaduct(['auth', 'status', 'h', '--json', '--config', config], withSecret);
    expect(JSON.parse(status.stdout)).toMatchObject([
      { type: 'client-credentials', login: { issuer: authorization.issuer, isRenewable: true, keptIn: 'file' } },
    ]);
    const out = await viaduct(['auth', 'logout', 'h', '--config', config], withSecret);
    expect(out).toMatchObject({ code: 0, stdout: expect.stringContaining('no longer good there') });
    expect(await client.callText('h_echo', { text: 'f' })).toBe('f');
  });

  test('with a signature', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const file = path.join(temporaryFolder(), 'key.pem');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { env, config } = await setUp({
      clients: [
        {
          ...machine,
          token_endpoint_auth_method: 'private_key_jwt',
          token_endpoint_auth_signing_alg: 'ES256',
          jwks: { keys: [publicKey.export({ format: 'jwk' })] },
        },
      ],
      auth: { type: 'private-key-jwt', clientId: 'machine', key: file, alg: 'ES256' },
    });
    const client = await connectStdio(config, { env });
    await ready(client);
    expect(await client.callText('h_echo', { text: 'signed' })).toBe('signed');
  });

  test('whose secret is refused says so once', async () => {
    const { authorization, env, config } = await setUp({
      clients: [{ ...machine, client_secret: 'open-sesame-please' }],
      auth: { type: 'client-credentials', clientId: 'machine', clientSecret: 'wrong-word-here' },
    });
    const client = await connectStdio(config, { env });
    await client.toolNames();
    const { state, reason } = await stateOf(config, env);
    expect(state).toBe('needs-auth');
    expect(reason).toContain('upstreams.h.auth');
    expect(authorization.tokenRequests.every(({ status }) => status === 401)).toBe(true);
    expect(authorization.tokenRequests).toHaveLength(2);
  });
});
