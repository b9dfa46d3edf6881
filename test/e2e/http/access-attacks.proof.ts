import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawRequest, requestText, sendRaw } from '../../../fixtures/clients/raw-http.ts';
import { AUDIENCE, startIssuer, type TokenIssuer } from '../../support/auth/token-issuer.ts';
import { tokenOf } from '../../support/auth/tokens.ts';
import {
  fixture,
  linesOf,
  openServe,
  type ServeProcess,
  startServe,
  temporaryFolder,
  writeConfig,
} from '../../support/gateway.ts';
import { exchange, HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';

const ends: (() => unknown)[] = [];
const atEnd = (end: () => unknown) => void ends.push(end);

const [VICTIM, MALLORY] = [tokenOf('victim'), tokenOf('mallory')];
const EXPIRED = tokenOf('expired', { expires: '2020-01-01' });
const BLIND = tokenOf('blind', { upstreams: [], workflows: [] });
const UNKNOWN = tokenOf('unknown');
const EVIL = 'evil-marker';
const MAX_BODY = 64 * 1024;

let serving: ServeProcess;
let issuer: TokenIssuer;
/** Of the victim, under `/mcp`, and under the path of a profile. */
let session: HttpSession;
let profiled: HttpSession;
let log: string;
/** Calls of the victim, one after the other, all the while. */
const good = { calls: 0, failures: [] as unknown[], isOver: false, done: Promise.resolve() };

beforeAll(async () => {
  issuer = await startIssuer(atEnd);
  log = `${temporaryFolder(atEnd)}/log`;
  const entry = fixture('talkative', `--log=${log}`);
  const config = {
    server: {
      tokens: [VICTIM, MALLORY, EXPIRED, BLIND].map((token) => token.entry),
      oauth: { issuer: issuer.url, audience: AUDIENCE, clockSkewSeconds: 0 },
    },
    upstreams: { t: entry, u: entry },
    profiles: { a: { upstreams: ['t'] }, b: { upstreams: ['u'] } },
    limits: { bodyBytes: MAX_BODY },
    lists: { graceMs: 20_000 },
  };
  const env = { ...process.env, VIADUCT_HOME: temporaryFolder(atEnd) };
  serving = await startServe(writeConfig(config, temporaryFolder(atEnd)), env, atEnd);
  session = await HttpSession.open(serving.url, {}, '2025-11-25', VICTIM.headers);
  profiled = await HttpSession.open(`${serving.url}/a`, {}, '2025-11-25', VICTIM.headers);
  expect(await session.toolNames()).toContain('t_echo');
  good.done = behave();
});

afterAll(async () => {
  good.isOver = true;
  await good.done;
  for (const end of ends.toReversed()) await end();
});

async function behave(): Promise<void> {
  while (!good.isOver) {
    const text = `good ${good.calls++}`;
    const answer = await session.callText('t_echo', { text }).catch((error: unknown) => error);
    if (answer !== `talkative: ${text}`) good.failures.push(answer);
  }
}

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 't_echo', arguments: { text: EVIL } },
});
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: EVIL, version: '1' } },
});

const own = VICTIM.headers.authorization;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** The statuses of all answers to one request, or to several on one connection. */
async function ask(...requests: RawRequest[]): Promise<readonly number[]> {
  const text = requests.map((request) => requestText(serving.url, { body: INITIALIZE, ...request })).join('');
  return (
    await sendRaw(serving.url, text, { toTheEnd: requests.length > 1, timeoutMs: requests.length > 1 ? 2_000 : 20_000 })
  ).statuses;
}

const withJwt = async (claims: object, options: object = {}) =>
  ask({ headers: bearer(await issuer.sign({ ...claims }, options)) });
const now = () => Math.floor(Date.now() / 1_000);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function unsigned(header: object, sign: (body: string) => string) {
  const [, claims] = (await issuer.sign()).split('.');
  const body = `${part(header)}.${claims}`;
  return ask({ headers: bearer(`${body}.${sign(body)}`) });
}

const asVictim = (request: RawRequest) => ask({ ...request, headers: { Authorization: own, ...request.headers } });
const asMallory = (request: RawRequest, id = session.id) =>
  ask({ body: CALL, ...request, headers: { ...bearer(MALLORY.token), 'Mcp-Session-Id': id, ...request.headers } });
const underPath = (path: string) => asVictim({ path, body: CALL, headers: { 'Mcp-Session-Id': profiled.id } });

async function modern(headers: Record<string, string>): Promise<readonly number[]> {
  const client = new ModernHttpClient(serving.url);
  const answer = await client.call('u_nothing', { text: EVIL }, { headers: { ...VICTIM.headers, ...headers } });
  expect(answer.json.error.code).toBe(-32020);
  return [answer.status];
}

interface Attack {
  readonly what: string;
  readonly run: () => Promise<readonly number[]>;
  readonly answers: readonly number[];
}

const attack = (what: string, answers: readonly number[], run: Attack['run']): Attack => ({ what, run, answers });

const ATTACKS: readonly Attack[] = [
  // Web pages.
  attack('a name that was bound again to this machine', [403], () =>
    asVictim({ headers: { Host: 'evil.example:80' } }),
  ),
  attack('a name that looks like this machine', [403], () => asVictim({ headers: { Host: '127.0.0.1.evil.example' } })),
  attack('a page of another origin', [403], () => asVictim({ headers: { Origin: 'https://evil.example' } })),
  attack('a page of no origin', [403], () => asVictim({ headers: { Origin: 'null' } })),
  attack('a form', [415], () => asVictim({ headers: { 'Content-Type': 'text/plain' } })),

  // Tokens.
  attack('no token', [401], () => ask({})),
  attack('a token that nobody has', [401], () => ask({ headers: bearer(UNKNOWN.token) })),
  attack('a token that has expired', [401], () => ask({ headers: bearer(EXPIRED.token) })),
  attack('the beginning of a token', [401], () => ask({ headers: bearer(VICTIM.token.slice(0, -1)) })),
  attack('a token with more behind it', [401], () => ask({ headers: bearer(`${VICTIM.token}A`) })),
  attack('the hash of a token', [401], () =>
    ask({ headers: bearer((VICTIM.entry as { hash: string }).hash.slice(7)) }),
  ),
  attack('a token in the query', [401], () => ask({ path: `/mcp?access_token=${VICTIM.token}` })),
  attack('a token in a cookie', [401], () => ask({ headers: { Cookie: `access_token=${VICTIM.token}` } })),
  attack('a token of another scheme', [401], () => ask({ headers: { Authorization: `Basic ${VICTIM.token}` } })),
  attack('two tokens in one header', [401], () => ask({ headers: bearer(`${UNKNOWN.token}, Bearer ${VICTIM.token}`) })),
  attack('two Authorization headers', [400], () => ask({ headers: { Authorization: ['Bearer x', own] } })),
  attack('a token that is larger than headers may be', [431], () => ask({ headers: bearer('x'.repeat(20_000)) })),
  attack('a second request without a token on a connection that had one', [202, 401], () =>
    ask(
      {
        headers: { Authorization: own, 'Mcp-Session-Id': session.id },
        body: '{"jsonrpc":"2.0","method":"notifications/x"}',
      },
      { headers: { 'Mcp-Session-Id': session.id, Connection: 'close' }, body: CALL },
    ),
  ),
  attack('a method that stands in a header', [401], () => ask({ headers: { 'X-HTTP-Method-Override': 'DELETE' } })),

  // Access tokens.
  attack('a JWT without a signature', [401], () => unsigned({ alg: 'none' }, () => '')),
  attack('a JWT signed with what everybody knows', [401], () =>
    unsigned({ alg: 'HS256', kid: 'ES256' }, (body) => createHmac('sha256', 'ES256').update(body).digest('base64url')),
  ),
  attack('a JWT signed by somebody else', [401], () => withJwt({}, { isForged: true })),
  attack('a JWT for another audience', [401], () => withJwt({ aud: 'https://other.example.com/mcp' })),
  attack('a JWT of another issuer', [401], () => withJwt({ iss: 'https://evil.example' })),
  attack('a logout token of the same issuer', [401], () => withJwt({}, { typ: 'logout+jwt' })),
  attack('a JWT that has expired', [401], () => withJwt({ exp: now() - 1 })),
  attack('a JWT of a time to come', [401], () => withJwt({ nbf: now() + 600 })),

  // What belongs to somebody else.
  attack('a call in a session of another token', [404], () => asMallory({})),
  attack('the stream of a session of another token', [404], () =>
    asMallory({ method: 'GET', body: '', headers: { Accept: 'text/event-stream', 'Last-Event-ID': 's_0' } }),
  ),
  attack('the end of a session of another token', [404], () => asMallory({ method: 'DELETE', body: '' })),
  attack('a session that was guessed', [404], () => asMallory({}, '00000000-0000-4000-8000-000000000000')),
  attack('a session of another user', [404], async () =>
    ask({ body: CALL, headers: { ...bearer(await issuer.sign()), 'Mcp-Session-Id': session.id } }),
  ),

  // Paths.
  ...[
    ['/mcp/b', 'the path of another profile'],
    ['/mcp', 'the path that gives everything'],
    ['/mcp/a/../b', 'dots'],
    ['/mcp/b/..', 'dots at the end'],
    ['/mcp/%2e%2e/mcp/b', 'dots that are encoded'],
    ['//mcp', 'two slashes'],
    ['/mcp//a', 'two slashes further on'],
    ['/mcp/a%2fb', 'a slash that is encoded'],
    ['/mcp/%61', 'a letter that is encoded'],
    ['/mcp/A', 'capitals'],
    ['/mcp/a/', 'a slash at the end'],
    ['/mcp/a;b', 'a parameter'],
    ['/mcp/a%00', 'a zero byte'],
    ['/mcp\\a', 'a slash the other way'],
    ['/mcp/b?profile=a', 'a profile in the query'],
    ['http://127.0.0.1/mcp/a', 'a whole address'],
    ['/mcp/__proto__', 'a name that every object has'],
    ['/mcp/constructor', 'another one'],
  ].map(([path, what]) => attack(`${what}: ${path}`, [404], () => underPath(path!))),

  // Headers and bodies.
  attack('a header that names another tool', [400], () => modern({ 'mcp-name': 't_echo' })),
  attack('a header that names another method', [400], () => modern({ 'mcp-method': 'tools/list' })),
  attack('a header that names another version', [400], () => modern({ 'mcp-protocol-version': '2025-11-25' })),
  attack('a body that is too large', [413], () => asVictim({ body: ' '.repeat(MAX_BODY + 1) })),
  attack('a body that turns out to be too large', [413], () =>
    asVictim({
      headers: { 'Transfer-Encoding': 'chunked' },
      body: `${(MAX_BODY + 1).toString(16)}\r\n${' '.repeat(MAX_BODY + 1)}\r\n0\r\n\r\n`,
    }),
  ),
  attack('headers that never end', [408], async () => {
    const pieces = [requestText(serving.url, {}).slice(0, -2), ...Array.from({ length: 30 }, () => 'X: y\r\n')];
    const answer = await sendRaw(serving.url, pieces, { everyMs: 1_000, toTheEnd: true, timeoutMs: 25_000 });
    expect(answer.isClosed).toBe(true);
    return answer.statuses;
  }),
];

async function sessions(): Promise<number> {
  const answer = await exchange(serving.url.replace('/mcp', '/health'), { method: 'GET', headers: VICTIM.headers });
  return JSON.parse(answer.body).sessions;
}

const ROWS = ATTACKS.map((one) => [one.what, one.answers.join(' and '), one] as const);

test.each(ROWS)('%s: %s, and nothing comes of it', async (_what, _shown, { run, answers }) => {
  const [calls, open] = [good.calls, await sessions()];
  expect(await run()).toEqual(answers);
  expect(await sessions()).toBe(open);
  await expect.poll(() => good.calls).toBeGreaterThan(calls);
  expect(good.failures).toEqual([]);
  expect(linesOf(log).filter((line) => line.includes(EVIL))).toEqual([]);
});

test('a token that may see nothing sees nothing, and is told of a tool what is told of one that does not exist', async () => {
  const blind = await HttpSession.open(serving.url, {}, '2025-11-25', BLIND.headers);
  expect(await blind.toolNames()).toEqual([]);
  const answerTo = async (name: string) => {
    const { body } = await blind.post(blind.request('tools/call', { name, arguments: { text: EVIL } }));
    return JSON.parse(body).error.message.replaceAll(name, 'X');
  };
  expect(await answerTo('t_echo')).toBe(await answerTo('t_nope'));
  const client = new ModernHttpClient(serving.url);
  const listed = await client.post('tools/list', {}, { headers: BLIND.headers });
  expect(listed.json.result.tools).toEqual([]);
  const { json } = await client.call('t_echo', { text: EVIL }, { headers: BLIND.headers });
  expect(json.error.code).toBe(-32602);
  expect(linesOf(log).filter((line) => line.includes(EVIL))).toEqual([]);
});

test('many wrong tokens are not looked at any more, whatever they say of where they come from; others go on', async () => {
  const attempt = async (count: number) => {
    const wrong = { ...bearer(tokenOf(`wrong ${count}`).token), 'X-Forwarded-For': `192.0.2.${count}` };
    return sendRaw(serving.url, requestText(serving.url, { body: INITIALIZE, headers: wrong }));
  };
  const answers = await Promise.all(Array.from({ length: 40 }, (_, count) => attempt(count)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
  expect(await session.callText('t_echo', { text: 'still here' })).toBe('talkative: still here');
  expect(good.failures).toEqual([]);
});

test('keys that cannot be read keep out those who need them, and nobody else', async () => {
  const down = await startIssuer();
  const server = { tokens: [VICTIM.entry], oauth: { issuer: down.url, audience: AUDIENCE } };
  const { url } = await openServe(writeConfig({ server }));
  down.setDown(true);
  const authorization = `Bearer ${await down.sign()}`;
  const refused = await exchange(url, { headers: { authorization }, body: INITIALIZE });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
  expect((await HttpSession.open(url, {}, '2025-11-25', VICTIM.headers)).id).toMatch(/^[\w-]{36}$/);
});

test('no token is in the log', () => {
  const written = serving.stderr() + serving.stdout();
  expect(written).toContain('"status":401');
  for (const { token } of [VICTIM, MALLORY, EXPIRED, UNKNOWN]) expect(written).not.toContain(token);
  expect(written).not.toMatch(/eyJ[\w-]+\.[\w-]+/);
});
