import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResponseHandler } from '../../../../../src/upstream/transports/http/calls/http-call.ts';
import type { HttpEndpoint } from '../../../../../src/upstream/transports/http/endpoint.ts';
import type { EventPeer } from '../../../../../src/upstream/transports/http/peer.ts';
import type { HttpResponse } from '../../../../../src/upstream/transports/http/response.ts';
import { SseStream } from '../../../../../src/upstream/transports/sse/sse-stream.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import type { Frame } from '../../../../../src/wire/frame.ts';

const peer = { isStopped: false, maxFrameBytes: 1_000, share: () => 1, onSpeaking: () => undefined };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** What the stream has told, in order. */
let heard: string[];
beforeEach(() => {
  heard = [];
});

function open() {
  let handler!: ResponseHandler;
  const destroy = vi.fn();
  const endpoint = {
    send: (_message: unknown, own: ResponseHandler) => {
      handler = own;
      return { destroy, url: new URL('https://tools.example/a/sse') };
    },
  } as unknown as HttpEndpoint;
  const stream = new SseStream(endpoint, peer as unknown as EventPeer, {
    onFrame: (frame: Frame) => void heard.push(`frame ${toBuffer(frame.bytes()).toString()}`),
    onEndpoint: (url) => void heard.push(`endpoint ${url.href}`),
    onEnd: (reason, why) => void heard.push(`end ${reason}${why === undefined ? '' : ` (${why})`}`),
  });
  const respond = (statusCode = 200, type = 'text/event-stream') => {
    const response = Object.assign(new PassThrough(), { statusCode, headers: { 'content-type': type } });
    handler.onResponse(response as unknown as HttpResponse);
    return response;
  };
  return { stream, handler, destroy, respond };
}

describe('a stream of events', () => {
  test('names the endpoint for messages, of which only the first counts', async () => {
    const response = open().respond();
    response.write('event: endpoint\ndata: messages?id=1\n\nevent: endpoint\ndata: /other\n\ndata: {"a":1}\n\n');
    await settled();
    expect(heard).toEqual(['endpoint https://tools.example/a/messages?id=1', 'frame {"a":1}']);
  });

  test.each([
    [
      'https://elsewhere.example/m',
      'end it names an endpoint at another origin (https://elsewhere.example), which gets nothing',
    ],
    ['http://:x', 'end the endpoint that it names is no url'],
  ])('ends where it names %s', async (named, told) => {
    open().respond().write(`event: endpoint\ndata: ${named}\n\n`);
    await settled();
    expect(heard).toEqual([told]);
  });

  test('that ends is not opened again', async () => {
    open().respond().end();
    await settled();
    await settled();
    expect(heard).toEqual(['end the stream of events ended']);
  });

  test('is none where the server responds with something else', () => {
    open().respond(200, 'application/json');
    open().respond(204);
    expect(heard).toEqual([
      'end its url opens no stream of events (HTTP 200)',
      'end its url opens no stream of events (HTTP 204)',
    ]);
  });

  test('needs credentials where the request for it fails for that reason', () => {
    const failure = { code: 'UPSTREAM_NEEDS_AUTH', reason: 'why', effect: 'none' } as const;
    open().handler.onFault({ reason: 'why', isUnreachable: false, failure });
    open().handler.onFault({ reason: 'away', isUnreachable: true });
    expect(heard).toEqual(['end why (unauthorized)', 'end away']);
  });

  test('that is stopped is given up, and not read any more', async () => {
    const { stream, destroy, respond } = open();
    const response = respond();
    stream.stop();
    response.write('data: {"a":1}\n\n');
    await settled();
    expect([destroy.mock.calls.length, heard]).toEqual([1, []]);
  });
});
