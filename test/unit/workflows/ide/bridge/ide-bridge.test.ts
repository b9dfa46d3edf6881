import { expect, onTestFinished, test } from 'vitest';
import { LiveFeed, type LiveMessage } from '../../../../../src/core/live-feed.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import { type BridgeOptions, IdeBridge } from '../../../../../src/workflows/ide/bridge/ide-bridge.ts';
import type { IncomingMessage } from '../../../../../src/workflows/ide/bridge/messages.ts';
import { type IdeBackend, type IdeBehaviour, startIdeBackend } from '../../../../support/ide-backend.ts';

/** Lets waits pass when the test says so, and keeps what was waited for. */
function handClock() {
  const waits: { readonly ms: number; readonly pass: () => void }[] = [];
  return {
    waits,
    now: () => 0,
    wait: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const onAbort = () => reject(signal.reason as Error);
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort);
        waits.push({ ms, pass: resolve });
      }),
  };
}

function bridgeTo(backend: Pick<IdeBackend, 'url'>, changes: Partial<BridgeOptions> = {}) {
  const clock = handClock();
  const live = new LiveFeed();
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
  const times = { reconnectMs: 2_000, maxReconnectMs: 30_000, answerMs: 777 };
  const bridge = new IdeBridge({ ...times, url: backend.url, live, log, clock, ...changes });
  onTestFinished(() => bridge.stop());
  bridge.start();
  const pauses = () => clock.waits.filter(({ ms }) => ms !== 777);
  return { bridge, clock, live, lines, pauses };
}

async function connected(behaviour: IdeBehaviour = 'answer', changes: Partial<BridgeOptions> = {}) {
  const backend = await startIdeBackend(behaviour);
  const parts = bridgeTo(backend, changes);
  await expect.poll(() => parts.bridge.isOnline).toBe(true);
  return { backend, ...parts };
}

const { signal } = new AbortController();
const history = (sessionId: string) => ({ type: 'chat_history', sessionId, data: { limit: 0 } });
const of = (sessionId: string) => (message: IncomingMessage) => message.sessionId === sessionId;

test('a question is sent with its time, and gets its answer', async () => {
  const { backend, bridge } = await connected('answer', { token: 'secret-token' });
  const answer = await bridge.ask(history('s-1'), of('s-1'), signal);
  expect(answer).toMatchObject({ type: 'chat_history', sessionId: 's-1', data: { messages: [{}, {}] } });
  expect(backend.received).toEqual([{ ...history('s-1'), timestamp: expect.stringMatching(/^\d{4}-.*Z$/) }]);
  expect(backend.attempts[0]).toMatchObject({ authorization: 'Bearer secret-token' });
});

test('answers that come in another order reach the questions that they are for', async () => {
  const { bridge } = await connected('reverse');
  const asked = ['s-1', 's-2'].map((id) => bridge.ask(history(id), of(id), signal));
  expect((await Promise.all(asked)).map((answer) => answer?.sessionId)).toEqual(['s-1', 's-2']);
});

test('of questions of the same kind the oldest gets the first answer', async () => {
  const { backend, bridge } = await connected('silent');
  const order: string[] = [];
  const ask = (name: string) =>
    bridge.ask(history('s-1'), of('s-1'), signal).then((answer) => order.push(`${name} ${String(answer?.data)}`));
  const asked = [ask('first'), ask('second')];
  await expect.poll(() => backend.received.length).toBe(2);
  for (const data of [1, 2]) backend.push({ type: 'chat_history', sessionId: 's-1', data });
  await Promise.all(asked);
  expect(order).toEqual(['first 1', 'second 2']);
});

test('a question without an answer ends after answerMs, and its late answer is for nobody else', async () => {
  const { backend, bridge, clock } = await connected('silent');
  const late = bridge.ask(history('s-1'), of('s-1'), signal);
  await expect.poll(() => clock.waits.length).toBe(1);
  clock.waits[0]!.pass();
  expect(await late).toBeUndefined();
  const next = bridge.ask(history('s-2'), of('s-2'), signal);
  backend.push({ type: 'chat_history', sessionId: 's-1', data: 'late' });
  backend.push({ type: 'chat_history', sessionId: 's-2', data: 'own' });
  expect(await next).toMatchObject({ sessionId: 's-2', data: 'own' });
});

test('a call that is cancelled waits for no answer', async () => {
  const { bridge } = await connected('silent');
  const call = new AbortController();
  const asked = bridge.ask(history('s-1'), of('s-1'), call.signal);
  call.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  await expect(bridge.ask(history('s-1'), of('s-1'), call.signal)).rejects.toThrow('gone');
});

test('more questions than may wait are refused', async () => {
  const { bridge } = await connected('silent');
  const asked = Array.from({ length: 64 }, () => bridge.ask(history('s-1'), of('s-1'), signal));
  await expect(bridge.ask(history('s-1'), of('s-1'), signal)).rejects.toMatchObject({ code: 'OVERLOADED' });
  await bridge.stop();
  expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
});

test('a connection that is lost ends its questions, and is made again after a pause', async () => {
  const { backend, bridge, pauses } = await connected('lost');
  expect(await bridge.ask(history('s-1'), of('s-1'), signal)).toBeUndefined();
  expect(bridge.isOnline).toBe(false);
  await expect(bridge.ask(history('s-1'), of('s-1'), signal)).rejects.toMatchObject({ code: 'IDE_OFFLINE' });
  backend.behaviour = 'answer';
  await expect.poll(() => pauses().length).toBe(1);
  pauses()[0]!.pass();
  await expect.poll(() => bridge.isOnline).toBe(true);
  expect(await bridge.ask(history('s-1'), of('s-1'), signal)).toMatchObject({ sessionId: 's-1' });
});

test('pauses double to the longest one where a backend accepts and closes, and begin anew after a message', async () => {
  const backend = await startIdeBackend('close');
  const { pauses, bridge } = bridgeTo(backend);
  for (let attempt = 0; attempt < 6; attempt++) {
    await expect.poll(() => pauses().length).toBe(attempt + 1);
    if (attempt === 5) backend.behaviour = 'answer';
    pauses()[attempt]!.pass();
  }
  expect(pauses().map(({ ms }) => ms)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(backend.attempts.length).toBeGreaterThanOrEqual(6);
  await expect.poll(() => bridge.isOnline).toBe(true);
  await bridge.ask(history('s-1'), of('s-1'), signal);
  backend.drop();
  await expect.poll(() => pauses().length).toBe(7);
  expect(pauses()[6]!.ms).toBe(2_000);
});

test.each(['locked', 'redirect'] as const)('a backend is not reached that says: %s', async (behaviour) => {
  const other = await startIdeBackend();
  const backend = await startIdeBackend(behaviour);
  backend.elsewhere = other.url;
  const { bridge, pauses, lines } = bridgeTo(backend, { token: 'secret-token' });
  await expect.poll(() => pauses().length).toBe(1);
  expect(bridge.isOnline).toBe(false);
  expect(other.attempts).toEqual([]);
  const log = lines.join('');
  expect(log).toContain(behaviour === 'locked' ? '401' : '302');
  expect(log).not.toContain('secret-token');
});

test('malformed messages are counted, and the connection goes on', async () => {
  const { bridge, lines } = await connected('malformed');
  expect(await bridge.ask(history('s-1'), of('s-1'), signal)).toMatchObject({ sessionId: 's-1' });
  expect(bridge.malformed).toBe(6);
  expect(lines.filter((line) => line.includes('malformed'))).toHaveLength(3);
});

test('a message that is too large ends the connection, and nothing else', async () => {
  const { bridge, pauses } = await connected('huge');
  expect(await bridge.ask(history('s-1'), of('s-1'), signal)).toBeUndefined();
  await expect.poll(() => pauses().length).toBe(1);
});

test('messages reach those who watch their channel, and none looks like the output of a process', async () => {
  const { backend, live } = await connected();
  const seen: LiveMessage[] = [];
  for (const channel of ['chat:s-1', 'ide:build_status', 'ide:note', 'process:proc-1'])
    live.watch(channel, { onMessage: (message) => void seen.push(message), whenRoom: () => undefined });
  backend.push({ type: 'chat_message', channel: 'chat:s-1', sessionId: 's-1', data: { content: 'hi' } });
  backend.push({ type: 'build_status', data: 1 });
  backend.push({ type: 'note', channel: 'process:proc-1', data: 'forged' });
  await expect.poll(() => seen.length).toBe(3);
  expect(seen).toEqual([
    { channel: 'chat:s-1', type: 'event', data: { content: 'hi' } },
    { channel: 'ide:build_status', type: 'event', data: 1 },
    { channel: 'ide:note', type: 'event', data: 'forged' },
  ]);
});

test('while a watcher has no room, the backend is not read', async () => {
  const { backend, live } = await connected();
  const seen: unknown[] = [];
  let makeRoom: () => void = () => undefined;
  let room: Promise<void> | undefined = new Promise((resolve) => {
    makeRoom = resolve;
  });
  live.watch('ide:x', { onMessage: ({ data }) => void seen.push(data), whenRoom: () => room });
  backend.push({ type: 'x', data: 1 });
  await expect.poll(() => seen).toEqual([1]);
  backend.push({ type: 'x', data: 'x'.repeat(500_000) });
  backend.push({ type: 'x', data: 'last' });
  room = undefined;
  makeRoom();
  await expect.poll(() => seen.at(-1)).toBe('last');
});

test('a backend that gives no sign of life is given up', async () => {
  const { pauses, lines } = bridgeTo(await startIdeBackend('dead'), { pingMs: 20 });
  await expect.poll(() => pauses().length).toBe(1);
  expect(lines.join('')).toContain('no sign of life');
});

test('stop ends a connection, an attempt and a pause at once', async () => {
  const { bridge } = await connected();
  await bridge.stop();
  expect(bridge.isOnline).toBe(false);
  const backend = await startIdeBackend('close');
  const other = bridgeTo(backend);
  await expect.poll(() => other.pauses().length).toBe(1);
  await other.bridge.stop();
  const third = bridgeTo(await startIdeBackend());
  await third.bridge.stop();
  expect(third.bridge.isOnline).toBe(false);
});
