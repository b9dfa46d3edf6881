import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HELD_KINDS, type HeldKind, startHeld } from '../../../../test/support/held-server.ts';
import { assertThat, factsOf, inTime, listed, statusOf } from '../../expect.ts';
import { type Fault, quick } from '../../fault.ts';
import { type Scene, until } from '../../scene.ts';

/** The requests that a server on this machine received. */
interface Asked {
  readonly method: string;
  readonly path: string;
}

type Exception = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A legacy server with the tool `echo`; `exception` takes requests first, and tells whether it has answered. */
async function startServer(
  scene: Scene,
  exception: Exception,
): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push({ method: request.method!, path: request.url! });
    if (exception(request, response)) return;
    const { id, method, params } = request.method === 'POST' ? JSON.parse(body) : { id: undefined };
    if (request.method !== 'POST') response.writeHead(405).end();
    else if (id === undefined) response.writeHead(202).end();
    else {
      const result = resultOf(method, params);
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scene.onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked };
}

function resultOf(method: string, params: { readonly arguments?: { readonly text?: string } }): object {
  const serverInfo = { name: 'remote', version: '1' };
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  if (method === 'tools/list') return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
  return method === 'tools/call' ? { content: [{ type: 'text', text: params.arguments?.text ?? '' }] } : {};
}

const REDIRECTS: Fault = quick({
  id: 'U-redirect-maintenance',
  what: 'A server at a url sends one call to a maintenance page (HTTP 307), and its optional stream to a docs page (302)',
  holds: 'That call fails; the next one, and `sync`, go to the configured url',
  async run(scene) {
    let isAway = false;
    const { url, asked } = await startServer(scene, ({ method, url: path }, response) => {
      if (path === '/docs' || path === '/maintenance')
        response.writeHead(503, { 'content-type': 'text/html' }).end('<html>');
      else if (method === 'GET') response.writeHead(302, { location: '/docs' }).end();
      else if (isAway) response.writeHead(307, { location: '/maintenance' }).end();
      else return false;
      return true;
    });
    const config = scene.config({ upstreams: { bad: { url, type: 'http', era: 'legacy' } } });
    await scene.serve(config);
    const { client } = await scene.stdio(config);
    await listed(client, ['bad_echo']);
    await until('the stream was asked for', () => asked.some(({ path }) => path === '/docs'));
    isAway = true;
    assert.equal(factsOf(await client.call('bad_echo', { text: 'lost' })).effect, 'none');
    isAway = false;
    assert.equal(await client.callText('bad_echo', { text: 'back' }), 'back');
    assert.equal((await scene.viaduct(['sync', 'bad', '--config', config])).code, 0);
    assert.equal((await statusOf(scene, config)).state, 'ready');
    const astray = asked.filter(({ path, method }) => path !== '/mcp' && method === 'POST');
    assert.equal(astray.length, 1, 'only the call that met the redirect followed it');
  },
});

const STREAM: Fault = {
  id: 'U-stream-refused-once',
  what: 'A server answers the first request for its own stream with 429 and Retry-After',
  holds: 'The stream is opened when that time is over; what changed meanwhile is noticed',
  async run(scene) {
    let refusedAt: number | undefined;
    let openedAt: number | undefined;
    const { url, asked } = await startServer(scene, ({ method }, response) => {
      if (method !== 'GET') return false;
      if (refusedAt === undefined) {
        refusedAt = performance.now();
        response.writeHead(429, { 'retry-after': '2' }).end();
      } else {
        openedAt = performance.now();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': here\n\n');
      }
      return true;
    });
    const { client } = await scene.stdio({ bad: { url, type: 'http', era: 'legacy' } });
    await listed(client, ['bad_echo']);
    const posts = asked.filter(({ method }) => method === 'POST').length;
    await until('the stream is open', () => openedAt !== undefined);
    assertThat('not before the time that it named', openedAt! - refusedAt! >= 1_900);
    await until('the lists are read again', () => asked.filter(({ method }) => method === 'POST').length > posts);
  },
};

const FAULT_WORDS = { refused: 'takes no new connection', 404: 'answers another call with 404' } as const;

const badLuck = (kind: HeldKind, fault: keyof typeof FAULT_WORDS): Fault => ({
  id: `U-runs-on-${fault}-${kind.replaceAll(/[ -]/g, '-')}`,
  what: `While a call runs, its server (${kind}) ${FAULT_WORDS[fault]}`,
  holds: 'The call that runs is answered; later calls are served again',
  async run(scene) {
    const server = await startHeld(kind, (end) => scene.onClose(end));
    const { client } = await scene.stdio({ bad: server.entry as Record<string, unknown> });
    await listed(client, ['bad_slow']);
    const slow = client.callText('bad_slow');
    await until('the call is open', () => server.open() === 1);
    if (fault === 'refused') await server.leave();
    else server.refuse(fault);
    await client.call('bad_quick');
    server.release();
    assert.equal(await inTime('the call that runs', 5_000, slow), 'slow is done');
    if (fault === 'refused') await server.comeBack();
    await until('others are served', async () => (await client.callText('bad_quick')) === 'quick is done', 40_000);
  },
});

/** The faults of servers at a url in single requests of the gateway. */
export const UPSTREAM_HTTP_FAULTS: readonly Fault[] = [
  REDIRECTS,
  STREAM,
  ...HELD_KINDS.flatMap((kind) => [badLuck(kind, 'refused'), badLuck(kind, 404)]),
];
