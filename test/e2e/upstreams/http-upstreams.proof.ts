import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { connectStdio, freshHome, upstreams, viaduct } from '../../support/gateway.ts';
import { type HttpServer, sendJson, startHttpServer } from '../../support/http/http-server.ts';
import { serveSdkV1, serveSdkV2 } from '../../support/sdk-servers.ts';

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

/** What a server's slow tool saw. */
interface Seen {
  cancelled: boolean;
  server: McpServerV1 | undefined;
}

function buildV1(seen: Seen): McpServerV1 {
  const server = new McpServerV1({ name: 'v1', version: '1.0.0' });
  seen.server = server;
  server.registerTool('echo', { inputSchema: { text: z.string() } }, (args) => text(args.text));
  server.registerTool('count', {}, async (extra) => {
    const progressToken = extra._meta?.progressToken ?? 0;
    for (const progress of [1, 2, 3])
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    return text('counted');
  });
  server.registerTool('ask', {}, async () => {
    const answer = await server.server.elicitInput({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: {} },
    });
    return text(`${answer.action} ${JSON.stringify(answer.content)}`);
  });
  server.registerTool('slow', {}, (extra) => {
    return new Promise((resolve) => {
      extra.signal.addEventListener('abort', () => {
        seen.cancelled = true;
        resolve(text('too late'));
      });
    });
  });
  server.registerResource('page', 'test://page', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'a page' }] }));
  return server;
}

async function connect(server: HttpServer, entry: object = {}, env = freshHome()): Promise<RawClient> {
  const config = upstreams({ h: { url: server.url, ...entry } });
  const client = await connectStdio(config, { env, capabilities: { elicitation: {} } });
  await expect.poll(() => client.toolNames()).toContain('h_echo');
  return client;
}

describe('a server made with version 1 of the SDK', () => {
  const start = async () => {
    const seen: Seen = { cancelled: false, server: undefined };
    const server = await serveSdkV1(() => buildV1(seen));
    return { seen, server, client: await connect(server) };
  };

  test('lists and calls pass, resources too', async () => {
    const { client } = await start();
    expect(await client.callText('h_echo', { text: 'grüße 😀' })).toBe('grüße 😀');
    const { value } = await client.request('resources/read', { uri: 'test://page' });
    expect(value.result.contents[0].text).toBe('a page');
  });

  test('progress and questions come on the stream of their call', async () => {
    const { client } = await start();
    await client.request('tools/call', '{"name":"h_count","arguments":{},"_meta":{"progressToken":"mine"}}');
    const progress = client.notifications('notifications/progress').map(({ value }) => value.params);
    expect(progress).toEqual([1, 2, 3].map((step) => ({ progressToken: 'mine', progress: step })));
    client.answers.set('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    expect(await client.callText('h_ask')).toBe('accept {"name":"Ada"}');
  });

  test('a cancelled call is cancelled there', async () => {
    const { client, seen, server } = await start();
    void client.request('tools/call', { name: 'h_slow', arguments: {} }, '"slow"').catch(() => undefined);
    await expect.poll(() => server.requests.some(({ body }) => body.includes('"slow"'))).toBe(true);
    client.notify('notifications/cancelled', { requestId: 'slow' });
    await expect.poll(() => seen.cancelled).toBe(true);
    expect(await client.callText('h_echo', { text: 'on' })).toBe('on');
  });

  test('changed lists are noticed on its own stream', async () => {
    const { client, seen } = await start();
    seen.server!.registerTool('more', {}, () => text('more'));
    await expect.poll(() => client.toolNames()).toContain('h_more');
  });

  test('that was started anew has forgotten its session: it gets another before anybody calls', async () => {
    const { client, server } = await start();
    await server.stop();
    const again = await serveSdkV1(() => buildV1({ cancelled: false, server: undefined }), server.port);
    await expect.poll(() => again.requests.some(({ message }) => message?.method === 'tools/list')).toBe(true);
    expect(await client.callText('h_echo', { text: 'back' })).toBe('back');
  });

  test('each client has a session of its own where the entry says so', async () => {
    const seen: Seen = { cancelled: false, server: undefined };
    const server = await serveSdkV1(() => buildV1(seen));
    const client = await connect(server, { share: 'session' });
    expect(await client.callText('h_echo', { text: 'mine' })).toBe('mine');
  });
});

describe('a server made with version 2 of the SDK', () => {
  const build = () => {
    const server = new McpServerV2({ name: 'v2', version: '1.0.0' });
    const region = z.string().meta({ 'x-mcp-header': 'Region' });
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async (args) => text(args.text));
    server.registerTool('sql', { inputSchema: z.object({ region }) }, async (args) => text(args.region));
    return server;
  };

  test('is spoken to in the modern era, with its headers', async () => {
    const server = await serveSdkV2(build);
    const client = await connect(server, { headers: { Authorization: 'Bearer swordfish' } });
    expect(await client.callText('h_echo', { text: 'grüße' })).toBe('grüße');
    expect(await client.callText('h_sql', { region: ' straße ' })).toBe(' straße ');
    const call = server.requests.findLast(({ message }) => message?.method === 'tools/call')!;
    expect(call.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'sql',
      'mcp-param-region': `=?base64?${Buffer.from(' straße ').toString('base64')}?=`,
      authorization: 'Bearer swordfish',
    });
    expect(server.requests.map(({ method }) => method)).not.toContain('GET');
    expect(server.requests.map(({ message }) => message?.method)).not.toContain('initialize');
  });

  test('changed lists are noticed on the stream that listens for them', async () => {
    let hasMore = false;
    const server = await serveSdkV2(() => {
      const built = build();
      if (hasMore) built.registerTool('more', {}, async () => text('more'));
      return built;
    });
    const client = await connect(server);
    await expect
      .poll(() => server.requests.some(({ message }) => message?.method === 'subscriptions/listen'))
      .toBe(true);
    hasMore = true;
    await expect
      .poll(async () => {
        server.notify.toolsChanged();
        return client.toolNames();
      })
      .toContain('h_more');
  });

  test('a cancelled call is cancelled there, without a message', async () => {
    let isCancelled = false;
    const server = await serveSdkV2(() => {
      const built = build();
      built.registerTool('slow', {}, (context) => {
        return new Promise((resolve) => {
          context.mcpReq.signal.addEventListener('abort', () => {
            isCancelled = true;
            resolve(text('too late'));
          });
        });
      });
      return built;
    });
    const client = await connect(server);
    void client.request('tools/call', { name: 'h_slow', arguments: {} }, '"slow"').catch(() => undefined);
    await expect.poll(() => server.requests.some(({ headers }) => headers['mcp-name'] === 'slow')).toBe(true);
    client.notify('notifications/cancelled', { requestId: 'slow' });
    await expect.poll(() => isCancelled).toBe(true);
    expect(server.requests.map(({ message }) => message?.method)).not.toContain('notifications/cancelled');
  });

  test('a tool with a bad declaration is left out, and the status says why', async () => {
    const server = await serveSdkV2(() => {
      const built = build();
      const inputSchema = z.object({ n: z.number().meta({ 'x-mcp-header': 'N' }) });
      built.registerTool('bad', { inputSchema }, async () => text('never'));
      return built;
    });
    const { stdout } = await viaduct([
      'status',
      '--json',
      '--config',
      upstreams({ h: { url: `${server.url}?key=1` } }),
    ]);
    const [status] = JSON.parse(stdout).upstreams;
    expect(status).toMatchObject({ state: 'ready', url: server.url, protocolVersion: '2026-07-28', starts: 1 });
    expect(status.counts.tools).toBe(2);
    expect(status.skipped).toEqual([
      { kind: 'tool', name: 'bad', reason: expect.stringContaining('x-mcp-header at n') },
    ]);
    expect(status).not.toHaveProperty('pid');
  });

  test.each(['legacy', '2026-07-28'])('era: %s is what is spoken', async (era) => {
    const server = await serveSdkV2(build);
    const client = await connect(server, { era });
    expect(await client.callText('h_echo', { text: era })).toBe(era);
    const methods = server.requests.map(({ message }) => message?.method);
    expect(methods.includes('initialize')).toBe(era === 'legacy');
  });
});

describe('a server that is in trouble', () => {
  const statusOf = async (entry: object): Promise<any> => {
    const { stdout } = await viaduct([
      'status',
      '--json',
      '--config',
      upstreams({ h: { restart: 'never', ...entry } }),
    ]);
    return JSON.parse(stdout).upstreams[0];
  };

  test.each([401, 403, 500, 503])('HTTP %s at the opening says nothing of its era', async (code) => {
    const server = await startHttpServer((_request, response) => response.writeHead(code).end());
    const status = await statusOf({ url: server.url, headers: { 'X-Key': 'swordfish' } });
    expect(status).toMatchObject({ state: 'stopped', reason: expect.stringContaining(`HTTP ${code}`) });
    expect(JSON.stringify(status)).not.toContain('swordfish');
    const sent = server.requests.filter(({ path }) => path === '/mcp');
    expect(sent.map(({ message }) => message.method)).toEqual(['server/discover']);
  });

  test.each([400, 404, 405])('HTTP %s to the modern question is the answer of a legacy server', async (code) => {
    const server = await startHttpServer((request, response) => {
      const { method, id } = request.message ?? {};
      if (method === 'initialize') {
        const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'old', version: '1' } };
        sendJson(response, { jsonrpc: '2.0', id, result });
      } else if (method === 'tools/list') sendJson(response, { jsonrpc: '2.0', id, result: { tools: [] } });
      else if (request.method === 'GET') response.writeHead(405).end();
      else response.writeHead(method === 'server/discover' ? code : 202).end();
    });
    expect(await statusOf({ url: server.url })).toMatchObject({ state: 'ready', protocolVersion: '2025-11-25' });
  });

  test('one that is not there is tried again, and is found when it comes', async () => {
    const server = await serveSdkV1(() => buildV1({ cancelled: false, server: undefined }));
    await server.stop();
    const client = await connectStdio(upstreams({ h: { url: server.url } }));
    await client.toolNames();
    await serveSdkV1(() => buildV1({ cancelled: false, server: undefined }), server.port);
    await expect.poll(() => client.toolNames()).toContain('h_echo');
  });
});
