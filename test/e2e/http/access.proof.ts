import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dial } from '../../../fixtures/clients/raw-http.ts';
import { certificateOf } from '../../support/auth/certificates.ts';
import { AUDIENCE, startIssuer } from '../../support/auth/token-issuer.ts';
import { tokenOf } from '../../support/auth/tokens.ts';
import {
  connectStdio,
  fixture,
  freshHome,
  openServe,
  type Serving,
  startServe,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';
import { eventsOf, exchange, HttpSession, open } from '../../support/http/http-client.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';

const selfSigned = (...hosts: string[]) => certificateOf(hosts[0]!, { hosts });

const ALICE = tokenOf('alice');
const BOB = tokenOf('bob');
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const TALKATIVE = { t: fixture('talkative') };

const health = (serving: Serving, headers: Record<string, string> = {}) =>
  exchange(serving.url.replace('/mcp', '/health'), { method: 'GET', headers });

const configOf = (server: object, more: object = {}) =>
  writeConfig({ server, upstreams: TALKATIVE, lists: { graceMs: 20_000 }, ...more });

const startWith = (server: object, more: object = {}) => openServe(configOf(server, more));

const sessionOf = (url: string, { headers }: typeof ALICE, capabilities: unknown = {}) =>
  HttpSession.open(url, capabilities, '2025-11-25', headers);

/** The gateway has ended a stream, by any means. */
const closed = (stream: IncomingMessage) =>
  new Promise<void>((resolve) => {
    stream.on('close', resolve);
    stream.on('error', () => undefined);
    stream.resume();
  });

describe('viaduct token', () => {
  test('a token that is made lets its client in at once, and one that is revoked ends its sessions and streams', async () => {
    const config = writeConfig({ server: { tokens: [BOB.entry] }, log: { level: 'debug' } });
    const serving = await startServe(config);
    const made = await viaduct(['token', 'create', 'laptop', '--expires', '90d', '--write', '--config', config]);
    expect(made.stdout).toMatch(/^vdt_[\w-]{43}\n$/);
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    await expect.poll(async () => (await health(serving, headers)).status).toBe(200);

    const session = await HttpSession.open(serving.url, {}, '2025-11-25', headers);
    const bob = await sessionOf(serving.url, BOB);
    const stream = await session.listen();
    const listening = new ModernHttpClient(serving.url).open(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { headers },
    );
    const changes = await listening.response;
    const shown = await viaduct(['status', '--config', config], serving.env);
    expect(shown.stdout).toMatch(/http as laptop/);
    expect(shown.stdout).toMatch(/http as bob/);

    const revoked = await viaduct(['token', 'revoke', 'laptop', '--config', config]);
    expect(revoked.code).toBe(0);
    await Promise.all([closed(stream), closed(changes)]);
    const refused = await session.post(PING);
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect((await bob.post(PING)).status).toBe(200);
    expect(serving.stderr() + serving.stdout() + readFileSync(config, 'utf8')).not.toContain(made.stdout.trim());
  });

  test('limits a token to projects, and lists that', async () => {
    const config = writeConfig({});
    await viaduct(['token', 'create', 'acme', '--projects', 'acme-*,tools', '--write', '--config', config]);
    const listed = await viaduct(['token', 'list', '--config', config]);
    expect(listed.stdout).toMatch(/^acme .*; projects: acme-\*, tools/);
  });

  test('keeps what the config has besides, and its rights', async () => {
    const config = path.join(temporaryFolder(), 'viaduct.yaml');
    const text = '# mine\nschemaVersion: 1\nserver: # the endpoint\n  port: 0   # any\n\nupstreams: {}\n';
    writeFileSync(config, text, { mode: 0o640 });
    for (const name of ['a', 'b']) await viaduct(['token', 'create', name, '--write', '--config', config]);
    const listed = await viaduct(['token', 'list', '--json', '--config', config]);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'a', isExpired: false }, { name: 'b' }]);
    for (const name of ['a', 'b']) await viaduct(['token', 'revoke', name, '--config', config]);
    expect(readFileSync(config, 'utf8')).toBe(text.replace('# any\n', '# any\n  tokens: []\n'));
    expect(statSync(config).mode & 0o777).toBe(0o640);
  });

  test.each([
    ['a name that is taken', ['create', 'alice', '--write'], 2, /another token has this name/],
    ['an upstream that is not there', ['create', 'x', '--upstreams', 'nowhere'], 2, /there is no upstream "nowhere"/],
    ['a time that is none', ['create', 'x', '--expires', 'soon'], 2, /"soon" is not a time/],
    ['a token that is not there', ['revoke', 'nobody'], 1, /There is no token "nobody"/],
  ])('%s changes nothing', async (_what, words, code, message) => {
    const config = writeConfig({ server: { tokens: [ALICE.entry] } });
    const before = readFileSync(config, 'utf8');
    const result = await viaduct(['token', ...words, '--config', config]);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
    expect(readFileSync(config, 'utf8')).toBe(before);
  });
});

describe('where tokens are configured', () => {
  test.each(['/mcp', '/mcp/', '/health', '/metrics', '/', '/sse', '/.well-known/oauth-protected-resource', '//mcp'])(
    '%s needs one, whatever the method',
    async (route) => {
      const { url } = await startWith({ tokens: [ALICE.entry] });
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PUT']) {
        const answer = await exchange(new URL(url).origin + route, { method });
        expect([method, answer.status]).toEqual([method, 401]);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    },
  );

  test('the local socket of the own user needs none', async () => {
    const config = writeConfig({ server: { tokens: [] }, upstreams: TALKATIVE, lists: { graceMs: 20_000 } });
    const serving = await openServe(config);
    expect((await health(serving)).status).toBe(401);
    const client = await connectStdio(config, { env: serving.env });
    expect(await client.request('tools/list', {})).toMatchObject({ value: { result: { tools: expect.any(Array) } } });
  });

  test('a token that expires ends its session', async () => {
    const soon = tokenOf('soon', { expires: new Date(Date.now() + 8_000).toISOString() });
    const serving = await startWith({ tokens: [soon.entry] });
    const session = await sessionOf(serving.url, soon);
    await closed(await session.listen());
    expect((await session.post(PING)).status).toBe(401);
  });

  test('a request whose token is revoked while its body is on its way is not served', async () => {
    const config = writeConfig({ server: { tokens: [ALICE.entry, BOB.entry] }, enabledWorkflows: ['gateway'] });
    const serving = await openServe(config);
    const client = new ModernHttpClient(serving.url);
    const params = { name: 'viaduct_status', arguments: {} };
    const body = client.body('tools/call', params);
    const headers = { ...client.headersFor('tools/call', params), ...ALICE.headers, 'content-length': body.length };
    const outgoing = plainRequest(serving.url, { method: 'POST', headers, agent: false });
    const status = new Promise((resolve) => outgoing.on('response', (answer) => resolve(answer.resume().statusCode)));
    outgoing.write(body.slice(0, 10));
    await viaduct(['token', 'revoke', 'alice', '--config', config]);
    await expect.poll(async () => (await health(serving, ALICE.headers)).status).toBe(401);
    outgoing.end(body.slice(10));
    expect(await status).toBe(401);
  });

  test('a session and its streams are unknown to any other token', async () => {
    const { url } = await startWith({ tokens: [ALICE.entry, BOB.entry] });
    const alice = await sessionOf(url, ALICE);
    const call = { name: 't_progress', arguments: { steps: 1, nonce: 'n' }, _meta: { progressToken: 1 } };
    let last = '';
    for await (const { id } of eventsOf(await alice.postOpen(alice.request('tools/call', call)))) last = id;
    const asBob = { ...BOB.headers, 'mcp-session-id': alice.id };
    expect((await alice.post(PING, BOB.headers)).status).toBe(404);
    expect((await alice.listen({ ...BOB.headers, 'last-event-id': last })).statusCode).toBe(404);
    expect((await exchange(url, { method: 'DELETE', headers: asBob })).status).toBe(404);
    // Its own client is told that the stream has ended, and that it has seen all of it.
    const resumed = await alice.listen({ 'last-event-id': last });
    expect(resumed.statusCode).toBe(204);
    resumed.destroy();
    expect((await alice.post(PING)).status).toBe(200);
  });

  test('a call that waits for its client goes on for no other token', async () => {
    const { url } = await startWith({ tokens: [ALICE.entry, BOB.entry] });
    const client = new ModernHttpClient(url, { capabilities: { elicitation: { form: {} } } });
    const args = { text: 'who?' };
    const asked = await client.call('t_elicit', args, { headers: ALICE.headers });
    const { requestState, inputRequests } = asked.json.result;
    const [key] = Object.keys(inputRequests);
    const more = { requestState, inputResponses: { [key!]: { action: 'accept', content: { name: 'me' } } } };
    const stolen = await client.call('t_elicit', args, { headers: BOB.headers, more });
    expect(stolen.json.error).toMatchObject({ code: -32602, message: expect.stringContaining('another client') });
    const own = await client.call('t_elicit', args, { headers: ALICE.headers, more });
    expect(own.json.result.content[0].text).toContain('me');
  });

  test('all sessions of a token have their calls counted together', async () => {
    const { url } = await startWith({ tokens: [ALICE.entry, BOB.entry] }, { limits: { callsPerClient: 2 } });
    const sessions = await Promise.all([1, 2, 3].map(() => sessionOf(url, ALICE)));
    const bob = await sessionOf(url, BOB);
    const waiting = sessions.slice(0, 2).map((session) => session.postOpen(wait(session)));
    const [, , third] = sessions;
    await expect.poll(async () => (await third!.post(third!.request('tools/call', ECHO))).status).toBe(429);
    expect(await bob.callText('t_echo', { text: 'x' })).toBe('talkative: x');
    for (const session of sessions) await exchange(url, { method: 'DELETE', headers: session.headers });
    for (const answer of waiting) (await answer).destroy();
  });
});

const ECHO = { name: 't_echo', arguments: { text: 'x' } };
const wait = (session: HttpSession) =>
  session.request('tools/call', { name: 't_wait', arguments: { ms: 60_000 }, _meta: { progressToken: 1 } });

describe('requests per minute', () => {
  test('one token over its rate is told to wait, another one is not', async () => {
    const serving = await startWith({ tokens: [ALICE.entry, BOB.entry] }, { limits: { requestsPerMinute: 5 } });
    for (let count = 0; count < 5; count++) expect((await health(serving, ALICE.headers)).status).toBe(200);
    const refused = await health(serving, ALICE.headers);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await health(serving, BOB.headers)).status).toBe(200);
  });

  test('without tokens they are counted for each session', async () => {
    const { url } = await startWith({}, { limits: { requestsPerMinute: 6 } });
    const [greedy, other] = [await HttpSession.open(url), await HttpSession.open(url)];
    const statuses = [];
    for (let count = 0; count < 7; count++) statuses.push((await greedy.post(PING)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await other.post(PING)).status).toBe(200);
  });
});

test('one address cannot take all connections', async () => {
  const serving = await startWith({}, { limits: { connectionsPerAddress: 3 } });
  const sockets = await Promise.all([1, 2, 3].map(() => dial(serving.url)));
  const fourth = await dial(serving.url);
  await new Promise((resolve) => fourth.on('close', resolve).resume());
  sockets[0]!.destroy();
  await expect.poll(async () => (await health(serving).catch(() => undefined))?.status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

describe('behind a proxy', () => {
  test('the last forwarded address counts as the one whose wrong tokens are counted', async () => {
    const serving = await startWith({ behindProxy: true, tokens: [ALICE.entry] });
    const attempt = (forwarded: string) =>
      health(serving, { authorization: 'Bearer wrong', 'x-forwarded-for': forwarded });
    const statuses = new Set<number>();
    for (let count = 0; count < 25; count++) statuses.add((await attempt(`10.0.0.${count}, 192.0.2.1`)).status);
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await attempt('192.0.2.1, 192.0.2.2')).status).toBe(401);
    expect((await health(serving, { ...ALICE.headers, 'x-forwarded-for': '192.0.2.3' })).status).toBe(200);
  });
});

describe('OAuth', () => {
  test('a client finds the issuer, and its token opens a session that its next token goes on with', async () => {
    const issuer = await startIssuer();
    const oauth = { issuer: issuer.url, audience: AUDIENCE, requiredScopes: ['mcp'], scopes: ['mcp'] };
    const serving = await startWith({ oauth, tokens: [BOB.entry] });
    const { origin } = new URL(serving.url);

    const first = await exchange(serving.url, { headers: {} });
    expect(first.status).toBe(401);
    const metadataUrl = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
    expect(first.headers['www-authenticate']).toBe(`Bearer scope="mcp", resource_metadata="${metadataUrl}"`);
    for (const suffix of ['', '/mcp']) {
      const metadata = await exchange(`${origin}/.well-known/oauth-protected-resource${suffix}`, { method: 'GET' });
      expect(JSON.parse(metadata.body)).toMatchObject({
        resource: AUDIENCE,
        authorization_servers: [issuer.url],
        scopes_supported: ['mcp'],
      });
    }

    const narrow = await health(serving, { authorization: `Bearer ${await issuer.sign()}` });
    expect(narrow.status).toBe(403);
    expect(narrow.headers['www-authenticate']).toContain('error="insufficient_scope", scope="mcp"');

    const headersOf = async (claims: object = {}) => ({
      authorization: `Bearer ${await issuer.sign({ scope: 'mcp', ...claims })}`,
    });
    const session = await HttpSession.open(serving.url, {}, '2025-11-25', await headersOf());
    expect(await session.callText('t_echo', { text: 'x' })).toBe('talkative: x');
    expect((await session.post(PING, await headersOf({ jti: 'next' }))).status).toBe(200);
    expect((await session.post(PING, await headersOf({ sub: 'bob' }))).status).toBe(404);
    expect((await session.post(PING, BOB.headers)).status).toBe(404);
    expect(
      await new ModernHttpClient(serving.url).call('t_echo', { text: 'y' }, { headers: await headersOf() }),
    ).toMatchObject({ json: { result: { content: [{ text: 'talkative: y' }] } } });
    // The name by which clients know the gateway.
    const byName = await health(serving, { ...(await headersOf()), host: 'mcp.example.com' });
    expect(byName.status).toBe(200);
  });

  test('a stream ends with the token that opened it, and its session does not', async () => {
    const issuer = await startIssuer();
    const serving = await startWith({ oauth: { issuer: issuer.url, audience: AUDIENCE, clockSkewSeconds: 0 } });
    const exp = Math.floor(Date.now() / 1_000) + 6;
    const headers = { authorization: `Bearer ${await issuer.sign({ exp })}` };
    const session = await HttpSession.open(serving.url, {}, '2025-11-25', headers);
    await closed(await session.listen());
    expect((await session.post(PING)).status).toBe(401);
    expect((await session.post(PING, { authorization: `Bearer ${await issuer.sign()}` })).status).toBe(200);
  });
});

interface SecureAnswer {
  readonly status: number;
  readonly subject: string;
}

function askSecurely(url: string, ca: string, host: string, headers: Record<string, string>): Promise<SecureAnswer> {
  return new Promise((resolve, reject) => {
    const options = { ca, servername: host, headers: { host, ...headers }, agent: false } as const;
    const outgoing = request(url.replace('/mcp', '/health'), options, (response) => {
      const { subjectaltname = '' } = (response.socket as import('node:tls').TLSSocket).getPeerCertificate();
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode!, subject: subjectaltname }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('HTTPS', () => {
  function write(folder: string, { cert, key }: { cert: string; key: string }) {
    const files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
    writeFileSync(files.key, key);
    writeFileSync(files.cert, cert);
    return files;
  }

  test('is served with the certificate of the files as they are now, under the names in it', async () => {
    const folder = temporaryFolder();
    const [one, two] = [selfSigned('mcp.example.com', '127.0.0.1'), selfSigned('new.example.com', '127.0.0.1')];
    const serving = await startServe(configOf({ tokens: [ALICE.entry], tls: write(folder, one) }));
    expect(serving.url).toMatch(/^https:/);
    const ask = (ca: string, host: string) => askSecurely(serving.url, ca, host, ALICE.headers);
    expect(await ask(one.cert, 'mcp.example.com')).toMatchObject({ status: 200, subject: /mcp\.example\.com/ });
    await expect(ask(two.cert, 'mcp.example.com')).rejects.toThrow();
    write(folder, two);
    await expect
      .poll(() => ask(two.cert, 'new.example.com').catch(() => undefined))
      .toMatchObject({
        status: 200,
      });
    writeFileSync(path.join(folder, 'cert.pem'), 'nothing');
    await expect.poll(() => serving.stderr()).toContain('the last one stays');
    expect((await ask(two.cert, 'new.example.com')).status).toBe(200);
  });

  test('other files are used as soon as the config names them', async () => {
    const folders = [temporaryFolder(), temporaryFolder()] as const;
    const [one, two] = [selfSigned('a.example.com'), selfSigned('b.example.com')];
    const tokens = [ALICE.entry];
    const config = writeConfig({ server: { tokens, tls: write(folders[0], one) } });
    const serving = await openServe(config);
    expect(await askSecurely(serving.url, one.cert, 'a.example.com', ALICE.headers)).toMatchObject({ status: 200 });
    writeConfig({ server: { tokens, tls: write(folders[1], two) } }, path.dirname(config));
    const ask = () => askSecurely(serving.url, two.cert, 'b.example.com', ALICE.headers).catch(() => undefined);
    await expect.poll(ask).toMatchObject({ status: 200 });
    const three = selfSigned('c.example.com');
    write(folders[1], three);
    const again = () => askSecurely(serving.url, three.cert, 'c.example.com', ALICE.headers).catch(() => undefined);
    await expect.poll(again).toMatchObject({ status: 200 });
  });

  test('files that do not fit together are refused at the start', async () => {
    const folder = temporaryFolder();
    const [one, two] = [selfSigned('a.example.com'), selfSigned('a.example.com')];
    const tls = write(folder, { cert: one.cert, key: two.key });
    const config = writeConfig({ server: { tls } });
    const result = await viaduct(['serve', '--config', config, '--port', '0']);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/server\.tls: .* are not a certificate and its key/);
  });

  test('plain HTTP on its port is nobody', async () => {
    const serving = await startWith({ tls: write(temporaryFolder(), selfSigned('localhost')) });
    await expect(open(serving.url.replace('https', 'http'), { method: 'GET' })).rejects.toThrow();
  });
});

test('a config that would open the gateway to others while it runs changes nothing', async () => {
  const config = writeConfig({ server: { tokens: [ALICE.entry], behindProxy: true } });
  const serving = await startServe(config);
  writeConfig({ server: { behindProxy: true } }, path.dirname(config));
  await expect.poll(() => serving.stderr()).toContain('the last valid one stays in force');
  expect((await health(serving)).status).toBe(401);
  expect((await health(serving, ALICE.headers)).status).toBe(200);
});

test('a gateway that runs without TLS does not go on beyond loopback without a proxy', async () => {
  const folder = temporaryFolder();
  // No address that is known to be loopback, though it leads there.
  const host = '127.1';
  const config = writeConfig({ server: { host, tokens: [ALICE.entry], behindProxy: true } });
  const serving = await startServe(config);
  const { cert, key } = selfSigned('127.0.0.1');
  writeFileSync(path.join(folder, 'cert.pem'), cert);
  writeFileSync(path.join(folder, 'key.pem'), key);
  const tls = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
  writeConfig({ server: { host, tokens: [ALICE.entry, BOB.entry], tls } }, path.dirname(config));
  await expect.poll(() => serving.stderr()).toContain('server.tls is used from the next start on');
  expect((await health(serving, BOB.headers)).status).toBe(401);
});

test('the doctor says how the endpoint is protected', async () => {
  const check = async (server: object) => {
    const result = await viaduct(['doctor', '--json', '--config', writeConfig({ server })], freshHome());
    return JSON.parse(result.stdout).checks.find(({ name }: { name: string }) => name === 'access');
  };
  expect(await check({})).toMatchObject({ mark: 'ok', text: expect.stringContaining('nobody is asked') });
  const expired = tokenOf('old', { expires: '2020-01-01' });
  expect(await check({ tokens: [ALICE.entry, expired.entry] })).toMatchObject({
    mark: 'warn',
    text: expect.stringMatching(/2 tokens.*"old" has expired/),
  });
});
