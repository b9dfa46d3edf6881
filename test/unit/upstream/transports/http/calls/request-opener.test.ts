import type { ClientRequest, RequestOptions } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { RequestOpener } from '../../../../../../src/upstream/transports/http/calls/request-opener.ts';

const TARGET = new URL('http://server.test/mcp');
const POST = { method: 'POST', headers: { b: 'message', c: 'message' }, body: Buffer.from('grüße') } as const;

/** An opener whose requests are streams: `sent` are their options, and `streams` they themselves. */
function opener(authorization?: () => { authorization?: string }) {
  const sent: RequestOptions[] = [];
  const streams: PassThrough[] = [];
  const request = (_url: URL, options: RequestOptions) => {
    sent.push(options);
    const stream = new PassThrough();
    streams.push(stream);
    return stream as unknown as ClientRequest;
  };
  const made = new RequestOpener({
    headers: { a: 'common', authorization: 'common', c: 'common' },
    connections: { request, agent: 'the agent' as never },
    authorization: authorization === undefined ? undefined : { headers: authorization },
  });
  return { opener: made, sent, streams };
}

test('the headers of a message count more than a token, and a token more than the common ones', () => {
  const { opener: made, sent } = opener(() => ({ authorization: 'token', b: 'token' }));
  made.open(POST, TARGET);
  expect(sent).toEqual([
    {
      method: 'POST',
      agent: 'the agent',
      headers: { a: 'common', authorization: 'token', b: 'message', c: 'message', 'content-length': '7' },
    },
  ]);
});

test('a request ends with its body', async () => {
  const { opener: made, streams } = opener();
  made.open(POST, TARGET);
  const [stream] = streams;
  expect([stream!.writableEnded, String(await stream!.toArray())]).toEqual([true, 'grüße']);
});

test('the token is asked for with each request', () => {
  let count = 0;
  const { opener: made, sent } = opener(() => ({ authorization: `token ${++count}` }));
  made.open(POST, TARGET);
  made.open(POST, TARGET);
  expect(sent.map(({ headers }) => (headers as { authorization?: string }).authorization)).toEqual([
    'token 1',
    'token 2',
  ]);
});

test('a message without a body has no length and counts as nothing', () => {
  const { opener: made, sent } = opener();
  made.open({ method: 'GET', headers: {} }, TARGET);
  expect(sent[0]!.headers).not.toHaveProperty('content-length');
  expect(made.queuedBytes).toBe(0);
});

test('a body counts until it is written or its connection is closed, and only once', () => {
  const { opener: made, streams } = opener();
  made.open(POST, TARGET);
  made.open(POST, TARGET);
  expect(made.queuedBytes).toBe(14);
  streams[0]!.emit('finish');
  expect(made.queuedBytes).toBe(7);
  streams[0]!.emit('close');
  expect(made.queuedBytes).toBe(7);
  streams[1]!.emit('close');
  expect(made.queuedBytes).toBe(0);
});

test('what cannot be sent does not count', () => {
  const made = new RequestOpener({
    headers: {},
    connections: {
      request: () => {
        throw new TypeError('Invalid character in header content');
      },
      agent: undefined as never,
    },
    authorization: undefined,
  });
  expect(() => made.open(POST, TARGET)).toThrow(TypeError);
  expect(made.queuedBytes).toBe(0);
});
