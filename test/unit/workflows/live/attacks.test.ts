import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LiveServer, LiveServerOptions } from '../../../../src/workflows/live/live-server.ts';
import { Client, output, startHub, TOKEN } from './live-setup.ts';

interface Knock {
  readonly path?: string;
  readonly method?: string;
  /** On top of those of a WebSocket handshake; PORT stands for that of the hub. `undefined` leaves one out. */
  readonly headers?: Record<string, string | string[] | undefined>;
}

interface Answer {
  /** 101 where the door was opened. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAECAwQFBgcICQoLDA0ODw==',
};

function knock({ address }: LiveServer, { path = '/ws', method = 'GET', headers = {} }: Knock): Promise<Answer> {
  const all = Object.entries({ ...HANDSHAKE, ...headers }).filter(([, value]) => value !== undefined);
  const flat = all.flatMap(([name, value]) => [value!].flat().flatMap((one) => [name, atPort(one, address.port)]));
  if (!('host' in headers)) flat.push('host', `127.0.0.1:${address.port}`);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: address.port, path, method, headers: flat, agent: false });
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode!, headers: response.headers, body: '' });
    });
    outgoing.on('response', async (response) => {
      let body = '';
      for await (const chunk of response) body += String(chunk);
      resolve({ status: response.statusCode!, headers: response.headers, body });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const atPort = (text: string, port: number): string => text.replace('PORT', String(port));

type Row = readonly [what: string, options: Partial<LiveServerOptions>, said: Knock, status: number];

const mayComeIn: readonly Row[] = [
  ['a program of this machine', {}, {}, 101],
  ['one that says localhost', {}, { headers: { host: 'localhost:PORT' } }, 101],
  ['one that says [::1]', {}, { headers: { host: '[::1]:PORT' } }, 101],
  ['a page of this machine', {}, { headers: { origin: 'http://localhost:5173' } }, 101],
  ['another page of this machine', {}, { headers: { origin: 'https://127.0.0.1' } }, 101],
  [
    'an origin of the config',
    { allowedOrigins: ['https://x.example'] },
    { headers: { origin: 'https://x.example' } },
    101,
  ],
  ['a host of the config', { allowedHosts: ['Hub.example:443'] }, { headers: { host: 'hub.example:443' } }, 101],
  ['the token as a header', { token: TOKEN }, { headers: { authorization: `bearer ${TOKEN}` } }, 101],
  ['the token in the url', { token: TOKEN }, { path: `/ws?x=1&token=${TOKEN}` }, 101],
  ['a token that nobody asks for', {}, { path: '/ws?token=any', headers: { authorization: 'Bearer any' } }, 101],
];

const mustNot: readonly Row[] = [
  // DNS rebinding: a name of theirs leads to an address of ours.
  ['a name of theirs', {}, { headers: { host: 'evil.example:PORT' } }, 403],
  ['a name that begins like ours', {}, { headers: { host: 'localhost.evil.example:PORT' } }, 403],
  ['a name that begins with our address', {}, { headers: { host: '127.0.0.1.evil.example:PORT' } }, 403],
  ['our name without a port', {}, { headers: { host: 'localhost' } }, 403],
  ['our name at another port', {}, { headers: { host: 'localhost:1' } }, 403],
  ['another address of loopback', {}, { headers: { host: '127.0.0.2:PORT' } }, 403],
  ['a user before our name', {}, { headers: { host: 'evil@localhost:PORT' } }, 403],
  ['an empty host', {}, { headers: { host: '' } }, 403],
  ['two hosts', {}, { headers: { host: ['127.0.0.1:PORT', 'evil.example'] } }, 400],
  // Web pages of elsewhere.
  ['an origin of theirs', {}, { headers: { origin: 'https://evil.example' } }, 403],
  ['an origin that begins like ours', {}, { headers: { origin: 'http://localhost.evil.example' } }, 403],
  ['an origin that ends like ours', {}, { headers: { origin: 'http://evil.example/http://localhost' } }, 403],
  ['an origin with a user', {}, { headers: { origin: 'http://localhost@evil.example' } }, 403],
  ['the origin of a sandbox or a file', {}, { headers: { origin: 'null' } }, 403],
  ['an empty origin', {}, { headers: { origin: '' } }, 403],
  ['an origin of another scheme', {}, { headers: { origin: 'chrome-extension://localhost' } }, 403],
  ['a good origin and a bad one', {}, { headers: { origin: ['http://localhost', 'http://evil.example'] } }, 400],
  [
    'an allowed origin in other letters',
    { allowedOrigins: ['https://x.example'] },
    { headers: { origin: 'https://X.example' } },
    403,
  ],
  [
    'an origin where an old browser says it',
    {},
    { headers: { 'sec-websocket-version': '8', 'sec-websocket-origin': 'http://evil.example' } },
    426,
  ],
  // Tokens.
  ['no token', { token: TOKEN }, {}, 401],
  ['another token', { token: TOKEN }, { headers: { authorization: 'Bearer wrong-horse-battery-x' } }, 401],
  ['the beginning of the token', { token: TOKEN }, { path: `/ws?token=${TOKEN.slice(0, -1)}` }, 401],
  ['more than the token', { token: TOKEN }, { path: `/ws?token=${TOKEN}x` }, 401],
  ['the token by another scheme', { token: TOKEN }, { headers: { authorization: `Basic ${TOKEN}` } }, 401],
  [
    'a wrong header beside the right url',
    { token: TOKEN },
    { path: `/ws?token=${TOKEN}`, headers: { authorization: 'x' } },
    401,
  ],
  ['a wrong token before the right one', { token: TOKEN }, { path: `/ws?token=x&token=${TOKEN}` }, 401],
  [
    'the token, from a page of elsewhere',
    { token: TOKEN },
    { path: `/ws?token=${TOKEN}`, headers: { origin: 'http://x.example' } },
    403,
  ],
  // Anything but a WebSocket at its place.
  ['another path', {}, { path: '/' }, 404],
  ['a path below', {}, { path: '/ws/' }, 404],
  ['a path that is not normal', {}, { path: '/x/../ws' }, 404],
  ['an encoded path', {}, { path: '/%77s' }, 404],
  ['a whole url', {}, { path: 'http://127.0.0.1/ws' }, 404],
  ['another method', {}, { method: 'POST' }, 405],
  ['no upgrade', {}, { headers: { upgrade: undefined, connection: 'close' } }, 426],
  ['another upgrade', {}, { headers: { upgrade: 'h2c' } }, 426],
  [
    'a page that only looks',
    {},
    { path: '/', headers: { upgrade: undefined, connection: 'close', host: 'evil.example' } },
    403,
  ],
  [
    'another method without an upgrade',
    {},
    { method: 'POST', headers: { upgrade: undefined, connection: 'close' } },
    405,
  ],
  ['a bad key', {}, { headers: { 'sec-websocket-key': 'x' } }, 400],
  ['an old version', {}, { headers: { 'sec-websocket-version': '12' } }, 426],
];

describe('who may come in', () => {
  test.each(mayComeIn)('%s', async (_what, options, said, status) => {
    const { server } = await startHub(options);
    expect(await knock(server, said)).toMatchObject({ status });
  });
});

describe('who must not', () => {
  test.each(mustNot)('%s', async (_what, options, said, status) => {
    const { server, lines } = await startHub(options);
    const answer = await knock(server, said);
    expect(answer).toMatchObject({ status });
    expect(answer.body).not.toBe('');
    expect(answer.body + JSON.stringify(lines)).not.toContain(TOKEN);
    expect(server.hub.clients).toBe(0);
  });
});

test('an address that was reached is ours, also where the hub listens at all of them', async () => {
  const { server } = await startHub({ token: TOKEN }, '0.0.0.0');
  const path = `/ws?token=${TOKEN}`;
  expect(await knock(server, { path, headers: { host: '127.0.0.1:PORT' } })).toMatchObject({ status: 101 });
  expect(await knock(server, { path, headers: { host: '10.9.8.7:PORT' } })).toMatchObject({ status: 403 });
  expect(await knock(server, { path, headers: { host: 'evil.example:PORT' } })).toMatchObject({ status: 403 });
});

test('64 clients may be there; the next is told to come later, and comes in when one has gone', async () => {
  const { server } = await startHub();
  const clients = await Promise.all(Array.from({ length: 64 }, () => Client.open(server.url)));
  expect(await knock(server, {})).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  clients[0]!.socket.terminate();
  await expect.poll(() => server.hub.clients).toBe(63);
  expect(await knock(server, {})).toMatchObject({ status: 101 });
});

test('compression is not spoken, so no bomb can be sent', async () => {
  const { server } = await startHub();
  const offered = { 'sec-websocket-extensions': 'permessage-deflate; client_max_window_bits' };
  const { status, headers } = await knock(server, { headers: offered });
  expect(status).toBe(101);
  expect(headers['sec-websocket-extensions']).toBe(undefined);
  const client = await Client.open(server.url);
  // A frame that says it is compressed.
  rawSocketOf(client).write(Buffer.from([0xc1, 0x80, 0, 0, 0, 0]));
  expect(await client.closed).toMatchObject({ code: 1002 });
});

test.each<[string, Buffer, number]>([
  ['of a length that nobody has', Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 1009],
  ['of 64 KiB and one byte, of which nothing came yet', Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 1]), 1009],
  ['that is not masked', Buffer.from([0x81, 0x01, 0x61]), 1002],
  ['of no known kind', Buffer.from([0x83, 0x80, 0, 0, 0, 0]), 1002],
  ['that is no UTF-8', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 1007],
  ['that goes on with nothing', Buffer.from([0x80, 0x80, 0, 0, 0, 0]), 1002],
])('a frame %s ends its connection, and no other', async (_what, frame, code) => {
  const { feed, server } = await startHub();
  const [bad, good] = [await Client.open(server.url), await Client.open(server.url)];
  await good.subscribe('process:proc-1');
  rawSocketOf(bad).write(frame);
  expect(await bad.closed).toMatchObject({ code });
  void feed.publish(output('still there'));
  await good.settle();
  expect(good.messages[0]).toMatchObject({ data: 'still there' });
  await expect.poll(() => server.hub.clients).toBe(1);
});

test('one message in endless fragments ends at 64 KiB', async () => {
  const { server } = await startHub();
  const client = await Client.open(server.url);
  const part = 'x'.repeat(1_000);
  for (let sent = 0; sent < 70_000; sent += part.length) client.socket.send(part, { fin: false });
  expect(await client.closed).toMatchObject({ code: 1009 });
});

test('connections that say nothing take no place from clients', async () => {
  const { server } = await startHub();
  const { port } = server.address;
  const silent = await Promise.all(Array.from({ length: 60 }, () => connected(port)));
  await Promise.all(Array.from({ length: 60 }, () => Client.open(server.url)));
  expect(server.hub.clients).toBe(60);
  expect(silent).toHaveLength(60);
});

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** What the package would never send. */
const rawSocketOf = ({ socket }: Client): Socket => (socket as unknown as { readonly _socket: Socket })._socket;
