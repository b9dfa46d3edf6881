import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { KeyAuth, RemoteEntry, SecretAuth } from '../../../../src/core/settings/upstream-entry.ts';
import { CredentialFiles } from '../../../../src/store/credentials/credential-files.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { UpstreamAuthorization } from '../../../../src/upstream/auth/upstream-authorization.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { sendJson, startHttpServer } from '../../../support/http/http-server.ts';
import { remoteEntryOf } from '../entries.ts';

const SECRET: SecretAuth = { type: 'client-credentials', clientId: 'machine', clientSecret: 'open-sesame' };

interface Rules {
  /** Of each token. */
  expiresIn?: number;
  /** What the token endpoint says instead of giving one. */
  error?: string;
  /** By its clock. */
  date?: Date;
  /** The authorization server that the upstream names, if it is not this one. */
  elsewhere?: string;
  /** Members of a token answer that are not as they should be. */
  odd?: object;
}

/** An upstream that is its own authorization server; to it only the last token is good. */
async function serve(rules: Rules = {}) {
  let count = 0;
  const server = await startHttpServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    if (rules.date !== undefined) response.setHeader('date', rules.date.toUTCString());
    if (request.path.startsWith('/.well-known/oauth-protected-resource'))
      sendJson(response, { resource: `${origin}/mcp`, authorization_servers: [rules.elsewhere ?? origin] });
    else if (request.path === '/.well-known/oauth-authorization-server')
      sendJson(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
      });
    else if (request.headers.authorization === undefined && request.path !== '/token') response.writeHead(404).end();
    else if (rules.error !== undefined) sendJson(response, { error: rules.error }, 401);
    else
      sendJson(response, {
        access_token: `t${++count}`,
        token_type: 'Bearer',
        expires_in: rules.expiresIn ?? 60,
        ...rules.odd,
      });
  });
  return { ...server, rules, count: () => count };
}

type Server = Awaited<ReturnType<typeof serve>>;

/** What one gateway process knows. */
function processOf(server: Server, folder: string, auth: SecretAuth | KeyAuth = SECRET) {
  const secrets: string[] = [];
  const entry: RemoteEntry = remoteEntryOf(server.url, { auth });
  const store = new CredentialFiles({ folder, usesKeychain: false, onError: () => undefined });
  const authorization = new UpstreamAuthorization({
    entry,
    auth,
    store,
    env: {},
    log: createLog({ level: 'silent' }),
    onSecrets: (more) => void secrets.push(...more),
  });
  const sent = () => authorization.headers().authorization;
  const refuse = (isRepeated = false) =>
    authorization.onRefused({ status: 401, challenge: 'Bearer', authorization: sent(), isRepeated });
  return { authorization, sent, refuse, secrets };
}

const tokenRequests = ({ requests }: Server) => requests.filter(({ path }) => path === '/token').length;

test('several processes get one token together, also at the same time', async () => {
  const server = await serve();
  const folder = temporaryFolder();
  const processes = [1, 2, 3].map(() => processOf(server, folder));
  expect(await Promise.all(processes.map(({ refuse }) => refuse()))).toEqual(['retry', 'retry', 'retry']);
  expect(processes.map(({ sent }) => sent())).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1']);
  const later = processOf(server, folder);
  await later.authorization.prepare();
  expect([later.sent(), server.count()]).toEqual(['Bearer t1', 1]);
});

test.each([
  { token_type: null, scope: ['read'] },
  { expires_in: '', scope: null, refresh_token: null, id_token: {} },
])('a token that comes with %j is used', async (odd) => {
  const { refuse, sent } = processOf(await serve({ odd }), temporaryFolder());
  expect([await refuse(), sent()]).toEqual(['retry', 'Bearer t1']);
});

test('a token that the next one has ended is replaced by that one', async () => {
  const server = await serve();
  const folder = temporaryFolder();
  const [a, b] = [processOf(server, folder), processOf(server, folder)];
  for (const each of [a, b]) await each.refuse();
  expect(await a.refuse()).toBe('retry');
  expect(a.sent()).toBe('Bearer t2');
  expect(await b.refuse()).toBe('retry');
  expect([b.sent(), server.count()]).toEqual(['Bearer t2', 2]);
});

test('other scopes in the config are another token', async () => {
  const server = await serve();
  const folder = temporaryFolder();
  await processOf(server, folder).refuse();
  const wider = processOf(server, folder, { ...SECRET, scopes: ['read', 'write'] });
  await wider.authorization.prepare();
  expect(wider.sent()).toBeUndefined();
  await wider.refuse();
  expect([wider.sent(), server.count()]).toEqual(['Bearer t2', 2]);
});

test('the secret goes to no other authorization server than the first time', async () => {
  const [server, thief] = [await serve(), await serve()];
  const folder = temporaryFolder();
  await processOf(server, folder).refuse();
  server.rules.elsewhere = new URL(thief.url).origin;
  for (const each of [processOf(server, folder), processOf(server, folder)]) {
    await each.authorization.prepare();
    expect(await each.refuse()).toMatchObject({
      code: 'UPSTREAM_NEEDS_AUTH',
      reason: expect.stringContaining('set upstreams.up.auth.issuer'),
    });
  }
  expect(tokenRequests(thief)).toBe(0);
});

test('a token without a successor is not tried again', async () => {
  const server = await serve();
  const { refuse, authorization, sent } = processOf(server, temporaryFolder());
  await refuse();
  server.rules.error = 'invalid_client';
  for (const _each of [1, 2]) {
    expect(await refuse()).toMatchObject({ reason: expect.stringContaining('auth of the config (invalid_client)') });
    await authorization.prepare();
    expect(sent()).toBeUndefined();
  }
});

test('a token that is over as it comes is not renewed with each request', async () => {
  const server = await serve({ expiresIn: 0 });
  const { refuse, sent } = processOf(server, temporaryFolder());
  await refuse();
  for (const _each of [1, 2, 3, 4, 5]) expect(sent()).toBe('Bearer t1');
  expect(server.count()).toBe(1);
});

test.each([
  [-600_000, /its clock is \d+ s behind that of this machine/],
  [600_000, /its clock is \d+ s ahead of that of this machine/],
  [0, /auth of the config \(invalid_client\)$/],
])('a signature that is refused by a server %s ms away says why that may be', async (aheadMs, reason) => {
  const server = await serve({ error: 'invalid_client', date: new Date(Date.now() + aheadMs) });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const { refuse } = processOf(server, temporaryFolder(), {
    type: 'private-key-jwt',
    clientId: 'machine',
    key,
    alg: 'ES256',
  });
  expect(await refuse()).toMatchObject({ code: 'UPSTREAM_NEEDS_AUTH', reason: expect.stringMatching(reason) });
});

test('a key in a file is read, its lines are secrets, and a file that cannot be read is named', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const key = path.join(temporaryFolder(), 'key.pem');
  writeFileSync(key, pem);
  const auth: KeyAuth = { type: 'private-key-jwt', clientId: 'machine', key, alg: 'ES256' };
  const { refuse, sent, secrets } = processOf(await serve(), temporaryFolder(), auth);
  expect([await refuse(), sent()]).toEqual(['retry', 'Bearer t1']);
  const lines = pem.split('\n').slice(1, -2);
  expect(lines.length).toBeGreaterThan(0);
  expect(secrets).toEqual([...lines, 't1']);
  const missing = processOf(await serve(), temporaryFolder(), { ...auth, key: `${key}.missing` });
  expect(await missing.refuse()).toMatchObject({
    code: 'UPSTREAM_NEEDS_AUTH',
    reason: 'the key of upstreams.up.auth cannot be read (ENOENT)',
  });
});
