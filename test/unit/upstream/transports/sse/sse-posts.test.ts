import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResponseHandler } from '../../../../../src/upstream/transports/http/calls/http-call.ts';
import { type HttpEndpoint, TELL_MS } from '../../../../../src/upstream/transports/http/endpoint.ts';
import { LINGER_MS } from '../../../../../src/upstream/transports/http/exchanges/exchange.ts';
import type { HttpResponse } from '../../../../../src/upstream/transports/http/response.ts';
import { SsePosts, type SsePostsHost } from '../../../../../src/upstream/transports/sse/sse-posts.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import type { Frame } from '../../../../../src/wire/frame.ts';

const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}';
const BODY = Buffer.from('{}');
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A message that was posted. */
function posted(id?: number) {
  const log: string[] = [];
  const host = {
    isStopped: false,
    maxFrameBytes: 1_000,
    share: () => 1,
    onSpeaking: () => undefined,
    onFrame: (frame: Frame) => log.push(`frame ${toBuffer(frame.bytes()).toString()}`),
    onPostFailed: (of: number | undefined, { code }: { code: string }) => log.push(`failed ${of} ${code}`),
    onNothingThere: async (of: number | undefined) => void log.push(`nothing there ${of}`),
  };
  let handler!: ResponseHandler;
  const destroy = vi.fn();
  const endpoint = {
    send: (_message: unknown, own: ResponseHandler) => {
      handler = own;
      return { destroy };
    },
  } as unknown as HttpEndpoint;
  const posts = new SsePosts(host as unknown as SsePostsHost);
  let isTaken = false;
  void posts.post(endpoint, { body: BODY, id }).then(() => {
    isTaken = true;
  });
  const respond = (statusCode: number, type = 'application/json') => {
    const response = Object.assign(new PassThrough(), { statusCode, headers: { 'content-type': type } });
    handler.onResponse(response as unknown as HttpResponse);
    return response;
  };
  return { posts, host, log, destroy, handler, respond, isTaken: () => isTaken };
}

describe('a post', () => {
  test('is taken with the head of its response', async () => {
    const { respond, isTaken } = posted(1);
    await settled();
    expect(isTaken()).toBe(false);
    respond(202);
    await settled();
    expect(isTaken()).toBe(true);
  });

  test('that could not be told is over, too', async () => {
    const { handler, log, isTaken } = posted();
    handler.onFault({ reason: 'why', isUnreachable: true });
    await settled();
    expect([isTaken(), log, vi.getTimerCount()]).toEqual([true, ['failed undefined UPSTREAM_NOT_CONNECTED'], 0]);
  });

  test('without an id is given up after a while', async () => {
    const { destroy, isTaken } = posted();
    vi.advanceTimersByTime(TELL_MS - 1);
    expect(destroy).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await settled();
    expect([destroy.mock.calls.length, isTaken()]).toEqual([1, true]);
  });

  test('without an id that is responded to in full is not given up', async () => {
    const { respond } = posted();
    respond(202).end().resume();
    await settled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of a request waits as long as the request', () => {
    const { destroy } = posted(1);
    vi.advanceTimersByTime(10 * TELL_MS);
    expect(destroy).not.toHaveBeenCalled();
  });

  test('of a request that is over lingers, and is given up once', () => {
    const { posts, destroy } = posted(1);
    posts.settle(1);
    posts.settle(1);
    vi.advanceTimersByTime(LINGER_MS - 1);
    expect(destroy).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(destroy).toHaveBeenCalledOnce();
  });

  test.each<[string, (post: ReturnType<typeof posted>) => unknown]>([
    ['was responded to in full', ({ respond }) => respond(202).end().resume()],
    ['could not be told', ({ handler }) => handler.onFault({ reason: 'why', isUnreachable: false })],
  ])('of a request that %s is forgotten', async (_what, end) => {
    const post = posted(1);
    end(post);
    await settled();
    post.posts.settle(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the response to a post', () => {
  test.each<[number | undefined, number, string, string[]]>([
    [1, 200, ANSWER, [`frame ${ANSWER}`]],
    [undefined, 200, ANSWER, []],
    [1, 202, '"Accepted"', []],
    [1, 200, ANSWER.replace('1,', '2,'), []],
    [1, 404, 'no', ['nothing there 1']],
    [1, 404, ANSWER, [`frame ${ANSWER}`]],
    [undefined, 404, 'no', ['nothing there undefined']],
    [1, 500, 'no', ['failed 1 UPSTREAM_REFUSED']],
    [undefined, 300, 'no', ['failed undefined UPSTREAM_INVALID_ANSWER']],
    [1, 299, 'no', []],
  ])('of a message with the id %s, HTTP %s and %s, is read', async (id, status, text, expected) => {
    const { log, respond } = posted(id);
    respond(status).end(text);
    await settled();
    expect(log).toEqual(expected);
  });

  test('means nothing once the connection is stopped', async () => {
    const { host, log, respond } = posted(1);
    const response = respond(404);
    host.isStopped = true;
    response.end('no');
    await settled();
    expect(log).toEqual([]);
  });

  test('may be a stream of events', async () => {
    const { log, respond } = posted(1);
    respond(200, 'text/event-stream').end(`data: ${ANSWER}\n\n`);
    await settled();
    expect(log).toEqual([`frame ${ANSWER}`]);
  });
});
