import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallRequest } from '../../../../src/upstream/calls/call-request.ts';
import { callOf } from '../calls.ts';
import { openLink } from './links.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open(limitMs = 10_000) {
  const written: number[] = [];
  const request = new CallRequest({ call: callOf('t'), onWritten: (before) => written.push(before) }, limitMs);
  const failures: string[] = [];
  const waiter = {
    isCancellable: true,
    idleMs: 1_000,
    get totalMs() {
      return request.leftMs;
    },
    onResponse: () => undefined,
    onFailure: ({ code }: { code: string }) => void failures.push(code),
  };
  return { request, waiter, written, failures };
}

test('each try has an id of its own, of which its call hears with that of the try before', () => {
  const { request, waiter, written } = open();
  const { link, sent } = openLink();
  expect([request.id, request.link]).toEqual([-1, undefined]);
  request.send(link, waiter);
  const first = request.id;
  request.send(link, waiter);
  expect(written).toEqual([-1, first]);
  expect(sent.map(({ id }) => id)).toEqual([first, request.id]);
});

test('time that is spent with the upstream counts for all tries together, and other time does not', () => {
  const { request, waiter } = open();
  const { link } = openLink();
  request.send(link, waiter);
  vi.advanceTimersByTime(400);
  request.takeBack();
  expect([request.leftMs, request.link]).toEqual([9_600, undefined]);
  vi.advanceTimersByTime(5_000);
  request.send(link, waiter);
  vi.advanceTimersByTime(600);
  request.park(waiter);
  vi.advanceTimersByTime(60_000);
  expect(request.leftMs).toBe(9_000);
});

test('paused, none of its tries is overdue, before or after it is parked; then the last one is', () => {
  const { request, waiter, failures } = open();
  const { link, hear } = openLink();
  request.send(link, waiter);
  request.pause();
  vi.advanceTimersByTime(5_000);
  hear({ id: request.id, result: {} });
  request.park(waiter);
  vi.advanceTimersByTime(5_000);
  request.send(link, waiter);
  vi.advanceTimersByTime(5_000);
  expect(failures).toEqual([]);
  request.resume();
  vi.advanceTimersByTime(1_100);
  expect(failures).toEqual(['UPSTREAM_TIMEOUT']);
});

test('a pause that ends while it is parked does not let its time run', () => {
  const { request, waiter, failures } = open();
  const { link, hear } = openLink();
  request.send(link, waiter);
  request.pause();
  hear({ id: request.id, result: {} });
  request.park(waiter);
  request.resume();
  vi.advanceTimersByTime(60_000);
  expect(failures).toEqual([]);
});

test('parked, it hears of the end of its connection, and the upstream of no cancellation', () => {
  const { request, waiter, failures } = open();
  const { link, methods, hear } = openLink();
  request.send(link, waiter);
  hear({ id: request.id, result: {} });
  request.park(waiter);
  link.end({ reason: 'gone' });
  expect(failures).toEqual(['UPSTREAM_EXITED']);
  expect(methods()).toEqual(['tools/call']);
});

test('its place is given up with `unpark`: then it hears nothing more', () => {
  const { request, waiter, failures } = open();
  const { link, methods, hear } = openLink();
  request.send(link, waiter);
  hear({ id: request.id, result: {} });
  request.park(waiter);
  request.unpark();
  request.cancel(undefined);
  link.end({ reason: 'gone' });
  expect([failures, methods()]).toEqual([[], ['tools/call']]);
});

test('the upstream is told when what it has is cancelled', () => {
  const { request, waiter } = open();
  const { link, sent } = openLink();
  request.cancel(undefined);
  request.send(link, waiter);
  request.cancel('"enough"');
  expect(sent[1]).toMatchObject({ params: { requestId: request.id, reason: 'enough' } });
  expect(sent).toHaveLength(2);
});
