import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { fixture, linesOf, openServe, writeConfig } from '../../support/gateway.ts';
import { exchange, HttpSession } from '../../support/http/http-client.ts';

const ends: (() => void | Promise<void>)[] = [];
let url: string;
let closedUrl: string;
let log: string;

async function serve(name: string, server: object): Promise<string> {
  const home = mkdtempSync(path.join(process.env.VIADUCT_HOME!, name));
  if (name === 'open-') log = path.join(home, 'upstream.log');
  const upstreams = {
    t: { ...fixture('talkative', `--log=${path.join(home, 'upstream.log')}`), share: 'gateway' },
    own: { ...fixture('talkative', '--label=own'), share: 'session' },
  };
  const config = writeConfig({ upstreams, server, enabledWorkflows: ['gateway'], lists: { graceMs: 20_000 } }, home);
  const env = { ...process.env, VIADUCT_HOME: home };
  return (await openServe(config, env, (end) => ends.push(end))).url;
}

beforeAll(async () => {
  [url, closedUrl] = await Promise.all([serve('open-', {}), serve('closed-', { sessionless: false })]);
});

afterAll(async () => {
  for (const end of ends) await end();
});

const CURL = { accept: '*/*', 'content-type': 'application/json' };
const text = (method: string, params?: object, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
const call = (name: string, args: object = {}) => text('tools/call', { name, arguments: args });

async function post(body: string, headers: Record<string, string> = {}, at = url) {
  const answer = await exchange(at, { headers: { ...CURL, ...headers }, body });
  return { ...answer, json: answer.body === '' ? undefined : JSON.parse(answer.body) };
}

describe('a request without a session, as curl sends it', () => {
  test('calls a tool of an upstream and a tool of the gateway', async () => {
    const answer = await post(call('t_echo', { text: 'hi' }));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expect(answer.json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'talkative: hi' }] },
    });
    expect((await post(call('viaduct_status'))).json.result.isError).toBeUndefined();
  });

  test.each([
    ['ping', undefined],
    ['tools/list', undefined],
    ['prompts/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
  ])('%s', async (method, params) => {
    const answer = await post(text(method, params));
    expect([answer.status, answer.json.result]).toEqual([200, expect.any(Object)]);
  });

  test('gets its answer alone, without what comes before', async () => {
    const params = { name: 't_progress', arguments: { steps: 3, nonce: 'n' }, _meta: { progressToken: 'p' } };
    const answer = await post(text('tools/call', params));
    expect(answer.json.result.content[0].text).toBe('progressed n');
  });

  test('leaves no session behind, and its client cannot be asked', async () => {
    const before = await sessionsOf();
    const asked = await post(call('t_elicit', { text: '?' }));
    expect(asked.status).toBe(200);
    expect(asked.body).toMatch(/not support|cannot be asked/);
    await expect.poll(sessionsOf).toBe(before);
  });

  test('is refused by an upstream with a process for each client, before anything is sent', async () => {
    const answer = await post(call('own_echo', { text: 'x' }));
    expect(answer.body).toContain('initialize');
    expect(answer.body).toContain('session_needed');
  });

  test('is cancelled when its client leaves', async () => {
    const outgoing = request(url, { method: 'POST', headers: CURL, agent: false });
    outgoing.on('error', () => undefined);
    outgoing.end(call('t_wait', { ms: 60_000 }));
    await expect.poll(() => linesOf(log)).toContainEqual(expect.stringMatching(/^call wait /));
    outgoing.destroy();
    await expect.poll(() => linesOf(log)).toContainEqual(expect.stringMatching(/^cancelled /));
  });
});

const sessionsOf = async (): Promise<number> =>
  JSON.parse((await exchange(url.replace('/mcp', '/health'), { method: 'GET' })).body).sessions;

describe('what is refused', () => {
  test.each<[string, Record<string, string>, string, number]>([
    ['a form', { 'content-type': 'text/plain' }, call('t_echo'), 415],
    ['no content type', { 'content-type': '' }, call('t_echo'), 415],
    ['a page of another origin', { origin: 'https://evil.example' }, call('t_echo'), 403],
    ['another host', { host: 'evil.example' }, call('t_echo'), 403],
    ['a client that takes no JSON', { accept: 'text/event-stream' }, call('t_echo'), 406],
    ['a batch', {}, `[${call('t_echo')}]`, 400],
    ['a notification', {}, '{"jsonrpc":"2.0","method":"notifications/initialized"}', 400],
    ['a subscription', {}, text('resources/subscribe', { uri: 'x:y' }), 400],
    ['a log level', {}, text('logging/setLevel', { level: 'debug' }), 400],
    ['an unknown method', {}, text('nothing/like/it'), 400],
    ['an unknown session', { 'mcp-session-id': 'gone' }, call('t_echo'), 404],
    ['a version nobody knows', { 'mcp-protocol-version': '1999-01-01' }, call('t_echo'), 400],
    ['an id that is null', {}, text('ping', undefined, null), 400],
  ])('%s', async (_name, headers, body, expected) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.json.error.message.length > 5]).toEqual([expected, true]);
  });

  test('a request that claims to be of 2026-07-28 is held to its rules', async () => {
    const byHeader = await post(call('t_echo', { text: 'x' }), { 'mcp-protocol-version': '2026-07-28' });
    expect([byHeader.status, byHeader.json.error.code]).toEqual([400, -32602]);
    const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const byBody = await post(text('tools/call', { name: 't_echo', arguments: {}, ...meta }));
    expect([byBody.status, byBody.json.error.code]).toEqual([400, -32602]);
  });

  test('everything, where it is switched off', async () => {
    const answer = await post(call('t_echo'), {}, closedUrl);
    expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringContaining('initialize')]);
    expect(await (await HttpSession.open(closedUrl)).callText('t_echo', { text: 'x' })).toBe('talkative: x');
  });
});

describe('where other machines can reach the endpoint', () => {
  const token = tokenOf('script');
  const server = { behindProxy: true, tokens: [token.entry] };
  let defaults: string;
  let allowed: string;

  beforeAll(async () => {
    [defaults, allowed] = await Promise.all([
      serve('proxied-', server),
      serve('allowed-', { ...server, sessionless: true }),
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ['without a token', {}],
    ['with a wrong token', { authorization: 'Bearer wrong' }],
    ['with a form and no token', { 'content-type': 'text/plain' }],
  ])('a request %s is refused before anything else is said', async (_name, headers) => {
    for (const at of [defaults, allowed]) expect((await post(call('t_echo'), headers, at)).status).toBe(401);
  });

  test('a request with a token needs a session, unless the config says otherwise', async () => {
    const refused = await post(call('t_echo', { text: 'x' }), token.headers, defaults);
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('initialize')]);
    const answered = await post(call('t_echo', { text: 'x' }), token.headers, allowed);
    expect([answered.status, answered.json.result.content[0].text]).toEqual([200, 'talkative: x']);
  });

  test.each<[string, Record<string, string>, number]>([
    ['a form', { 'content-type': 'text/plain' }, 415],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['another host', { host: 'evil.example' }, 403],
  ])('a token does not help %s', async (_name, headers, expected) => {
    for (const at of [defaults, allowed])
      expect((await post(call('t_echo'), { ...token.headers, ...headers }, at)).status).toBe(expected);
  });
});
