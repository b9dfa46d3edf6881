import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Link } from '../../../../../src/upstream/connection/link.ts';
import { OpenStream } from '../../../../../src/upstream/events/subscriptions/open-stream.ts';
import { StreamPair } from '../../../../../src/upstream/events/subscriptions/stream-pair.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open() {
  const pair = new StreamPair();
  const cancelled: number[] = [];
  let ids = 0;
  const link = {
    ownParams: (params: string) => params,
    send: () => ++ids,
    cancel: (id: number) => cancelled.push(id),
  } as unknown as Link;
  const follow = () => {
    const events = { onOverdue: () => undefined, onAnswer: () => undefined, onEnded: () => undefined };
    const stream = new OpenStream({ json: '{}', uris: new Set() }, events);
    pair.follow(stream);
    stream.open(link);
    return stream;
  };
  return { pair, follow, cancelled };
}

test('a stream follows another, which is closed only when the new one is acknowledged', () => {
  const { pair, follow, cancelled } = open();
  const first = follow();
  expect([pair.current, pair.next, pair.newest]).toEqual([undefined, first, first]);
  pair.promote();
  expect([pair.current, pair.next, pair.newest]).toEqual([first, undefined, first]);
  const second = follow();
  expect([pair.newest, cancelled]).toEqual([second, []]);
  expect([pair.find(1), pair.find(2), pair.find(3), pair.find(undefined)]).toEqual([
    first,
    second,
    undefined,
    undefined,
  ]);
  pair.promote();
  expect([pair.current, pair.next, cancelled]).toEqual([second, undefined, [1]]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a stream that was to follow is closed when yet another one is', () => {
  const { follow, cancelled } = open();
  follow();
  follow();
  expect(cancelled).toEqual([1]);
});

test('one that has ended is forgotten and not closed', () => {
  const { pair, follow, cancelled } = open();
  const first = follow();
  pair.promote();
  const second = follow();
  expect([pair.remove(second), pair.remove(second), pair.next, pair.current]).toEqual([true, false, undefined, first]);
  expect([pair.remove(first), pair.current, cancelled]).toEqual([true, undefined, []]);
});

test('both are closed, or forgotten where the connection is gone, and leave no timer', () => {
  for (const how of ['close', 'forget'] as const) {
    const { pair, follow, cancelled } = open();
    follow();
    pair.promote();
    follow();
    pair[how]();
    expect([pair.newest, cancelled]).toEqual([undefined, how === 'close' ? [1, 2] : []]);
    expect(vi.getTimerCount()).toBe(0);
  }
});
