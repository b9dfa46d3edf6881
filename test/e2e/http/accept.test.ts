import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture, openServe, writeConfig } from '../../support/gateway.ts';
import { eventsOf, exchange, HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';

const ends: (() => void | Promise<void>)[] = [];
let url: string;

beforeAll(async () => {
  const upstreams = { t: { ...fixture('talkative'), share: 'gateway' } };
  const home = mkdtempSync(path.join(process.env.VIADUCT_HOME!, 'accept-'));
  const config = writeConfig({ upstreams, lists: { graceMs: 20_000 } }, home);
  ({ url } = await openServe(config, { ...process.env, VIADUCT_HOME: home }, (end) => ends.push(end)));
});

afterAll(async () => {
  for (const end of ends) await end();
});

const JSON_ANSWER = 'application/json';
const EVENTS = 'text/event-stream';

/** Accept headers of clients, with the type of an answer before which something comes. */
const ACCEPTED: readonly (readonly [string, string | undefined, string])[] = [
  ['both', 'application/json, text/event-stream', EVENTS],
  ['JSON only', 'application/json', JSON_ANSWER],
  ['JSON of any kind', 'application/*', JSON_ANSWER],
  ['events only', 'text/event-stream', EVENTS],
  ['text of any kind', 'text/*', EVENTS],
  ['anything', '*/*', EVENTS],
  ['nothing said', undefined, EVENTS],
  ['other capitals', 'Application/JSON, Text/Event-Stream', EVENTS],
  ['no events', 'application/json, text/event-stream;q=0', JSON_ANSWER],
];

/** A POST with these headers; without `accept`, none is sent. */
async function post(body: object, accept: string | undefined, more: Record<string, string> = {}) {
  const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }), ...more };
  const answer = await exchange(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }) });
  const type = answer.headers['content-type'];
  const messages = type === EVENTS ? dataOf(answer.body) : [JSON.parse(answer.body)];
  return { ...answer, type, messages };
}

function dataOf(stream: string): any[] {
  return stream
    .split('\n')
    .flatMap((line) => /^data: *(\S.*)$/.exec(line)?.[1] ?? [])
    .map((data) => JSON.parse(data));
}

describe('a legacy client is answered in a type that it takes', () => {
  test.each(ACCEPTED)('%s: %s', async (_name, accept, type) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const opened = await post({ id: 1, method: 'initialize', params }, accept);
    const onlyEvents = type === EVENTS && accept?.startsWith('text/') === true;
    expect([opened.status, opened.type]).toEqual([200, onlyEvents ? EVENTS : JSON_ANSWER]);
    const session = { 'mcp-session-id': opened.headers['mcp-session-id'] as string };
    const progress = { name: 't_progress', arguments: { steps: 3, nonce: 'n' }, _meta: { progressToken: 'p' } };
    const called = await post({ id: 2, method: 'tools/call', params: progress }, accept, session);
    expect([called.status, called.type]).toEqual([200, type]);
    expect(called.messages.at(-1)).toMatchObject({ id: 2, result: { content: [{ text: 'progressed n' }] } });
    expect(called.messages.length > 1).toBe(type === EVENTS);
  });
});

describe('a modern client is answered in a type that it takes', () => {
  test.each(ACCEPTED)('%s: %s', async (_name, accept, type) => {
    const client = new ModernHttpClient(url);
    const params = { name: 't_progress', arguments: { steps: 3, nonce: 'n' } };
    const { accept: _usual, ...headers } = client.headersFor('tools/call', params);
    const body = client.body('tools/call', params, { progressToken: 'p' });
    const called = await post(JSON.parse(body), accept, headers);
    expect([called.status, called.type]).toEqual([200, type]);
    expect(called.messages.at(-1)).toMatchObject({ result: { content: [{ text: 'progressed n' }] } });
    expect(called.messages.length > 1).toBe(type === EVENTS);
  });

  test('a listener that takes no events is told so', async () => {
    const client = new ModernHttpClient(url);
    const answer = await client.post(
      'subscriptions/listen',
      { notifications: {} },
      { headers: { accept: JSON_ANSWER } },
    );
    expect([answer.status, answer.json.error.message]).toEqual([406, expect.stringContaining('text/event-stream')]);
  });
});

describe('a client that takes JSON only', () => {
  const jsonOnly = { accept: JSON_ANSWER };
  const elicitation = { name: 't_elicit', arguments: { text: 'Your name?' } };

  test('cannot be asked without a GET stream, and the upstream is told why', async () => {
    const session = await HttpSession.open(url, { elicitation: {} }, '2025-11-25', jsonOnly);
    const answer = await session.post(session.request('tools/call', elicitation));
    expect(answer.headers['content-type']).toBe(JSON_ANSWER);
    expect(answer.body).toContain('text/event-stream');
  });

  test('is asked on its GET stream', async () => {
    const session = await HttpSession.open(url, { elicitation: {} }, '2025-11-25', jsonOnly);
    const events = eventsOf(await session.listen({ accept: EVENTS }));
    const answer = session.post(session.request('tools/call', elicitation));
    let asked = (await events.next()).value?.data;
    while (asked?.method !== 'elicitation/create') asked = (await events.next()).value?.data;
    const result = { action: 'accept', content: { name: 'Ada' } };
    await session.post(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }));
    expect((await answer).body).toContain('Ada');
    await events.return(undefined);
  });

  test('gets the answers to a batch as one array', async () => {
    const session = await HttpSession.open(url, {}, '2025-03-26', jsonOnly);
    const calls = ['a', 'b'].map((text) => session.request('tools/call', { name: 't_echo', arguments: { text } }));
    const answer = await session.post(`[${calls.join()}]`);
    const texts = JSON.parse(answer.body).map(({ result }: any) => result.content[0].text);
    expect(texts.sort()).toEqual(['talkative: a', 'talkative: b']);
  });
});
