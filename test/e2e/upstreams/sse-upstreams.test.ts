import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectStdio, statusOf, upstreams } from '../../support/gateway.ts';
import { serveSdkSse } from '../../support/sdk-servers.ts';

function build(): McpServer {
  const server = new McpServer({ name: 'old', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerTool('ask', {}, async () => {
    const answer = await server.server.elicitInput({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: {} },
    });
    return { content: [{ type: 'text', text: `${answer.action} ${JSON.stringify(answer.content)}` }] };
  });
  return server;
}

const shownOf = async (entry: object): Promise<any> =>
  (await statusOf(upstreams({ h: { restart: 'never', ...entry } }))).upstreams[0];

describe('a server made with the SDK for HTTP with SSE', () => {
  test.each([[{ type: 'sse' }], [{}]])('is reached with %s', async (how) => {
    const server = await serveSdkSse(build);
    const config = upstreams({ h: { url: server.url, ...how } });
    const client = await connectStdio(config, { capabilities: { elicitation: {} } });
    expect(await client.toolNames()).toEqual(expect.arrayContaining(['h_echo', 'h_ask']));
    expect(await client.callText('h_echo', { text: 'grüße 😀' })).toBe('grüße 😀');
    client.answers.set('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    expect(await client.callText('h_ask')).toBe('accept {"name":"Ada"}');
  });

  test('may forget a session: calls go to the next one', async () => {
    const server = await serveSdkSse(build);
    const client = await connectStdio(upstreams({ h: { url: server.url, type: 'sse' } }));
    await client.toolNames();
    server.forget();
    const texts = ['one', 'two', 'three'];
    expect(await Promise.all(texts.map((text) => client.callText('h_echo', { text })))).toEqual(texts);
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(2);
  });

  test('is not with type: http, and the status says what may be meant', async () => {
    const server = await serveSdkSse(build);
    expect(await shownOf({ url: server.url, type: 'http' })).toMatchObject({
      state: 'stopped',
      url: server.url,
      reason: expect.stringContaining('write "type: sse"'),
    });
  });
});

test.each([
  ['tcp://127.0.0.1:1', 'tcp://127.0.0.1:1', 'connection refused'],
  ['unix://none.sock', expect.stringMatching(/^unix:\/\/\/.*none\.sock$/), 'there is no socket at its url'],
  ['ws://127.0.0.1:1/mcp?key=swordfish', 'ws://127.0.0.1:1/mcp', 'connection refused'],
])('the status of a server that is not there says so: %s', async (url, shown, reason) => {
  const status = await shownOf({ url });
  expect(status).toMatchObject({ state: 'stopped', url: shown, reason: expect.stringContaining(reason) });
  expect(JSON.stringify(status)).not.toContain('swordfish');
});
