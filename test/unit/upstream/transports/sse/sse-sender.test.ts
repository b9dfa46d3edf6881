import { describe, expect, test } from 'vitest';
import type { ResponseHandler } from '../../../../../src/upstream/transports/http/calls/http-call.ts';
import type { HttpEndpoint } from '../../../../../src/upstream/transports/http/endpoint.ts';
import type { HttpMessage } from '../../../../../src/upstream/transports/http/http-message.ts';
import type { SsePostsHost } from '../../../../../src/upstream/transports/sse/sse-posts.ts';
import { SseSender } from '../../../../../src/upstream/transports/sse/sse-sender.ts';

const INITIALIZED = 'notifications/initialized';
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A sender; what it posts, and what it reports of it. */
function senderOf() {
  const posted: HttpMessage[] = [];
  const handlers: ResponseHandler[] = [];
  const failed: (number | undefined)[] = [];
  const host = { isStopped: false, onPostFailed: (id: number | undefined) => failed.push(id) };
  const endpoint = {
    queuedBytes: 5,
    send: (message: HttpMessage, handler: ResponseHandler) => {
      posted.push(message);
      handlers.push(handler);
      return { destroy: () => undefined };
    },
  } as unknown as HttpEndpoint;
  const sender = new SseSender(host as unknown as SsePostsHost);
  const send = (method: string, id?: number) =>
    sender.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method })));
  const methods = () => posted.map(({ body }) => JSON.parse(String(body)).method);
  /** The post could not be sent. */
  const fail = (index: number) => handlers[index]!.onFault({ reason: 'why', isUnreachable: false });
  return { sender, endpoint, host, send, posted, methods, failed, fail };
}

describe('a message', () => {
  test('waits until the endpoint is known', () => {
    const { sender, endpoint, send, methods } = senderOf();
    send('a', 1);
    send('b');
    expect([sender.endpoint, methods()]).toEqual([undefined, []]);
    const bytes = sender.queuedBytes;
    expect(bytes).toBeGreaterThan(0);
    sender.open(endpoint);
    expect(methods()).toEqual(['a', 'b']);
    expect([sender.endpoint, sender.queuedBytes]).toEqual([endpoint, 5]);
  });

  test('is dropped once the connection is stopped', () => {
    const { sender, endpoint, host, send, methods } = senderOf();
    sender.open(endpoint);
    host.isStopped = true;
    send('a', 1);
    expect(methods()).toEqual([]);
  });

  test.each([
    ['tools/call', 1, false],
    ['tools/list', 1, true],
    ['notifications/x', undefined, true],
  ])('%s (%s) may be repeated: %s', (method, id, isRepeatable) => {
    const { sender, endpoint, send, posted } = senderOf();
    sender.open(endpoint);
    send(method, id);
    expect(posted).toMatchObject([{ method: 'POST', isRepeatable }]);
  });

  test('that fails is reported with its id, if it is a request', () => {
    const { sender, endpoint, send, failed, fail } = senderOf();
    sender.open(endpoint);
    send('a', 7);
    send('b');
    fail(0);
    fail(1);
    expect(failed).toEqual([7, undefined]);
  });
});

test('what follows the beginning of a session waits until that is taken', async () => {
  const { sender, endpoint, send, methods, fail } = senderOf();
  sender.open(endpoint);
  send(INITIALIZED);
  send('tools/list', 2);
  await settled();
  expect(methods()).toEqual([INITIALIZED]);
  fail(0);
  await settled();
  expect(methods()).toEqual([INITIALIZED, 'tools/list']);
});

test('a request of that name begins no session', () => {
  const { sender, endpoint, send, methods } = senderOf();
  sender.open(endpoint);
  send(INITIALIZED, 1);
  send('a');
  expect(methods()).toEqual([INITIALIZED, 'a']);
});
