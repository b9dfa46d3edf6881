import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HangWatch, IDLE_LOOK_MS, IDLE_PONG_MS } from '../../../../src/upstream/connection/hang-watch.ts';

const CALL_MS = 60_000;

beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

function open() {
  const pings: { ms: number; answer: () => void; fail: () => void }[] = [];
  const hung: string[] = [];
  const peer = { hasOpenRequests: false };
  const watch = new HangWatch({
    ping: (ms) =>
      new Promise((resolve, reject) => pings.push({ ms, answer: () => resolve({}), fail: () => reject(new Error()) })),
    hasOpenRequests: () => peer.hasOpenRequests,
    onHung: (reason) => hung.push(reason),
  });
  return { watch, pings, hung, peer };
}

/** A ping that failed is judged in a later turn of the event loop. */
const judged = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe('after a call that ran into its limit', () => {
  test('one unanswered ping tells that it hangs', async () => {
    const { watch, pings, hung } = open();
    vi.advanceTimersByTime(CALL_MS);
    watch.onTimeout(CALL_MS);
    watch.onTimeout(CALL_MS);
    expect(pings.map(({ ms }) => ms)).toEqual([5_000]);
    vi.advanceTimersByTime(5_000);
    pings[0]!.fail();
    await judged();
    expect(hung).toEqual(['it hangs: nothing came for 60 s, and no answer to a ping within 5 s']);
  });

  test('nothing is asked where something was heard while the call ran', () => {
    const { watch, pings } = open();
    vi.advanceTimersByTime(CALL_MS - 1);
    watch.onSign();
    vi.advanceTimersByTime(1);
    watch.onTimeout(CALL_MS);
    expect(pings).toHaveLength(0);
  });

  test.each([
    ['an answer to the ping', true],
    ['anything else', false],
  ])('%s is a sign of life', async (_name, answers) => {
    const { watch, pings, hung } = open();
    vi.advanceTimersByTime(CALL_MS);
    watch.onTimeout(CALL_MS);
    vi.advanceTimersByTime(1);
    watch.onSign();
    if (answers) pings[0]!.answer();
    else pings[0]!.fail();
    await judged();
    expect(hung).toEqual([]);
    vi.advanceTimersByTime(CALL_MS);
    watch.onTimeout(CALL_MS);
    expect(pings).toHaveLength(2);
  });

  test('what arrives in the turn in which the ping fails counts', async () => {
    const { watch, pings, hung } = open();
    vi.advanceTimersByTime(CALL_MS);
    watch.onTimeout(CALL_MS);
    vi.advanceTimersByTime(5_000);
    pings[0]!.fail();
    await Promise.resolve();
    watch.onSign();
    await judged();
    expect(hung).toEqual([]);
  });
});

describe('while no call is open', () => {
  async function answersFirst() {
    const set = open();
    set.watch.watchWhileIdle();
    vi.advanceTimersByTime(IDLE_LOOK_MS);
    set.watch.onSign();
    set.pings[0]!.answer();
    await judged();
    return set;
  }

  test('a peer that has answered pings and does not answer one for 30 s hangs', async () => {
    const { pings, hung } = await answersFirst();
    vi.advanceTimersByTime(IDLE_LOOK_MS);
    expect(pings.map(({ ms }) => ms)).toEqual([IDLE_PONG_MS, IDLE_PONG_MS]);
    vi.advanceTimersByTime(IDLE_PONG_MS);
    pings[1]!.fail();
    await judged();
    expect(hung).toEqual(['it hangs: no call is open, and it does not answer pings within 30 s']);
  });

  test('a peer that has never answered a ping is not judged by them', async () => {
    const { watch, pings, hung } = open();
    watch.watchWhileIdle();
    vi.advanceTimersByTime(IDLE_LOOK_MS + IDLE_PONG_MS);
    pings[0]!.fail();
    await judged();
    expect(hung).toEqual([]);
  });

  test('a call that came meanwhile has its own limit', async () => {
    const { pings, hung, peer } = await answersFirst();
    vi.advanceTimersByTime(IDLE_LOOK_MS);
    peer.hasOpenRequests = true;
    vi.advanceTimersByTime(IDLE_PONG_MS);
    pings[1]!.fail();
    await judged();
    expect(hung).toEqual([]);
  });

  test('a peer with open calls, or one that has just spoken, is not pinged', async () => {
    const { watch, pings, peer } = await answersFirst();
    peer.hasOpenRequests = true;
    vi.advanceTimersByTime(IDLE_LOOK_MS * 3);
    peer.hasOpenRequests = false;
    watch.onSign();
    vi.advanceTimersByTime(IDLE_LOOK_MS - 1);
    expect(pings).toHaveLength(1);
    watch.stop();
    vi.advanceTimersByTime(IDLE_LOOK_MS * 3);
    expect(pings).toHaveLength(1);
  });
});
