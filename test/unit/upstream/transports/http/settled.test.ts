import { afterEach, expect, test, vi } from 'vitest';
import { TELL_MS } from '../../../../../src/upstream/transports/http/endpoint.ts';
import { LINGER_MS } from '../../../../../src/upstream/transports/http/exchanges/exchange.ts';
import { beginEvents, startHttpServer } from '../../../../support/http/http-server.ts';
import { open } from '../opened.ts';
import { modernCall, noStream, openLegacy } from './opened.ts';

afterEach(() => vi.useRealTimers());

const passTime = (ms: number) => {
  vi.advanceTimersByTime(ms);
};
const stopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

const call = (id: number) => ({ id, method: 'tools/call', params: { name: 't' } });

test('a stream that stays open behind an answer which was lost is closed', async () => {
  const server = await startHttpServer((_request, response) =>
    beginEvents(response)('data: {"id":1,"result":{oops}}\n\n'),
  );
  stopTime();
  const { transport, send, lost } = await open(server.url);
  send(modernCall(1, 't'));
  await expect.poll(() => lost).toEqual(['not-json']);
  transport.onSettled?.(1);
  expect(server.requests[0]!.isAborted).toBe(false);
  passTime(LINGER_MS);
  await expect.poll(() => server.requests[0]!.isAborted).toBe(true);
});

test('a request whose cancellation is never taken is closed all the same, and so is the cancellation', async () => {
  const server = await startHttpServer(noStream(() => undefined));
  const { send, failures } = await openLegacy(server);
  stopTime();
  send(call(2));
  await expect.poll(() => server.requests.at(-1)?.message?.id).toBe(2);
  send({ method: 'notifications/cancelled', params: { requestId: 2 } });
  await expect.poll(() => server.requests.at(-1)?.message?.method).toBe('notifications/cancelled');
  passTime(TELL_MS);
  await expect.poll(() => server.requests.slice(-2).map(({ isAborted }) => isAborted)).toEqual([true, true]);
  expect(failures).toEqual([]);
});

test('over SSE, a POST that is not answered is closed once its request is over', async () => {
  const server = await startHttpServer((request, response) => {
    if (request.method === 'GET') beginEvents(response)('event: endpoint\ndata: /messages\n\n');
  });
  stopTime();
  const { transport, send } = await open(server.url, { type: 'sse' });
  send(call(1));
  send({ method: 'notifications/x' });
  await expect.poll(() => server.requests.length).toBe(3);
  transport.onSettled?.(1);
  const isAborted = (method: string) => server.requests.find(({ message }) => message?.method === method)?.isAborted;
  passTime(LINGER_MS);
  await expect.poll(() => isAborted('tools/call')).toBe(true);
  expect(isAborted('notifications/x')).toBe(false);
  passTime(TELL_MS - LINGER_MS);
  await expect.poll(() => isAborted('notifications/x')).toBe(true);
});
