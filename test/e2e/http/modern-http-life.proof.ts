import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  fixture,
  linesOf,
  openServe,
  type Serving,
  startServe,
  temporaryFolder,
  writeConfig,
} from '../../support/gateway.ts';
import { ModernHttpClient, type ModernSender, messagesOf } from '../../support/http/modern-http-client.ts';
import { reach } from '../../support/transports.ts';

const KEY = 'io.modelcontextprotocol/';
const STAMP = `${KEY}subscriptionId`;
const CAN_BE_ASKED = { capabilities: { elicitation: {} } };

/** A gateway before one upstream with everything, and one whose lists change. */
const start = (more: object = {}) => begin(more, openServe);

/** The same as a process. */
const startProcess = (more: object = {}) => begin(more, startServe);

async function begin<Opened extends Serving>(more: object, open: (config: string) => Promise<Opened>) {
  const log = `${temporaryFolder()}/log`;
  const upstreams = { t: fixture('talkative', `--log=${log}`), h: fixture('hostile') };
  const config = writeConfig({ upstreams, lists: { graceMs: 20_000 }, ...more });
  const serving = await open(config);
  const connect = (sender: ModernSender = {}) => new ModernHttpClient(serving.url, sender);
  await connect().post('tools/list');
  const saw = (text: string) => linesOf(log).filter((line) => line.includes(text));
  return { ...serving, config, connect, saw };
}

const seen = (saw: () => string[], times = 1) => expect.poll(() => saw().length).toBe(times);
const WAIT = { name: 't_wait', arguments: { ms: 20_000 } };

describe('a client that closes the connection of its call', () => {
  test('has cancelled it: the upstream is told, and the place of the call is free', async () => {
    const { connect, saw } = await start({ limits: { calls: 1 } });
    const client = connect();
    const open = client.open('tools/call', WAIT);
    await seen(() => saw('call wait'));
    expect((await client.call('t_echo', { text: 'x' })).status).toBe(503);
    open.leave();
    await seen(() => saw('notification notifications/cancelled'));
    await seen(() => saw('cancelled ').filter((line) => line.startsWith('cancelled')));
    expect(await client.callText('t_echo', { text: 'y' })).toBe('talkative: y');
  });

  test('has cancelled it in the middle of its stream, too', async () => {
    const { connect, saw } = await start();
    const params = { name: 't_nonce', arguments: { nonce: 'n', ms: 20_000 } };
    const open = connect().open('tools/call', params, { meta: { progressToken: 1 } });
    for await (const { method } of messagesOf(await open.response)) {
      expect(method).toBe('notifications/progress');
      break;
    }
    open.leave();
    await seen(() => saw('notification notifications/cancelled'));
  });
});

describe('a call that is asked something', () => {
  const ask = async (client: ModernHttpClient, text: string, elicit = 't_elicit') => {
    const { status, json } = await client.call(elicit, { text });
    expect([status, json.result.resultType]).toEqual([200, 'input_required']);
    const [[key, question]] = Object.entries<any>(json.result.inputRequests) as [[string, any]];
    expect(question.params.message).toBe(text);
    const more = {
      requestState: json.result.requestState,
      inputResponses: { [key]: { action: 'accept', content: { name: text } } },
    };
    return () => client.call(elicit, { text }, { more });
  };

  test('keeps a place of its upstream, but clients that stay away do not keep them all', async () => {
    // Over HTTP the server says which call it asks for: calls run side by side.
    const server = await reach('http', { folder: temporaryFolder(), flags: ['--era=legacy'] });
    onTestFinished(() => server.stop());
    const upstreams = { t: { ...server.entry, maxConcurrency: 2 } };
    const serving = await openServe(writeConfig({ upstreams, lists: { graceMs: 20_000 } }));
    const client = new ModernHttpClient(serving.url, CAN_BE_ASKED);
    await client.post('tools/list');
    const goOn = await ask(client, 'first');
    const refused = JSON.stringify((await client.call('t_elicit', { text: 'second' })).json.result);
    expect(refused).toContain('wait for their clients already');
    expect(await client.callText('t_echo', { text: 'free' })).toBe('eras: free');
    expect((await goOn()).json.result.resultType).toBe('complete');
  });

  test('holds up other calls where its upstream does not say for which call it asks; they are told why', async () => {
    // With one process of its own, a client has a further one for such calls: see secrecy/sharing.
    const upstreams = { t: { ...fixture('talkative'), share: 'gateway', timeouts: { callMs: 1_000 } } };
    const serving = await openServe(writeConfig({ upstreams, lists: { graceMs: 20_000 } }));
    const client = new ModernHttpClient(serving.url, CAN_BE_ASKED);
    await client.post('tools/list');
    const goOn = await ask(client, 'first');
    const { json } = await client.call('t_echo', { text: 'x' });
    expect(json.result.content[0].text).toContain('those that share it take turns');
    const waiting = client.callText('t_echo', { text: 'in turn' });
    expect((await goOn()).json.result.resultType).toBe('complete');
    expect(await waiting).toBe('talkative: in turn');
  });

  test('goes on with another connection; its state works once, and for nobody else', async () => {
    const { connect, saw } = await start();
    const client = connect(CAN_BE_ASKED);
    const { json } = await client.call('t_elicit', { text: 'who?' });
    const [key] = Object.keys(json.result.inputRequests);
    const more = {
      requestState: json.result.requestState,
      inputResponses: { [key!]: { action: 'accept', content: { name: 'Bo' } } },
    };
    const stranger = await connect({ ...CAN_BE_ASKED, name: 'stranger' }).call('t_elicit', { text: 'who?' }, { more });
    expect(stranger.json.error).toMatchObject({ code: -32602, message: expect.stringContaining('belongs to another') });
    const answer = await client.call('t_elicit', { text: 'who?' }, { more });
    expect(JSON.parse(answer.json.result.content[0].text)).toEqual({ action: 'accept', content: { name: 'Bo' } });
    const again = await client.call('t_elicit', { text: 'who?' }, { more });
    expect(again.json.error).toMatchObject({ code: -32602, message: expect.stringContaining('used already') });
    expect(saw('call elicit')).toHaveLength(1);
    expect(saw('notifications/cancelled')).toEqual([]);
  });

  test('keeps its place where no more calls may begin, and its second try is taken', async () => {
    const { connect } = await start({ limits: { calls: 1 } });
    const client = connect(CAN_BE_ASKED);
    const retry = await ask(client, 'a');
    const refused = await client.call('t_echo', { text: 'x' });
    expect([refused.status, refused.headers['retry-after'], refused.json.error.code]).toEqual([503, '1', -32603]);
    expect((await retry()).json.result.resultType).toBe('complete');
    expect(await client.callText('t_echo', { text: 'y' })).toBe('talkative: y');
  });

  test('is given up when the gateway stops, and the upstream is told', async () => {
    const { connect, saw, child } = await startProcess();
    await ask(connect(CAN_BE_ASKED), 'a');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(saw('notification notifications/cancelled')).toHaveLength(1);
  });
});

describe('a stream of changes', () => {
  const listen = async (client: ModernHttpClient, notifications: object) => {
    const open = client.open('subscriptions/listen', { notifications });
    const response = await open.response;
    expect(response.headers['content-type']).toBe('text/event-stream');
    const messages = messagesOf(response);
    const { value: first } = await messages.next();
    expect(first.method).toBe('notifications/subscriptions/acknowledged');
    const next = async () => (await messages.next()).value;
    return { ...open, first, next, id: first.params._meta[STAMP] };
  };

  test('begins with what it will tell, and tells of the lists that it was asked for', async () => {
    const { connect } = await start();
    const client = connect();
    const tools = await listen(client, { toolsListChanged: true, promptsListChanged: false });
    expect(tools.first.params.notifications).toEqual({ toolsListChanged: true });
    const prompts = await listen(client, { promptsListChanged: true });
    expect(prompts.first.params.notifications).toEqual({ promptsListChanged: true });
    await client.call('h_add-tool', { name: 'fresh' });
    expect(await tools.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [STAMP]: tools.id } },
    });
    expect((await client.post('tools/list')).json.result.tools.map(({ name }: any) => name)).toContain('h_fresh');
    // Not a word on the other one: what comes next there is of something else.
    const silence = prompts.next();
    prompts.leave();
    await expect(silence).rejects.toThrow();
    tools.leave();
  });

  test('tells of resources under its own stamp; the last one to close unsubscribes upstream', async () => {
    const { connect, saw } = await start();
    const client = connect();
    const wants = { resourceSubscriptions: ['talkative://one'] };
    const [one, two] = [await listen(client, wants), await listen(client, wants)];
    expect(one.first.params.notifications).toEqual(wants);
    expect(one.id).not.toBe(two.id);
    await expect.poll(() => saw('subscribe talkative://one').length).toBeGreaterThan(0);
    await client.call('t_touch', { uri: 'talkative://one' });
    for (const { next, id } of [one, two]) {
      expect(await next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'talkative://one', _meta: { [STAMP]: id } },
      });
    }
    one.leave();
    await client.call('t_touch', { uri: 'talkative://one' });
    expect(await two.next()).toMatchObject({ params: { _meta: { [STAMP]: two.id } } });
    expect(saw('unsubscribe')).toEqual([]);
    two.leave();
    await seen(() => saw('unsubscribe talkative://one'));
  });

  test('ends with an empty result when the gateway stops', async () => {
    const { connect, child } = await startProcess();
    const stream = await listen(connect(), { toolsListChanged: true });
    child.kill('SIGTERM');
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      id: stream.id,
      result: {
        resultType: 'complete',
        _meta: { [STAMP]: stream.id, [`${KEY}serverInfo`]: expect.objectContaining({ name: 'viaduct' }) },
      },
    });
    expect(await stream.next()).toBeUndefined();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

test('while the last call runs after SIGTERM new ones are refused with 503', async () => {
  const { connect, child, saw, stderr, url } = await startProcess({ log: { level: 'info' } });
  const client = connect();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method: string): Promise<[number, string | undefined]> =>
    new Promise((resolve, reject) => {
      const outgoing = request(url, { method: 'POST', agent, headers: client.headersFor(method) }, (response) => {
        response.resume();
        response.once('end', () => resolve([response.statusCode!, response.headers.connection]));
      });
      outgoing.on('error', reject);
      outgoing.end(client.body(method));
    });
  expect(await send('server/discover')).toEqual([200, 'keep-alive']);
  const last = client.open('tools/call', { name: 't_wait', arguments: { ms: 1_500 } });
  await seen(() => saw('call wait'));
  child.kill('SIGTERM');
  await expect.poll(() => stderr()).toContain('"event":"drain"');
  expect(await send('server/discover')).toEqual([503, 'close']);
  const answer = await last.response;
  let text = '';
  for await (const chunk of answer) text += (chunk as Buffer).toString();
  expect(JSON.parse(text).result.content[0].text).toBe('waited');
});

test('limits.calls: a gateway that is full says when to come back, and still lists', async () => {
  const { connect, saw } = await start({ limits: { calls: 2 } });
  const [one, two] = [connect(), connect({ name: 'another' })];
  const open = [one, two].map((client) => client.open('tools/call', WAIT));
  await seen(() => saw('call wait'), 2);
  const refused = await one.call('t_echo', { text: 'x' });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(refused.json.error.message).toContain('limits.calls');
  expect((await two.post('tools/list')).status).toBe(200);
  for (const each of open) each.leave();
  await seen(() => saw('notification notifications/cancelled'), 2);
  expect(await one.callText('t_echo', { text: 'y' })).toBe('talkative: y');
});

test('server.nameInResults: false: no answer names the gateway; a change of it is heeded at once', async () => {
  const { connect, config } = await start({ server: { nameInResults: false } });
  const client = connect();
  const answers = async () => [
    await client.post('server/discover'),
    await client.post('tools/list'),
    await client.call('t_echo', { text: 'x' }),
    await client.post('resources/read', { uri: 'talkative://one' }),
    await client.call('t_nothing'),
  ];
  for (const { body } of await answers()) expect(body).not.toContain('serverInfo');
  writeFileSync(config, readFileSync(config, 'utf8').replace('"nameInResults":false', '"nameInResults":true'));
  await expect.poll(async () => (await client.post('tools/list')).body).toContain('serverInfo');
  const named = (await answers()).filter(({ json }) => json.result !== undefined);
  expect(named).toHaveLength(4);
  for (const { json } of named) expect(json.result._meta[`${KEY}serverInfo`].name).toBe('viaduct');
});
