import { expect, test } from 'vitest';
import { Asks } from '../../../../../src/workflows/ide/bridge/asks.ts';
import type { IncomingMessage } from '../../../../../src/workflows/ide/bridge/messages.ts';

const { signal } = new AbortController();
const messageOf = (type: string): IncomingMessage => ({ type, channel: undefined, sessionId: undefined, data: 1 });
const is = (type: string) => (message: IncomingMessage) => message.type === type;

/** Asks, and the waits that they have begun. */
function asksOf() {
  const waits: { readonly ms: number; readonly signal: AbortSignal; readonly pass: () => void }[] = [];
  const clock = {
    now: () => 0,
    wait: (ms: number, given: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        given.addEventListener('abort', () => reject(given.reason as Error));
        waits.push({ ms, signal: given, pass: resolve });
      }),
  };
  return { asks: new Asks(clock, 500), waits };
}

test('the oldest ask that a message answers gets it, and waits no longer', async () => {
  const { asks, waits } = asksOf();
  const [other, first, second] = ['b', 'a', 'a'].map((type) => asks.wait(asks.add(is(type)), signal));
  asks.offer(messageOf('a'));
  expect(await first).toEqual(messageOf('a'));
  expect(waits.map((wait) => wait.signal.aborted)).toEqual([false, true, false]);
  asks.giveUpAll();
  expect(await Promise.all([other, second])).toEqual([undefined, undefined]);
});

test('there is no answer once the time is over', async () => {
  const { asks, waits } = asksOf();
  const answer = asks.wait(asks.add(is('a')), signal);
  expect(waits[0]!.ms).toBe(500);
  waits[0]!.pass();
  expect(await answer).toBeUndefined();
});

test('a caller that has gone gets the reason of its signal', async () => {
  const { asks } = asksOf();
  const call = new AbortController();
  const answer = asks.wait(asks.add(is('a')), call.signal);
  call.abort(new Error('gone'));
  await expect(answer).rejects.toThrow('gone');
});

test('there is room again after an ask was given up', () => {
  const { asks } = asksOf();
  const added = Array.from({ length: 64 }, () => asks.add(is('a')));
  expect(() => asks.requireRoom()).toThrow('64 questions to the IDE backend wait for answers');
  added[0]!.giveUp();
  expect(() => asks.requireRoom()).not.toThrow();
});
