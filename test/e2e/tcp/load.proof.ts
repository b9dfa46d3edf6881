import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  connectTcp,
  dialTcp,
  introduction,
  line,
  openTcpServe,
  type TcpServing,
} from '../../support/clients/tcp-clients.ts';
import { fixture, linesOf, statusOf, temporaryFolder } from '../../support/gateway.ts';

const MIB = 1024 * 1024;

async function tcpSessions({ config, env }: TcpServing): Promise<number> {
  return (await statusOf(config, env)).sessions.filter(({ transport }: any) => transport === 'tcp').length;
}

/** Connects, introduces itself, and resolves with whether it was answered before the gateway hung up. */
function introduce(url: string, sockets: Socket[]): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  sockets.push(socket);
  socket.write(line('initialize', introduction()));
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('close', () => resolve(false));
    socket.on('error', () => undefined);
  });
}

test('of 1,000 connections as many are served as may be, the others are closed at once, and nothing is left of any', async () => {
  const serving = await openTcpServe({ enabledWorkflows: ['language'], limits: { connectionsPerAddress: 300 } });
  const before = await connectTcp(serving.tcp);
  await before.initialize();
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  const served = await Promise.all(Array.from({ length: 1_000 }, () => introduce(serving.tcp, sockets)));
  expect(served.filter(Boolean)).toHaveLength(299);
  expect(await before.callText('lang_detect', { path: 'a.go' })).toContain('go');
  expect(await tcpSessions(serving)).toBe(300);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => tcpSessions(serving)).toBe(1);
  const after = await connectTcp(serving.tcp);
  expect(await after.initialize()).toMatchObject({ serverInfo: { name: 'viaduct' } });
});

test('a connection that is reset in the middle of a call cancels the call, and leaves no session', async () => {
  const log = path.join(temporaryFolder(), 'log');
  const serving = await openTcpServe({ upstreams: { t: fixture('talkative', `--log=${log}`) } });
  const client = await connectTcp(serving.tcp);
  await client.initialize();
  await client.toolNames();
  client.write(line('tools/call', { name: 't_wait', arguments: { ms: 60_000 } }, 9).trim());
  await expect.poll(() => linesOf(log).some((each) => each.startsWith('call wait'))).toBe(true);
  client.socket.resetAndDestroy();
  await expect.poll(() => linesOf(log).some((each) => each.startsWith('cancelled'))).toBe(true);
  expect(await tcpSessions(serving)).toBe(0);
});

test('a line over the limit is refused, and the next one is served', async () => {
  const { tcp } = await openTcpServe({ enabledWorkflows: ['language'], limits: { bodyBytes: 64 * 1024 } });
  const client = await connectTcp(tcp);
  await client.initialize();
  client.write(line('ping', { padding: 'x'.repeat(MIB) }, 5).trim());
  const refused = await client.waitFor(({ value }) => value.error !== undefined);
  expect(refused.value).toMatchObject({ id: null, error: { code: -32600, message: expect.stringContaining('65536') } });
  expect((await client.request('ping')).value.result).toEqual({});
});

test('a client that reads nothing costs others nothing, and is closed', async () => {
  const serving = await openTcpServe({ upstreams: { big: fixture('hostile', '--mode=ok') } });
  const hog = await dialTcp(serving.tcp);
  hog.pause();
  hog.write(line('initialize', introduction({}, 'hog')) + line('tools/list', {}, 2));
  const reader = await connectTcp(serving.tcp);
  await reader.initialize({}, '2025-11-25', 'reader');
  await reader.toolNames();
  for (let id = 10; id < 20; id++) hog.write(line('tools/call', { name: 'big_big', arguments: { mib: 12 } }, id));
  expect((await reader.callText('big_big', { mib: 20 })).length).toBe(20 * MIB);
  const names = async () => (await statusOf(serving.config, serving.env)).sessions.map(({ client }: any) => client);
  await expect.poll(names, { timeout: 60_000 }).not.toContain('hog');
  expect(await reader.callText('big_echo', { text: 'still here' })).toBe('still here');
});

test('requests over the rate are refused one by one, with the time to wait', async () => {
  const { tcp } = await openTcpServe({ limits: { requestsPerMinute: 5 } });
  const client = await connectTcp(tcp);
  await client.initialize();
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.request('ping')));
  const refused = answers.filter(({ value }) => value.error !== undefined);
  expect(refused).toHaveLength(3);
  expect(refused[0]!.value.error).toMatchObject({
    message: expect.stringContaining('limits.requestsPerMinute'),
    data: { retryAfterMs: expect.any(Number) },
  });
});

test('calls of one connection are bounded like those of a session', async () => {
  const { tcp } = await openTcpServe({ upstreams: { t: fixture('talkative') }, limits: { callsPerClient: 2 } });
  const client = await connectTcp(tcp);
  await client.initialize();
  await client.toolNames();
  const calls = await Promise.all(Array.from({ length: 5 }, () => client.call('t_wait', { ms: 300 })));
  expect(calls.filter((result) => result.content?.[0].text === 'waited')).toHaveLength(2);
  const other = await connectTcp(tcp);
  await other.initialize();
  expect(await other.callText('t_echo', { text: 'x' })).toBe('talkative: x');
});

test('a client that hangs up before it is answered is forgotten', async () => {
  const serving = await openTcpServe({});
  for (let index = 0; index < 50; index++) {
    const socket = await dialTcp(serving.tcp);
    socket.write(line('initialize', introduction()));
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  await expect.poll(() => tcpSessions(serving)).toBe(0);
});
