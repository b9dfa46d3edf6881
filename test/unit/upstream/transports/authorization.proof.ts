import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { RemoteEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { CredentialFiles } from '../../../../src/store/credentials/credential-files.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { UpstreamAuthorization } from '../../../../src/upstream/auth/upstream-authorization.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { beginEvents, eventOf } from '../../../support/http/http-server.ts';
import { remoteEntryOf } from '../entries.ts';
import { open } from './opened.ts';

const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}';
const AUTH = { type: 'oauth', isWritten: false } as const;

/** What a server under test does; a test changes it while it runs. */
interface Rules {
  /** The only access token that it takes. */
  valid: string;
  /** What it says to all others. */
  status: 401 | 403;
  challenge: string;
  /** What the token endpoint gives out, in turn. */
  readonly tokens: string[];
  onRenewal: () => Promise<void>;
}

/** A server that wants a token, over WebSocket and over HTTP with SSE, and the authorization server beside it. */
async function serve(changes: Partial<Rules> = {}) {
  const rules: Rules = {
    valid: 'access-2',
    status: 401,
    challenge: 'Bearer',
    tokens: ['access-2'],
    onRenewal: async () => undefined,
    ...changes,
  };
  const asked: (string | undefined)[] = [];
  let renewals = 0;
  let stream: ServerResponse | undefined;
  const mayEnter = ({ headers }: IncomingMessage): boolean => {
    asked.push(headers.authorization);
    return headers.authorization === `Bearer ${rules.valid}`;
  };
  const server = createServer(async (request, response) => {
    const origin = `http://${request.headers.host}`;
    const send = (value: object) => response.end(JSON.stringify(value));
    if (request.url === '/.well-known/oauth-authorization-server')
      send({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
      });
    else if (request.url === '/token') {
      renewals++;
      await rules.onRenewal();
      send({ access_token: rules.tokens.shift(), token_type: 'Bearer', expires_in: 60, refresh_token: 'refresh-2' });
    } else if (!mayEnter(request)) response.writeHead(rules.status, { 'www-authenticate': rules.challenge }).end();
    else if (request.method === 'GET') {
      stream = response;
      beginEvents(response)('event: endpoint\ndata: /in\n\n');
    } else {
      response.writeHead(202).end();
      stream?.write(eventOf(ANSWER));
    }
  });
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on('connection', (socket) => {
    socket.on('message', () => socket.send(ANSWER));
  });
  server.on('upgrade', (request, socket, head) => {
    if (mayEnter(request)) sockets.handleUpgrade(request, socket, head, (it) => sockets.emit('connection', it));
    else
      socket.end(
        `HTTP/1.1 ${rules.status} No\r\nwww-authenticate: ${rules.challenge}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endAll = () => {
    for (const socket of sockets.clients) socket.close(1001, 'bye');
    stream?.end();
  };
  return { rules, origin, asked, renewals: () => renewals, endAll };
}

type Server = Awaited<ReturnType<typeof serve>>;

/** Opens a connection as somebody who has logged in, or not. */
async function connect(type: 'websocket' | 'sse', { origin }: Server, isLoggedIn = true) {
  const url = `${type === 'websocket' ? origin.replace('http', 'ws') : origin}/mcp`;
  const entry: RemoteEntry = remoteEntryOf(url, { type, auth: AUTH });
  const store = new CredentialFiles({ folder: temporaryFolder(), usesKeychain: false, onError: () => undefined });
  if (isLoggedIn)
    await store.save(entry, {
      issuer: origin,
      resource: `${origin}/mcp`,
      client: { id: 'client' },
      tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', issuedAt: Date.now() },
    });
  const authorization = new UpstreamAuthorization({
    entry,
    auth: AUTH,
    store,
    env: {},
    log: createLog({ level: 'silent' }),
    onSecrets: () => undefined,
  });
  return open(url, { type, auth: AUTH }, { authorization });
}

describe.each(['websocket', 'sse'] as const)('a server over %s that wants a token', (type) => {
  test('is asked once where nobody has logged in, and the end says what to do', async () => {
    const server = await serve();
    const { closed, because } = await connect(type, server, false);
    await expect.poll(() => closed).toEqual(['it wants authorization. Log in: viaduct auth login up']);
    expect(because).toEqual(['unauthorized']);
    expect([server.asked, server.renewals()]).toEqual([[undefined], 0]);
  });

  test('gets a new one in the place of one that is over, and what waited', async () => {
    const server = await serve();
    const { send, frames, closed } = await connect(type, server);
    send({ id: 1, method: 'x' });
    await expect.poll(() => frames).toEqual([ANSWER]);
    expect(server.asked.slice(0, 2)).toEqual(['Bearer access-1', 'Bearer access-2']);
    expect([closed, server.renewals()]).toEqual([[], 1]);
  });

  test('ends later as if nothing had been refused', async () => {
    const server = await serve();
    const { send, frames, closed, because } = await connect(type, server);
    send({ id: 1, method: 'x' });
    await expect.poll(() => frames).toEqual([ANSWER]);
    server.endAll();
    const reason = type === 'websocket' ? 'it closed the connection (code 1001: "bye")' : 'the stream of events ended';
    await expect.poll(() => closed).toEqual([reason]);
    expect(because).toEqual([undefined]);
  });

  test('gets a new one again that it refuses, because its clock is behind', async () => {
    const server = await serve({ valid: 'none' });
    const { send, frames } = await connect(type, server);
    send({ id: 1, method: 'x' });
    await expect.poll(() => server.asked.length).toBe(2);
    server.rules.valid = 'access-2';
    await expect.poll(() => frames).toEqual([ANSWER]);
    expect(server.renewals()).toBe(1);
  });

  test('that refuses the new one for good is not asked any more', async () => {
    const server = await serve({ valid: 'none' });
    const { closed, because } = await connect(type, server);
    await expect.poll(() => closed).toEqual([expect.stringContaining('it refuses a token that is new')]);
    expect(because).toEqual(['unauthorized']);
    expect([server.asked.length, server.renewals()]).toEqual([3, 1]);
  });

  test('is lost, and no login is wanted, where no new one can be had', async () => {
    const server = await serve({ tokens: [] });
    const { closed, because } = await connect(type, server);
    await expect.poll(() => closed).toEqual([expect.stringContaining('a token could not be had')]);
    expect(because).toEqual([undefined]);
  });

  test('is not connected to when it is left while a new one is on its way', async () => {
    let renewed: (() => void) | undefined;
    const server = await serve({
      onRenewal: () =>
        new Promise((resolve) => {
          renewed = resolve;
        }),
    });
    const { closed, transport } = await connect(type, server);
    await expect.poll(() => renewed).toBeDefined();
    await transport.close();
    renewed!();
    await expect.poll(() => server.rules.tokens).toEqual([]);
    expect([closed, server.asked]).toEqual([[], ['Bearer access-1']]);
  });

  test('that wants more scopes names them', async () => {
    const server = await serve({ status: 403, challenge: 'Bearer error="insufficient_scope", scope="write"' });
    const { closed, because } = await connect(type, server);
    await expect.poll(() => closed).toEqual([expect.stringContaining('the scopes "write"')]);
    expect(because).toEqual(['unauthorized']);
    expect(server.asked.length).toBe(1);
  });

  test('that says nothing of OAuth is only refusing us', async () => {
    const server = await serve({ challenge: 'Basic realm="x"' });
    const { closed, because } = await connect(type, server, false);
    await expect.poll(() => closed).toEqual([expect.stringContaining('it asks for authorization (HTTP 401)')]);
    expect(because).toEqual([undefined]);
  });
});

describe('a message over SSE', () => {
  test('that is refused goes once more with the new token', async () => {
    const server = await serve({ valid: 'access-1' });
    const { send, frames, failures } = await connect('sse', server);
    await expect.poll(() => server.asked).toEqual(['Bearer access-1']);
    server.rules.valid = 'access-2';
    send({ id: 1, method: 'tools/call' });
    await expect.poll(() => frames).toEqual([ANSWER]);
    expect(server.asked).toEqual(['Bearer access-1', 'Bearer access-1', 'Bearer access-2']);
    expect(failures).toEqual([]);
  });

  test('that is refused for good fails, and says what to do', async () => {
    const server = await serve({ valid: 'access-1' });
    const { send, failures, closed } = await connect('sse', server);
    await expect.poll(() => server.asked.length).toBe(1);
    server.rules.valid = 'none';
    send({ id: 1, method: 'tools/call' });
    await expect
      .poll(() => failures)
      .toEqual([expect.objectContaining({ id: 1, code: 'UPSTREAM_NEEDS_AUTH', effect: 'none', status: 401 })]);
    expect(closed).toEqual([]);
  });
});
