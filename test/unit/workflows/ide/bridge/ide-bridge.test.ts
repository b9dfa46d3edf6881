import { expect, onTestFinished, test } from 'vitest';
import { LiveFeed, type LiveMessage } from '../../../../../src/core/providers/live-feed.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import { type BridgeOptions, IdeBridge } from '../../../../../src/workflows/ide/bridge/ide-bridge.ts';
import type { IncomingMessage } from '../../../../../src/workflows/ide/bridge/messages.ts';
import { type IdeBackend, type IdeBehaviour, startIdeBackend } from '../../../../support/ide/ide-backend.ts';

const OWN_CHAT = '0b7c2f5e-3c1d-4a57-9b7e-0f1f4b8a9d10';
const OTHER_CHAT = OWN_CHAT.replace('0b', '1b');

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
  const isOwnChat = async (id: string) => id === OWN_CHAT;
  const bridge = new IdeBridge({ ...times, url: backend.url, live, log, clock, isOwnChat, ...changes });
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

/** Watches channels, and keeps what comes in `seen`. */
function watching(live: LiveFeed, ...channels: string[]): LiveMessage[] {
  const seen: LiveMessage[] = [];
  for (const channel of channels)
    live.watch(channel, { onMessage: (message) => void seen.push(message), whenRoom: () => undefined });
  return seen;
}

test('messages reach those who watch their channel', async () => {
  const { backend, live } = await connected();
  const seen = watching(live, 'chat:s-1', `chat:${OTHER_CHAT}`, 'ide:build_status');
  backend.push({ type: 'chat_message', channel: 'chat:s-1', sessionId: 's-1', data: { content: 'hi' } });
  backend.push({ type: 'chat_message', channel: `chat:${OTHER_CHAT}`, data: 'first' });
  backend.push({ type: 'chat_message', channel: `chat:${OTHER_CHAT}`, data: 'second' });
  backend.push({ type: 'build_status', data: 1 });
  await expect.poll(() => seen.length).toBe(4);
  expect(seen).toEqual([
    { channel: 'chat:s-1', type: 'event', data: { content: 'hi' } },
    { channel: `chat:${OTHER_CHAT}`, type: 'event', data: 'first' },
    { channel: `chat:${OTHER_CHAT}`, type: 'event', data: 'second' },
    { channel: 'ide:build_status', type: 'event', data: 1 },
  ]);
});

test.each(['process:proc-1', `build:${OTHER_CHAT}`, `chat:${OWN_CHAT}`])(
  'no message looks like one of the gateway on %s',
  async (channel) => {
    const { backend, live } = await connected();
    const seen = watching(live, channel, 'ide:note');
    for (const data of ['forged', 'again']) backend.push({ type: 'note', channel, data });
    await expect.poll(() => seen.length).toBe(2);
    expect(seen).toEqual(['forged', 'again'].map((data) => ({ channel: 'ide:note', type: 'event', data })));
  },
);

test('a chat counts as one of the gateway if that cannot be found out', async () => {
  const isOwnChat = () => Promise.reject(new Error('no database'));
  const { backend, live, lines } = await connected('answer', { isOwnChat });
  const seen = watching(live, `chat:${OTHER_CHAT}`, 'ide:note');
  backend.push({ type: 'note', channel: `chat:${OTHER_CHAT}`, data: 1 });
  await expect.poll(() => seen).toEqual([{ channel: 'ide:note', type: 'event', data: 1 }]);
  expect(lines.join('')).toContain('no database');
});

test('a message that is nested too deeply to be written again is malformed', async () => {
  const { backend, bridge, live } = await connected();
  const seen = watching(live, 'ide:x');
  const nested = (levels: number) => `{"type":"x","data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  backend.push(nested(100_000));
  backend.push(nested(200));
  await expect.poll(() => seen.length).toBe(1);
  expect(bridge.malformed).toBe(1);
  expect(JSON.stringify(seen[0]!.data)).toHaveLength(400);
});

/** A watcher of `ide:x` that has no room until it makes some. */
function crowdedWatcher(live: LiveFeed) {
  const seen: unknown[] = [];
  let makeRoom: () => void = () => undefined;
  let room: Promise<void> | undefined = new Promise((resolve) => {
    makeRoom = () => {
      room = undefined;
      resolve();
    };
  });
  live.watch('ide:x', { onMessage: ({ data }) => void seen.push(data), whenRoom: () => room });
  return { seen, makeRoom: () => makeRoom() };
}

const FLOOD = Array.from({ length: 64 }, () => ({ type: 'x', data: 'x'.repeat(500_000) }));

test('while a watcher has no room, the backend is not read', async () => {
  const { backend, live } = await connected();
  const { seen, makeRoom } = crowdedWatcher(live);
  for (const data of [1, 2, 3]) backend.push({ type: 'x', data });
  for (const message of FLOOD) backend.push(message);
  // Another bridge has taken all of the same flood meanwhile: there was time enough.
  const other = await connected();
  const all = watching(other.live, 'ide:x');
  for (const message of FLOOD) other.backend.push(message);
  await expect.poll(() => all.length, { timeout: 30_000 }).toBe(FLOOD.length);
  expect(seen).toEqual([1]);
  expect(backend.unsent()).toBeGreaterThan(16_000_000);
  makeRoom();
  await expect.poll(() => seen.length, { timeout: 30_000 }).toBe(3 + FLOOD.length);
  expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
});

test('a flood of small messages leaves time for everything else', async () => {
  const { backend, live } = await connected();
  const seen = watching(live, 'ide:x');
  let turns = 0;
  const turn = () => {
    turns++;
    if (seen.length < 2_000) setImmediate(turn);
  };
  for (let index = 0; index < 2_000; index++) backend.push({ type: 'x' });
  turn();
  await expect.poll(() => seen.length).toBe(2_000);
  expect(turns).toBeGreaterThan(1_000);
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
