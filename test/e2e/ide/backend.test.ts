import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectStdio, freshHome, writeConfig } from '../../support/gateway.ts';
import { MESSAGES, startIdeBackend } from '../../support/ide/ide-backend.ts';

const NAMES = [
  'ide_build_list',
  'ide_build_logs',
  'ide_build_status',
  'ide_chat_history',
  'ide_chat_send',
  'ide_dashboard_activity',
  'ide_dashboard_metrics',
  'ide_dashboard_overview',
  'ide_plan_status',
  'ide_session_create',
  'ide_session_list',
];

async function gatewayWith(ide: object) {
  const config = writeConfig({
    enabledWorkflows: ['ide', 'live'],
    workflows: { ide, live: { addr: '127.0.0.1:0' } },
    audit: { arguments: 'redacted' },
  });
  const env = freshHome({ IDE_TEST_TOKEN: 'bearer-of-the-test' });
  const client = await connectStdio(config, { env });
  const call = async (name: string, args: object = {}): Promise<any> => {
    const result = await client.call(name, args);
    return result.structuredContent ?? result;
  };
  const isOnline = async () => (await call('ide_dashboard_overview')).overview.bridgeOnline as boolean;
  return { client, call, isOnline, home: env.VIADUCT_HOME! };
}

test('the tools ask the backend, also after it was away', async () => {
  const backend = await startIdeBackend();
  const url = backend.url;
  const { client, call, isOnline } = await gatewayWith({
    url,
    token: '${IDE_TEST_TOKEN}',
    reconnectMs: 100,
    answerMs: 60_000,
  });
  expect((await client.toolNames()).filter((name) => name.startsWith('ide_')).sort()).toEqual(NAMES);
  await expect.poll(isOnline).toBe(true);
  expect(backend.attempts[0]?.authorization).toBe('Bearer bearer-of-the-test');
  const asked = { sessionId: 's-1' };
  expect(await call('ide_chat_history', asked)).toEqual({ ...asked, messages: MESSAGES });
  backend.behaviour = 'close';
  backend.drop();
  await expect.poll(isOnline).toBe(false);
  expect(await call('ide_chat_history', asked)).toMatchObject({ ...asked, messages: [], bridgeOnline: false });
  const { isError, content } = await call('ide_chat_send', { ...asked, message: 'x' });
  expect(isError).toBe(true);
  expect(content[0].text).toContain('not connected');
  backend.behaviour = 'answer';
  await expect.poll(isOnline).toBe(true);
  backend.behaviour = 'reverse';
  const both = await Promise.all(['s-1', 's-2'].map((sessionId) => call('ide_chat_history', { sessionId })));
  expect(both.map(({ sessionId }) => sessionId)).toEqual(['s-1', 's-2']);
});

test('a backend that does not answer leaves a call pending', async () => {
  const backend = await startIdeBackend('silent');
  const { call, isOnline } = await gatewayWith({ url: backend.url, answerMs: 10 });
  await expect.poll(isOnline).toBe(true);
  expect(await call('ide_session_list')).toMatchObject({ sessions: [], pending: true, bridgeOnline: true });
});

test('what the backend sends reaches those who watch live output', async () => {
  const backend = await startIdeBackend();
  const { call, isOnline } = await gatewayWith({ url: backend.url, answerMs: 60_000 });
  const { message } = await call('ws_start');
  const socket = new WebSocket(/ws:\S+/.exec(message)![0]);
  onTestFinished(() => socket.terminate());
  const events: any[] = [];
  socket.on('message', (data: Buffer) => void events.push(JSON.parse(data.toString())));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'subscribe', data: 'chat:s-1' }));
  socket.send('{"type":"ping"}');
  await expect.poll(() => events.length).toBe(1);
  await expect.poll(isOnline).toBe(true);
  const data = { role: 'assistant', content: 'hi' };
  backend.push({ type: 'chat_message', channel: 'chat:s-1', sessionId: 's-1', data });
  await expect.poll(() => events.length).toBe(2);
  expect(events[1]).toEqual({ type: 'event', channel: 'chat:s-1', data, timestamp: expect.stringMatching(/^\d{4}-/) });
});

test('the text of a chat is in the audit as a digest only', async () => {
  const backend = await startIdeBackend();
  const { call, isOnline, home } = await gatewayWith({ url: backend.url, answerMs: 60_000 });
  await expect.poll(isOnline).toBe(true);
  await call('ide_chat_send', { sessionId: 's-1', message: 'the plan of the secret base' });
  const audit = () => readFileSync(path.join(home, 'audit', 'audit.jsonl'), 'utf8');
  await expect.poll(audit).toContain('ide_chat_send');
  expect(audit()).not.toContain('secret base');
  const line = audit()
    .split('\n')
    .find((one) => one.includes('ide_chat_send'))!;
  expect(JSON.parse(line)).toMatchObject({ level: 'security', outcome: 'ok' });
});
