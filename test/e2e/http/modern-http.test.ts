import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture, linesOf, openServe, writeConfig } from '../../support/gateway.ts';
import { exchange, HttpSession } from '../../support/http/http-client.ts';
import { type Headers, MODERN_REVISION, ModernHttpClient, messagesOf } from '../../support/http/modern-http-client.ts';

const KEY = 'io.modelcontextprotocol/';
const VERSION = `${KEY}protocolVersion`;
const ABLE = `${KEY}clientCapabilities`;

const ends: (() => void | Promise<void>)[] = [];
let client: ModernHttpClient;
let log: string;

beforeAll(async () => {
  const home = mkdtempSync(path.join(process.env.VIADUCT_HOME!, 'modern-'));
  log = path.join(home, 'upstreams.log');
  const upstreams = { t: fixture('talkative', `--log=${log}`), m: fixture('mirrored', `--log=${log}`) };
  const config = writeConfig({ upstreams, lists: { graceMs: 20_000 } }, home);
  const { url } = await openServe(config, { ...process.env, VIADUCT_HOME: home }, (end) => ends.push(end));
  client = new ModernHttpClient(url);
  await client.post('tools/list');
});

afterAll(async () => {
  for (const end of ends) await end();
});

const calls = () => linesOf(log).filter((line) => line.startsWith('call '));

describe('an answer', () => {
  test('is JSON where nothing comes before it; there is no session, and ids of one mean nothing', async () => {
    const headers = { 'mcp-session-id': 'made up', 'last-event-id': '7_1' };
    const answer = await client.call('t_echo', { text: 'é' }, { headers });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expect(answer.json.result).toEqual({
      resultType: 'complete',
      _meta: { [`${KEY}serverInfo`]: expect.objectContaining({ name: 'viaduct' }) },
      content: [{ type: 'text', text: 'talkative: é' }],
    });
  });

  test('is an event stream once progress comes, which cannot be resumed', async () => {
    const params = { name: 't_progress', arguments: { steps: 3, nonce: 'n' } };
    const response = await client.open('tools/call', params, { meta: { progressToken: 'tok' } }).response;
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    expect(response.headers).not.toHaveProperty('mcp-session-id');
    let text = '';
    for await (const chunk of response) text += (chunk as Buffer).toString();
    const events = text.split('\n\n').filter((block) => block !== '');
    expect(events.every((event) => event.startsWith('event: message\ndata: '))).toBe(true);
    const messages = events.map((event) => JSON.parse(event.slice('event: message\ndata: '.length)));
    expect(messages.slice(0, 3).map(({ params: { progressToken, progress } }) => [progressToken, progress])).toEqual([
      ['tok', 1],
      ['tok', 2],
      ['tok', 3],
    ]);
    expect(messages).toHaveLength(4);
    expect(messages[3].result).toMatchObject({ resultType: 'complete', content: [{ text: 'progressed n' }] });
  });

  test('has log messages in front of it only where the request asks for them', async () => {
    const args = { level: 'warning', data: 'x' };
    const silent = await client.call('t_log', args);
    expect(silent.json.result.content[0].text).toBe('logged');
    const told = await client.call('t_log', args, { meta: { [`${KEY}logLevel`]: 'info' } });
    expect(told.headers['content-type']).toBe('text/event-stream');
    expect(told.body).toContain('"notifications/message"');
  });

  test('to the same list request is the same for any two clients', async () => {
    const other = new ModernHttpClient(client.url, { name: 'another', capabilities: { roots: {}, sampling: {} } });
    for (const method of [
      'server/discover',
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]) {
      const [one, two] = await Promise.all(
        [client, other].map((each) => each.send(each.body(method, {}, {}, 'same'), each.headersFor(method))),
      );
      expect(one!.status).toBe(200);
      expect(two!.body).toBe(one!.body);
      expect(one!.json.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    }
  });

  test('comes to legacy clients of the same address as they know it', async () => {
    const session = await HttpSession.open(client.url);
    const answer = await session.post(session.request('tools/call', { name: 't_echo', arguments: { text: 'x' } }));
    expect(JSON.parse(answer.body).result).toEqual({ content: [{ type: 'text', text: 'talkative: x' }] });
  });
});

describe('headers that do not describe the body: 400 and -32020', () => {
  const refused = async (method: string, params: object, headers: Headers, ...words: string[]) => {
    const before = calls().length;
    const body = client.body(method, params, {}, 'the id');
    const answer = await client.send(body, { ...client.headersFor(method, { ...params }), ...headers });
    expect([answer.status, answer.json?.error?.code, answer.json?.id]).toEqual([400, -32020, 'the id']);
    for (const word of words) expect(answer.json.error.message).toContain(word);
    expect(calls()).toHaveLength(before);
  };
  const ECHO = { name: 't_echo', arguments: { text: 'x' } };

  test.each<[string, Headers, string]>([
    ['no version', { 'mcp-protocol-version': undefined }, 'MCP-Protocol-Version'],
    ['the version of another era', { 'mcp-protocol-version': '2025-11-25' }, 'MCP-Protocol-Version'],
    ['a version that nobody knows', { 'mcp-protocol-version': '2099-01-01' }, 'MCP-Protocol-Version'],
    ['no method', { 'mcp-method': undefined }, 'Mcp-Method'],
    ['another method', { 'mcp-method': 'tools/list' }, 'Mcp-Method'],
    ['the method in capitals', { 'mcp-method': 'TOOLS/CALL' }, 'Mcp-Method'],
    ['no name', { 'mcp-name': undefined }, 'Mcp-Name'],
    ["the tool's name at its own server", { 'mcp-name': 'echo' }, 'Mcp-Name'],
    ['another name in Base64', { 'mcp-name': '=?base64?ZWNobw==?=' }, 'Mcp-Name'],
    ['bad Base64', { 'mcp-name': '=?base64?dF9lY2hv!?=' }, 'Mcp-Name'],
  ])('%s', (_what, headers, word) => refused('tools/call', ECHO, headers, word));

  test('prompts and resources are named as well', async () => {
    const prompt = { name: 't_greet', arguments: { who: 'Bo' } };
    await refused('prompts/get', prompt, { 'mcp-name': 'greet' }, 'Mcp-Name');
    await refused('resources/read', { uri: 'talkative://one' }, { 'mcp-name': undefined }, 'Mcp-Name');
    const read = await client.post('resources/read', { uri: 'talkative://one' });
    expect(read.json.result).toMatchObject({ ttlMs: 0, cacheScope: 'private', resultType: 'complete' });
    expect((await client.post('prompts/get', prompt)).json.result.messages[0].content.text).toContain('greets Bo');
  });

  test('a name may be written in Base64', async () => {
    const name = `=?base64?${Buffer.from('t_echo').toString('base64')}?=`;
    expect((await client.call('t_echo', { text: 'x' }, { headers: { 'mcp-name': name } })).status).toBe(200);
  });

  test('a header that decides something may not come twice', async () => {
    const { status } = await client.call('t_echo', {}, { headers: { 'mcp-name': ['t_echo', 't_count'] } });
    expect(status).toBe(400);
  });

  describe('of a tool that wants arguments repeated', () => {
    const ARGUMENTS = { region: 'é x', limit: 42, exact: true, place: { zone: 'a' } };
    const RIGHT = {
      'mcp-param-region': `=?base64?${Buffer.from('é x').toString('base64')}?=`,
      'mcp-param-limit': '42',
      'mcp-param-exact': 'true',
      'mcp-param-zone': 'a',
    };
    const query = { name: 'm_query', arguments: ARGUMENTS };

    test('all are there', async () => {
      const answer = await client.call('m_query', ARGUMENTS, { headers: RIGHT });
      expect(JSON.parse(answer.json.result.content[0].text)).toEqual(ARGUMENTS);
      expect(
        (await client.call('m_query', ARGUMENTS, { headers: { ...RIGHT, 'mcp-param-limit': '42.0' } })).status,
      ).toBe(200);
    });

    test('what is not given, or null, has no header', async () => {
      expect((await client.call('m_query', {})).status).toBe(200);
      expect((await client.call('m_query', { region: null, place: {} })).status).toBe(200);
    });

    test.each<[string, Headers, string]>([
      ['one is missing', { 'mcp-param-limit': undefined }, 'Mcp-Param-Limit'],
      ['one further down is missing', { 'mcp-param-zone': undefined }, 'Mcp-Param-Zone'],
      ['one says something else', { 'mcp-param-exact': 'false' }, 'Mcp-Param-Exact'],
      ['a number in other words', { 'mcp-param-limit': '0x2a' }, 'Mcp-Param-Limit'],
      ['text that is not encoded', { 'mcp-param-region': Buffer.from('é x').toString('latin1') }, 'Mcp-Param-Region'],
    ])('%s', (_what, headers, word) => refused('tools/call', query, { ...RIGHT, ...headers }, word));

    test('one is there without its argument', () =>
      refused('tools/call', { name: 'm_query', arguments: {} }, { 'mcp-param-region': 'x' }, 'Mcp-Param-Region'));

    test('a tool that declares what must not be declared wants none', async () => {
      expect((await client.call('m_wrong', { n: 1 })).status).toBe(200);
    });
  });
});

describe('statuses', () => {
  const echo = { name: 't_echo', arguments: { text: 'x' } };
  const header = (value: string | undefined) => ({ headers: { 'mcp-protocol-version': value } });

  test.each([
    ['with its header', '2099-01-01'],
    ['without a header', undefined],
  ])('a revision that we do not speak, %s: 400 and -32022', async (_what, value) => {
    const answer = await client.post('tools/call', echo, { meta: { [VERSION]: '2099-01-01' }, ...header(value) });
    expect([answer.status, answer.json.error]).toEqual([
      400,
      {
        code: -32022,
        message: expect.any(String),
        data: { supported: [MODERN_REVISION], requested: '2099-01-01' },
      },
    ]);
  });

  test.each([
    ['no version', { [VERSION]: undefined }],
    ['a version that is no string', { [VERSION]: 20260728 }],
    ['no capabilities', { [ABLE]: undefined }],
    ['capabilities that are no object', { [ABLE]: [] }],
    ['a client that is no object', { [`${KEY}clientInfo`]: 'x' }],
  ])('an envelope with %s: 400 and -32602', async (_what, meta) => {
    const answer = await client.post('tools/call', echo, { meta });
    expect([answer.status, answer.json.error.code]).toEqual([400, -32602]);
  });

  test.each(['{}', 'null', '{"_meta":null}'])('params that are %s: 400 and -32602', async (params) => {
    const answer = await client.send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`,
      client.headersFor('tools/list'),
    );
    expect([answer.status, answer.json.error.code]).toEqual([400, -32602]);
  });

  test.each(['no/such', 'ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'tasks/list'])(
    'the method %s: 404 and -32601',
    async (method) => {
      const answer = await client.post(method);
      expect([answer.status, answer.json.error.code]).toEqual([404, -32601]);
    },
  );

  test.each([
    ['tools/call', { name: 't_nothing' }],
    ['resources/read', { uri: 'nobody://x' }],
    ['tools/list', { cursor: 'x' }],
    ['subscriptions/listen', { notifications: [] }],
    ['tools/call', { ...echo, requestState: 'viaduct.made.up' }],
    ['tools/call', { ...echo, inputResponses: 'x' }],
  ])('params of %s that mean nothing: 200 and -32602', async (method, params) => {
    const answer = await client.post(method, params);
    expect([answer.status, answer.json.error.code]).toEqual([200, -32602]);
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s: 405', async (method) => {
    const headers = { accept: 'text/event-stream', 'mcp-protocol-version': MODERN_REVISION, 'mcp-session-id': 'x' };
    const answer = await exchange(client.url, { method, headers });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });

  const post = (body: string, headers: Headers = {}) =>
    client.send(body, { ...client.headersFor('tools/list'), ...headers });

  test('a batch: 400, known by its header or by what is in it', async () => {
    const one = client.body('tools/list');
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const answers = [
      await post(`[${one}]`),
      await post(`[${one},${ping}]`, { 'mcp-protocol-version': undefined }),
      await post(`[${ping}]`),
      await post('[]'),
    ];
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual(answers.map(() => [400, -32600]));
  });

  test('a notification: 202 and nothing; an answer: 400', async () => {
    const told = await post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect([told.status, told.body]).toEqual([202, '']);
    const answered = await post('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect([answered.status, answered.json.error.code]).toEqual([400, -32600]);
  });

  test('what cannot be read: 400, 406 and 415 as in any era', async () => {
    const broken = await post('{"jsonrpc":"2.0",');
    expect([broken.status, broken.json.error.code]).toEqual([400, -32700]);
    const body = client.body('tools/list');
    expect((await post(body, { accept: 'image/png' })).status).toBe(406);
    expect((await post(body, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

test('a question that the client has not declared: 400 and -32021', async () => {
  const answer = await client.call('t_elicit', { text: '?' });
  expect([answer.status, answer.json.error]).toEqual([
    400,
    { code: -32021, message: expect.any(String), data: { requiredCapabilities: { elicitation: {} } } },
  ]);
  expect(await client.callText('t_echo', { text: 'x' })).toBe('talkative: x');
});

test('a question that comes after progress cannot have a status any more: it is in the stream', async () => {
  const params = { name: 't_nonce', arguments: { nonce: 'n', ask: true } };
  const response = await client.open('tools/call', params, { meta: { progressToken: 1 } }).response;
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
  const messages: any[] = [];
  for await (const message of messagesOf(response)) messages.push(message);
  expect(messages.map(({ method, error }) => method ?? error.code)).toEqual(['notifications/progress', -32021]);
});
