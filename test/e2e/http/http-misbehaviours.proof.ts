import { describe, expect, test } from 'vitest';
import { certificateOf } from '../../support/auth/certificates.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { connectStdio, fixture, freshHome, temporaryFolder, upstreams, writeConfig } from '../../support/gateway.ts';
import { startForwardProxy } from '../../support/http/forward-proxy.ts';
import { sendJson, startHttpServer } from '../../support/http/http-server.ts';
import { type Misbehaved, startRedirecting, startUnruly, type UnrulyServer } from '../../support/http/unruly-http.ts';

/** A gateway in front of the server and of one that is well. */
async function connect({ url }: { url: string }, entry: object = {}): Promise<RawClient> {
  const bad = { url, headers: { Authorization: 'Bearer swordfish' }, era: 'legacy', ...entry };
  const client = await connectStdio(upstreams({ bad, good: fixture('hostile') }));
  await expect.poll(() => client.toolNames()).toEqual(expect.arrayContaining(['bad_run', 'good_echo']));
  return client;
}

/** What the call came to: the text of the tool, or why there is none. */
async function outcomeOf(client: RawClient): Promise<unknown> {
  const result = await client.call('bad_run');
  const facts = result._meta?.['viaduct/gateway'];
  return facts === undefined ? result.content[0].text : { ...facts, text: result.content[0].text };
}

const methodsOf = ({ requests }: UnrulyServer): string[] =>
  requests.map(({ method, message }) => message?.method ?? method);
const countOf = (server: UnrulyServer, method: string): number =>
  methodsOf(server).filter((each) => each === method).length;

interface Expected {
  readonly outcome: unknown;
  readonly sessions?: number;
  /** Sent to the server, and those of them that it worked on. */
  readonly calls?: number;
  readonly runs?: number;
  readonly gets?: number;
}

const ANSWERED: Expected = { outcome: 'run 1', runs: 1 };
const refused = (outcome: object): Expected => ({ outcome: expect.objectContaining({ upstream: 'bad', ...outcome }) });

const TABLE: readonly (readonly [Misbehaved, Expected])[] = [
  ['refuses a stream of its own with 405', ANSWERED],
  ['refuses a stream of its own with 404', ANSWERED],
  ['answers GET with 200 and an error in JSON', ANSWERED],
  ['begins streams with an empty event and comments', ANSWERED],
  ['breaks off its answer, and goes on with it when asked', { ...ANSWERED, gets: 2 }],
  ['forgets its sessions, and says 404', { ...ANSWERED, sessions: 2, calls: 2, gets: 2 }],
  ['forgets its sessions, and says 400', { ...ANSWERED, sessions: 2, calls: 2, gets: 2 }],
  ['has no sessions', ANSWERED],
  ['is silent for longer than an idle connection is kept', ANSWERED],
  ['redirects within its origin', { ...ANSWERED, calls: 2 }],
  ['redirects to GET', refused({ reason: 'refused', effect: 'unknown', text: expect.stringContaining('HTTP 303') })],
  ['compresses what should not be', ANSWERED],
  [
    'answers with a page',
    refused({ reason: 'invalid_answer', effect: 'unknown', text: expect.stringContaining('text/html') }),
  ],
  ['fails with a page', refused({ reason: 'refused', effect: 'unknown', text: expect.stringContaining('HTTP 500') })],
  ['asks to be left alone for a while', refused({ reason: 'overloaded', effect: 'none', retryAfterMs: 7_000 })],
  ['ends its stream without an answer', { ...refused({ reason: 'exited', effect: 'unknown' }), runs: 1 }],
  ['cuts the connection in the middle of an answer', { ...refused({ reason: 'exited', effect: 'unknown' }), runs: 1 }],
];

describe('a server at a url harms nobody but its own calls, and those only as far as it must', () => {
  test.each(TABLE)('that %s', async (name, { outcome, sessions = 1, calls = 1, runs = 0, gets = 1 }) => {
    const server = await startUnruly(name);
    const client = await connect(server);
    const [came, beside] = await Promise.all([outcomeOf(client), client.callText('good_echo', { text: 'fine' })]);
    expect(beside).toBe('fine');
    expect(came).toEqual(outcome);
    await expect.poll(() => countOf(server, 'GET')).toBe(gets);
    const counts = { sessions: server.state.opened, calls: countOf(server, 'tools/call'), runs: server.state.runs };
    expect(counts).toEqual({ sessions, calls, runs });
    expect(await client.toolNames()).toContain('bad_run');
    expect(JSON.stringify(client.messages)).not.toContain('swordfish');
  });

  test('that forgets its sessions while many call gets one new session, and each call runs once', async () => {
    const server = await startUnruly('forgets its sessions, and says 404');
    const client = await connect(server, { maxConcurrency: 4 });
    const texts = await Promise.all(Array.from({ length: 12 }, () => client.callText('bad_run')));
    expect(texts.toSorted()).toEqual(Array.from({ length: 12 }, (_, index) => `run ${index + 1}`).toSorted());
    expect([server.state.opened, server.state.runs]).toEqual([2, 12]);
  });

  test.each(['never', 'on-demand'])('with `restart: %s` a new session is begun all the same', async (restart) => {
    const server = await startUnruly('forgets its sessions, and says 404');
    expect(await outcomeOf(await connect(server, { restart }))).toBe('run 1');
  });

  test('that says 404 to every call is sent each call twice at most, and does not loop', async () => {
    const server = await startUnruly('says 404 to every call');
    const client = await connect(server);
    expect(await outcomeOf(client)).toMatchObject({ reason: 'exited', effect: 'none' });
    expect(await client.callText('good_echo', { text: 'fine' })).toBe('fine');
    expect(countOf(server, 'tools/call')).toBe(2);
    // Each further session is begun after a while that grows.
    expect(server.state.opened).toBeLessThanOrEqual(3);
  });

  test('that redirects elsewhere is not followed, and nothing of ours gets there', async () => {
    const canary = await startHttpServer((_request, response) => sendJson(response, '{}'));
    const server = await startRedirecting(canary.url.replace('127.0.0.1', 'localhost'));
    const client = await connect(server);
    const outcome = await outcomeOf(client);
    expect(outcome).toMatchObject({ effect: 'none', text: expect.stringContaining('redirects to another origin') });
    expect(await client.callText('good_echo', { text: 'fine' })).toBe('fine');
    expect(canary.requests).toEqual([]);
  });
});

describe('a modern server that finds other headers than it wants', () => {
  /** Its tool wants another header from the second list on. */
  const start = async (isContent = false) => {
    let lists = 0;
    let runs = 0;
    const server = await startHttpServer((request, response) => {
      const { id, method, params } = request.message;
      const answer = (result: object) =>
        sendJson(response, {
          jsonrpc: '2.0',
          id,
          result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result },
        });
      if (method === 'server/discover') answer({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
      else if (method === 'tools/list') {
        const header = lists++ === 0 ? 'Old' : 'New';
        const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': header } } };
        answer({ tools: [{ name: 'run', inputSchema }] });
      } else if (request.headers['mcp-param-new'] === params.arguments.region && isContent) {
        runs++;
        answer({ content: [{ type: 'text', text: `in ${params.arguments.region}` }] });
      } else sendJson(response, { jsonrpc: '2.0', id, error: { code: -32020, message: 'Header mismatch' } }, 400);
    });
    const client = await connectStdio(upstreams({ bad: { url: server.url, era: '2026-07-28' } }));
    await expect.poll(() => client.toolNames()).toContain('bad_run');
    const count = (name: string) => server.requests.filter(({ message }) => message.method === name).length;
    return { client, count, runs: () => runs };
  };

  test('has its list read again, and gets the call once more with what that says', async () => {
    const { client, count, runs } = await start(true);
    expect(await client.callText('bad_run', { region: 'north' })).toBe('in north');
    expect([count('tools/list'), count('tools/call'), runs()]).toEqual([2, 2, 1]);
    expect(await client.callText('bad_run', { region: 'south' })).toBe('in south');
    expect([count('tools/list'), count('tools/call')]).toEqual([2, 3]);
  });

  test('whatever it is sent is told of only once', async () => {
    const { client, count } = await start();
    expect(await client.call('bad_run', { region: 'north' })).toMatchObject({ error: { code: -32603 } });
    expect([count('tools/list'), count('tools/call')]).toEqual([2, 2]);
  });
});

test('TLS options of an entry and a proxy of the environment are used together', async () => {
  const authority = certificateOf('an authority', { isAuthority: true });
  const certificate = certificateOf('far', { by: authority, hosts: ['far.test'] });
  const { writeFileSync } = await import('node:fs');
  const server = await startHttpServer(
    (request, response) => {
      const { id, method } = request.message ?? {};
      const result =
        method === 'tools/list' ? { tools: [{ name: 'run', inputSchema: { type: 'object' } }] } : undefined;
      if (method === 'initialize') {
        const facts = {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'f', version: '1' },
        };
        sendJson(response, { jsonrpc: '2.0', id, result: facts });
      } else if (result !== undefined) sendJson(response, { jsonrpc: '2.0', id, result });
      else response.writeHead(request.method === 'GET' ? 405 : 202).end();
    },
    0,
    { tls: { cert: certificate.cert, key: certificate.key } },
  );
  const proxy = await startForwardProxy({ target: server.port, credentials: 'me:swordfish' });
  const folder = temporaryFolder();
  writeFileSync(`${folder}/ca.pem`, authority.cert);
  const entry = { url: 'https://far.test/mcp', era: 'legacy', tls: { ca: 'ca.pem' } };
  const config = writeConfig({ upstreams: { far: entry }, lists: { graceMs: 20_000 } }, folder);
  const env = freshHome({ HTTPS_PROXY: `http://me:swordfish@127.0.0.1:${proxy.port}`, NO_PROXY: '', no_proxy: '' });
  const client = await connectStdio(config, { env });
  await expect.poll(() => client.toolNames()).toEqual(['far_run']);
  expect(new Set(proxy.seen)).toEqual(new Set(['CONNECT far.test:443']));
});
