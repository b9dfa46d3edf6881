import { describe, expect, test } from 'vitest';
import { requestText, sendRaw } from '../../../fixtures/clients/raw-http.ts';
import { handedOn, SHAPES } from '../../../fixtures/data/shapes.ts';
import { KEEP_ALIVE_HEADER } from '../../../src/downstream/http/server/open-server.ts';
import {
  fixture,
  linesOf,
  openServe,
  pidsIn,
  startServe,
  temporaryFolder,
  writeConfig,
} from '../../support/gateway.ts';
import { eventsOf, exchange, HttpSession, type ServerEvent } from '../../support/http/http-client.ts';

const ACCEPT = 'application/json, text/event-stream';
const JSON_TYPE = { 'content-type': 'application/json', accept: ACCEPT };
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const SUBSCRIBE = '{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x:y"}}';

async function startTalkative() {
  const log = `${temporaryFolder()}/log`;
  const serving = await openServe(
    writeConfig({ upstreams: { t: fixture('talkative', `--log=${log}`), shapes: fixture('shapes') } }),
  );
  const session = async (capabilities: unknown = {}) => {
    const opened = await HttpSession.open(serving.url, capabilities);
    await expect.poll(() => opened.toolNames()).toEqual(expect.arrayContaining(['t_echo', 'shapes_shape']));
    return opened;
  };
  return { ...serving, log, session };
}

describe('answers', () => {
  test('a plain call is answered as JSON, byte for byte', async () => {
    const session = await (await startTalkative()).session();
    const call = (name: string) => {
      const params = JSON.stringify({ name: 'shapes_shape', arguments: { name } });
      return session.post(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":${params}}`);
    };
    // The first result without the promised structured content is flagged, and the output schema is withdrawn.
    expect((await call('plain text')).body).toContain('"isError":true');
    for (const shape of SHAPES) {
      const answer = await call(shape.name);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body).toBe(`{"jsonrpc":"2.0","id":"x","${shape.outcome}":${handedOn(shape, 'legacy')}}`);
    }
  });

  test('each says how long its connection may be idle', async () => {
    const { url } = await startTalkative();
    for (const [status, ask] of [
      [200, fetch(url.replace('/mcp', '/health'))],
      [400, fetch(url, { method: 'POST', headers: JSON_TYPE, body: SUBSCRIBE })],
    ] as const) {
      const answer = await ask;
      expect([answer.status, answer.headers.get('keep-alive')]).toEqual([status, KEEP_ALIVE_HEADER]);
      await answer.body?.cancel();
    }
    const last = await exchange(url, { headers: { ...JSON_TYPE, connection: 'close' }, body: PING });
    expect(last.headers['keep-alive']).toBeUndefined();
  });

  test('a body with line breaks reaches the upstream as one message', async () => {
    const session = await (await startTalkative()).session();
    const body = JSON.stringify(
      JSON.parse(session.request('tools/call', { name: 't_echo', arguments: { text: 'pretty\nprinted' } })),
      null,
      2,
    );
    expect(JSON.parse((await session.post(body.replaceAll('\n', '\r\n'))).body).result.content[0].text).toBe(
      'talkative: pretty\nprinted',
    );
  });

  test('a call with progress is answered as an event stream that ends with the answer', async () => {
    const session = await (await startTalkative()).session();
    const params = { name: 't_progress', arguments: { steps: 3, nonce: 'n' }, _meta: { progressToken: 'tok' } };
    const answer = await session.postOpen(session.request('tools/call', params));
    expect(answer.headers['content-type']).toBe('text/event-stream');
    const events: ServerEvent[] = [];
    for await (const event of eventsOf(answer)) events.push(event);
    expect(events[0]!.data).toBeUndefined();
    expect(events.slice(1, 4).map(({ data }) => data.params)).toEqual(
      [1, 2, 3].map((progress) => ({ progressToken: 'tok', progress, total: 3, message: 'n' })),
    );
    expect(events[4]!.data.result.content[0].text).toBe('progressed n');
    expect(events).toHaveLength(5);
  });

  test('a question of the upstream comes on the stream of its call, the answer in another POST', async () => {
    const session = await (await startTalkative()).session({ elicitation: {} });
    const answer = await session.postOpen(
      session.request('tools/call', { name: 't_elicit', arguments: { text: 'who?' } }),
    );
    let text = '';
    for await (const { data } of eventsOf(answer)) {
      if (data?.method === 'elicitation/create') {
        const reply = {
          jsonrpc: '2.0',
          id: data.id,
          result: { action: 'accept', content: { name: data.params.message } },
        };
        expect((await session.post(JSON.stringify(reply))).status).toBe(202);
      }
      if (data?.result !== undefined) text = data.result.content[0].text;
    }
    expect(JSON.parse(text)).toEqual({ action: 'accept', content: { name: 'who?' } });
  });

  test('list_changed and updates come on the GET stream', async () => {
    const serving = await openServe(writeConfig({ upstreams: { f: fixture('hostile') } }));
    const session = await HttpSession.open(serving.url);
    await expect.poll(() => session.toolNames()).toContain('f_echo');
    const stream = eventsOf(await session.listen());
    await session.callText('f_add-tool', { name: 'fresh' });
    const methods: string[] = [];
    for await (const { data } of stream) {
      methods.push(data.method);
      if ((await session.toolNames()).includes('f_fresh')) break;
    }
    expect(new Set(methods)).toEqual(new Set(['notifications/tools/list_changed']));
  });

  test('a cancelled call ends without an answer', async () => {
    const { session: open, log } = await startTalkative();
    const session = await open();
    const pending = session.post(
      '{"jsonrpc":"2.0","id":78,"method":"tools/call","params":{"name":"t_wait","arguments":{"ms":20000}}}',
    );
    await expect.poll(() => linesOf(log).filter((line) => line.startsWith('call wait')).length).toBeGreaterThan(0);
    await session.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":78}}');
    const ended = await pending;
    expect(ended.status).toBe(200);
    expect(ended.body).not.toContain('"result"');
  });
});

describe('resumption', () => {
  test('is there for a lone answer too, where the client names event streams first', async () => {
    const session = await (await startTalkative()).session();
    const list = session.request('tools/list');
    const plain = await session.post(list);
    const streamed = await session.post(list, { accept: 'text/event-stream, application/json' });
    expect([plain, streamed].map(({ headers }) => headers['content-type'])).toEqual([
      'application/json',
      'text/event-stream',
    ]);
    expect(streamed.body).toContain(plain.body);
    expect(streamed.body).toMatch(/^id: /m);
  });

  test('a client that lost its connection gets what it missed, and the answer', async () => {
    const session = await (await startTalkative()).session();
    const log = { name: 't_log', arguments: { level: 'info', data: 'first' } };
    // The log message of this call makes its answer a stream, whose first id is enough to come back with.
    const stream = await session.postOpen(session.request('tools/call', log));
    const ids: string[] = [];
    for await (const { id } of eventsOf(stream)) ids.push(id);
    const missed = await session.listen({ 'last-event-id': ids[0]! });
    const again: ServerEvent[] = [];
    for await (const event of eventsOf(missed)) again.push(event);
    expect(again.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(again.at(-1)!.data.result.content[0].text).toBe('logged');
  });

  test('the connection of a running call may break: the call goes on and its answer is kept', async () => {
    const { session: open, log } = await startTalkative();
    const session = await open({ elicitation: {} });
    const response = await session.postOpen(
      session.request('tools/call', { name: 't_elicit', arguments: { text: 'hold' } }),
    );
    let lastId = '';
    let question: any;
    for await (const { id, data } of eventsOf(response)) {
      lastId = id;
      if (data?.method === 'elicitation/create') {
        question = data;
        break;
      }
    }
    response.destroy();
    await session.post(JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { action: 'decline' } }));
    const resumed = await session.listen({ 'last-event-id': lastId });
    const rest: ServerEvent[] = [];
    for await (const event of eventsOf(resumed)) rest.push(event);
    expect(JSON.parse(rest.at(-1)!.data.result.content[0].text)).toEqual({ action: 'decline' });
    expect(linesOf(log).some((line) => line.includes('cancelled'))).toBe(false);
  });

  test('a stream that has ended is not begun again: 204 once the client has seen its last event', async () => {
    const { session: open, log } = await startTalkative();
    const session = await open();
    const id = 78;
    const params = { name: 't_wait', arguments: { ms: 20_000 } };
    const pending = session.postOpen(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    await expect.poll(() => linesOf(log).filter((line) => line.startsWith('call wait')).length).toBeGreaterThan(0);
    await session.post(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }),
    );
    const ids: string[] = [];
    for await (const event of eventsOf(await pending)) ids.push(event.id);
    const again = await session.listen({ 'last-event-id': ids.at(-1)! });
    expect(again.statusCode).toBe(204);
  });

  test('an id that was never given is refused', async () => {
    const session = await (await startTalkative()).session();
    const answer = await session.listen({ 'last-event-id': '99_1' });
    expect(answer.statusCode).toBe(400);
  });
});

describe('what is turned away', () => {
  test('statuses', async () => {
    const serving = await openServe(writeConfig({ upstreams: {} }));
    const { url } = serving;
    const session = await HttpSession.open(url);
    const post = (headers: Record<string, string>, body = PING) => exchange(url, { headers, body });
    const withSession = { ...JSON_TYPE, 'mcp-session-id': session.id };
    expect(session.initialized.serverInfo.name).toBe('viaduct');
    const cases: [string, Promise<{ status: number; headers: any; body: string }>, number][] = [
      ['no session id where one is needed', post(JSON_TYPE, SUBSCRIBE), 400],
      ['an unknown session', post({ ...JSON_TYPE, 'mcp-session-id': 'gone' }), 404],
      ['a session called __proto__', post({ ...JSON_TYPE, 'mcp-session-id': '__proto__' }), 404],
      ['a form', post({ ...withSession, 'content-type': 'text/plain' }), 415],
      ['no content type', post({ accept: ACCEPT, 'mcp-session-id': session.id }), 415],
      ['neither JSON nor events', post({ ...withSession, accept: 'text/html' }), 406],
      ['an unknown protocol version', post({ ...withSession, 'mcp-protocol-version': '1999-01-01' }), 400],
      ['broken JSON', post(withSession, '{"jsonrpc":'), 400],
      ['no JSON-RPC', post(withSession, '"hello"'), 400],
      ['a batch', post(withSession, `[${PING}]`), 400],
      ['an id that is null', post(withSession, '{"jsonrpc":"2.0","id":null,"method":"ping"}'), 400],
      [
        'GET without accepting events',
        exchange(url, { method: 'GET', headers: { 'mcp-session-id': session.id, accept: 'application/json' } }),
        406,
      ],
      ['GET without a session', exchange(url, { method: 'GET', headers: { accept: 'text/event-stream' } }), 400],
      ['PUT', exchange(url, { method: 'PUT', headers: withSession, body: PING }), 405],
      ['OPTIONS', exchange(url, { method: 'OPTIONS', headers: {} }), 405],
      ['another path', exchange(url.replace('/mcp', '/other'), { headers: withSession, body: PING }), 404],
      ['DELETE of an unknown session', exchange(url, { method: 'DELETE', headers: { 'mcp-session-id': 'gone' } }), 404],
    ];
    for (const [what, answer, status] of cases) {
      const { status: seen, body } = await answer;
      expect(`${what}: ${seen}`).toBe(`${what}: ${status}`);
      expect(JSON.parse(body).error.message.length).toBeGreaterThan(5);
    }
    expect((await exchange(url, { method: 'PUT', headers: withSession, body: PING })).headers.allow).toBe(
      'GET, POST, DELETE',
    );
    expect((await post(withSession)).body).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  test('web pages: a foreign Host or Origin on any route', async () => {
    const { url: base, stderr } = await startServe(
      writeConfig({ upstreams: {}, server: { allowedOrigins: ['https://good.example'] } }),
    );
    const port = new URL(base).port;
    const forbidden: Record<string, string | string[]>[] = [
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { host: '127.0.0.1:1' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://localhost.evil:${port}` },
      { origin: `http://localhost:${Number(port) + 1}` },
    ];
    for (const headers of forbidden) {
      for (const [method, path] of [
        ['POST', '/mcp'],
        ['GET', '/mcp'],
        ['DELETE', '/mcp'],
        ['OPTIONS', '/mcp'],
        ['GET', '/health'],
      ]) {
        const answer = await exchange(base.replace('/mcp', path!), {
          method: method!,
          headers: { ...JSON_TYPE, ...headers },
          body: PING,
        });
        expect(`${JSON.stringify(headers)} ${method} ${path}: ${answer.status}`).toBe(
          `${JSON.stringify(headers)} ${method} ${path}: 403`,
        );
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    const allowed = await exchange(base.replace('/mcp', '/health'), {
      method: 'GET',
      headers: { origin: 'https://good.example' },
    });
    expect(allowed.status).toBe(200);
    expect(stderr()).toContain('"event":"refused"');
  });

  test.each(['Host', 'Origin', 'Content-Type', 'Mcp-Session-Id'])('two %s headers', async (name) => {
    const { url } = await openServe(writeConfig({ upstreams: {} }));
    const { host } = new URL(url);
    const { id } = await HttpSession.open(url);
    const right: Record<string, string> = {
      Host: host,
      Origin: `http://${host}`,
      'Content-Type': 'application/json',
      'Mcp-Session-Id': id,
    };
    const send = (headers: Headers) =>
      sendRaw(url, requestText(url, { headers: { ...right, ...headers }, body: PING }));
    type Headers = Record<string, string | string[]>;
    expect((await send({})).status).toBe(200);
    expect((await send({ [name]: [right[name]!, 'another'] })).status).toBe(400);
    expect((await send({ [name]: ['another', right[name]!] })).status).toBe(400);
  });

  test('a body over the limit, announced or not', async () => {
    const { url: base } = await openServe(writeConfig({ upstreams: {}, limits: { frameBytes: 10_000 } }));
    const opened = await HttpSession.open(base);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'y'.repeat(20_000) } });
    expect((await opened.post(body)).status).toBe(413);
    expect((await opened.post(PING)).status).toBe(200);
  });

  test('an address beyond this machine', async () => {
    await expect(startServe(writeConfig({ upstreams: {}, server: { host: '0.0.0.0' } }))).rejects.toThrow(
      /exited with 78/,
    );
  });
});

describe('sessions', () => {
  test('end with DELETE; the id is unknown afterwards', async () => {
    const { url } = await openServe(writeConfig({ upstreams: {} }));
    const session = await HttpSession.open(url);
    expect((await exchange(url, { method: 'DELETE', headers: { 'mcp-session-id': session.id } })).status).toBe(200);
    expect((await session.post(PING)).status).toBe(404);
  });

  test('25 of them share the upstream’s one process, and answers do not mix', async () => {
    const { url, log } = await startTalkative();
    const sessions = await Promise.all(Array.from({ length: 25 }, () => HttpSession.open(url)));
    await expect.poll(() => sessions[0]!.toolNames()).toContain('t_echo');
    const texts = await Promise.all(
      sessions.map(async (session, index) => {
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"s${index}"}}}`;
        return JSON.parse((await session.post(body)).body).result.content[0].text;
      }),
    );
    expect(texts).toEqual(Array.from({ length: 25 }, (_, index) => `talkative: s${index}`));
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(25);
    expect(pidsIn(log)).toHaveLength(1);
  });

  test('a client of 2025-03-26 may send batches', async () => {
    const { url } = await openServe(writeConfig({ upstreams: {} }));
    const session = await HttpSession.open(url, {}, '2025-03-26');
    expect(session.initialized.protocolVersion).toBe('2025-03-26');
    const answer = await session.postOpen(
      '[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"tools/list"}]',
    );
    const answered: string[] = [];
    for await (const { data } of eventsOf(answer)) answered.push(data.id);
    expect(answered.sort()).toEqual(['a', 'b']);
  });
});

describe('limits', () => {
  const wait = (id: number) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t_wait","arguments":{"ms":20000}}}`;
  const cancel = (id: number) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;

  async function startLimited(limits: object) {
    const log = `${temporaryFolder()}/log`;
    const { url } = await openServe(writeConfig({ upstreams: { t: fixture('talkative', `--log=${log}`) }, limits }));
    const sessions = [await HttpSession.open(url), await HttpSession.open(url)] as const;
    await expect.poll(() => sessions[0].toolNames()).toContain('t_wait');
    const waiting = () => linesOf(log).filter((line) => line.startsWith('call wait')).length;
    return { sessions, waiting };
  }

  test('a session with too many open calls is told to come back; its pings and other sessions are served', async () => {
    const { sessions, waiting } = await startLimited({ callsPerClient: 2 });
    const [full, other] = sessions;
    const open = [1, 2].map((id) => full.post(wait(id)));
    await expect.poll(waiting).toBe(2);
    const refused = await full.post(wait(3));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(JSON.parse(refused.body).error.message).toContain('limits.callsPerClient');
    expect((await full.post(PING)).status).toBe(200);
    expect(await other.callText('t_echo', { text: 'x' })).toBe('talkative: x');
    for (const id of [1, 2]) await full.post(cancel(id));
    await Promise.all(open);
    expect(await full.callText('t_echo', { text: 'y' })).toBe('talkative: y');
  });

  test('a gateway with too many open calls is busy for everybody', async () => {
    const { sessions, waiting } = await startLimited({ calls: 2 });
    const open = sessions.map((session, index) => session.post(wait(index)));
    await expect.poll(waiting).toBe(2);
    const refused = await sessions[0].post(wait(3));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    for (const [index, session] of sessions.entries()) await session.post(cancel(index));
    await Promise.all(open);
    expect(await sessions[0].callText('t_echo', { text: 'y' })).toBe('talkative: y');
  });
});
