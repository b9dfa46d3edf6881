import { expect, test } from 'vitest';
import { ServiceError } from '../../../src/services/ask-service.ts';
import { askWithRetries, PAUSES_MS, retryAfterMs } from '../../../src/services/with-retries.ts';
import { startHttpServer } from '../../support/http/http-server.ts';
import { quickClock } from '../../support/knowledge/services.ts';

const request = (url: string, signal = new AbortController().signal) =>
  ({ method: 'GET', url, timeoutMs: 5_000, maxBytes: 1_000, signal }) as const;

test.each([400, 401, 404, 422, 501])('status %i', async (status) => {
  const server = await startHttpServer((_, response) => response.writeHead(status).end('no'));
  const clock = quickClock();
  const answer = await askWithRetries(request(server.url), { pausesMs: PAUSES_MS, clock });
  expect(answer).toMatchObject({ status, text: 'no' });
  expect(clock.waits).toEqual(status === 501 ? [1_000, 2_000, 4_000] : []);
});

test('a service that wants to be left alone for long gets its wish', async () => {
  const server = await startHttpServer((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
  const clock = quickClock();
  expect(await askWithRetries(request(server.url), { pausesMs: PAUSES_MS, clock })).toMatchObject({ status: 429 });
  expect(clock.waits).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

test('a slow answer is given up, and not asked for again', async () => {
  const server = await startHttpServer(() => undefined);
  const clock = quickClock();
  const late = askWithRetries({ ...request(server.url), timeoutMs: 20 }, { pausesMs: PAUSES_MS, clock });
  await expect(late).rejects.toMatchObject({ fault: 'timeout', message: 'does not answer within 0.02 s' });
  // On a busy machine the time is over before the request has come.
  expect(server.requests.length).toBeLessThanOrEqual(1);
  expect(clock.waits).toEqual([]);
});

test('a call that is cancelled while it waits for the next attempt ends', async () => {
  const server = await startHttpServer((_, response) => response.writeHead(503).end());
  const call = new AbortController();
  const clock = {
    now: () => 0,
    wait(_: number, signal: AbortSignal) {
      call.abort(new Error('gone'));
      return Promise.reject(signal.reason as Error);
    },
  };
  await expect(askWithRetries(request(server.url, call.signal), { pausesMs: PAUSES_MS, clock })).rejects.toThrow(
    'gone',
  );
});

test('nothing is sent for a call that was cancelled before', async () => {
  const server = await startHttpServer((_, response) => response.end());
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(askWithRetries(request(server.url, gone), { pausesMs: [], clock: quickClock() })).rejects.toThrow(
    'gone',
  );
  expect(server.requests).toHaveLength(0);
});

test('an address that is none is a service that cannot be reached', async () => {
  const asked = askWithRetries(request('http://'), { pausesMs: [], clock: quickClock() });
  await expect(asked).rejects.toBeInstanceOf(ServiceError);
});

test('Retry-After is a number of seconds or a date', () => {
  const of = (value: string) => retryAfterMs(new Headers({ 'retry-after': value }));
  expect(of('7')).toBe(7_000);
  expect(of(new Date(Date.now() - 5_000).toUTCString())).toBe(0);
  expect(of(new Date(Date.now() + 60_000).toUTCString())).toBeGreaterThan(50_000);
  expect(of('soon')).toBeUndefined();
  expect(retryAfterMs(new Headers())).toBeUndefined();
});
