import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientErrors } from '../../../../../src/downstream/http/guards/client-errors.ts';
import { linger } from '../../../../../src/downstream/http/guards/linger.ts';
import { reject } from '../../../../../src/downstream/http/guards/reject.ts';
import { BodyReader } from '../../../../../src/downstream/http/posts/body-reader.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import { RefusalLog } from '../../../../../src/telemetry/refusal-log.ts';

const MAX_BODY = 1024;
/** More than the buffers of both ends of a connection hold. */
const REST = Buffer.alloc(32 * 1024 * 1024, 'x');

describe('a client that reads only after it has sent everything', () => {
  let server: Server;

  beforeEach(async () => {
    const refusals = new RefusalLog(createLog({ level: 'silent' }));
    const bodies = new BodyReader(() => MAX_BODY);
    const errors = new ClientErrors(refusals);
    server = createServer((request, response) => {
      errors.onRequest(request.socket, response);
      bodies.read(request, (body) => {
        if (!Buffer.isBuffer(body)) reject(request, response, body, refusals);
      });
    });
    server.on('clientError', (error, socket) => errors.onError(error, socket as never));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => void server.close());

  /** Sends a head, a body and an end, and only then reads; returns the status line. */
  async function statusOf(head: string, end = ''): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.pause();
    await new Promise<void>((resolve, fail) => {
      socket.once('error', fail);
      socket.write(head);
      socket.write(REST);
      socket.write(end, () => resolve());
    });
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer.slice(0, answer.indexOf('\r\n'));
  }

  test.each([
    ['an announced body that is too large', `Content-Length: ${REST.length}\r\n\r\n`, '', 413],
    [
      'a chunk that is too large',
      `Transfer-Encoding: chunked\r\n\r\n${REST.length.toString(16)}\r\n`,
      '\r\n0\r\n\r\n',
      413,
    ],
    ['a header without end', `X-Endless: `, '', 431],
    ['what is no HTTP', `: no name\r\n\r\n`, '', 400],
  ])('gets its refusal: %s', async (_name, rest, end, status) => {
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${rest}`;
    expect(await statusOf(head, end)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe('lingering ends', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const limits = { silenceMs: 1_000, totalMs: 3_000 };
  function begin() {
    const source = new PassThrough();
    const over = vi.fn();
    linger(source, over, limits);
    return { source, over };
  }

  test('with the end of what is sent, once', async () => {
    const { source, over } = begin();
    source.end('rest');
    await vi.advanceTimersByTimeAsync(0);
    source.destroy();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(over).toHaveBeenCalledTimes(1);
  });

  test('at once where the end has been read already', async () => {
    const source = new PassThrough();
    source.end();
    source.resume();
    await vi.advanceTimersByTimeAsync(0);
    const over = vi.fn();
    linger(source, over, limits);
    expect(over).toHaveBeenCalledTimes(1);
  });

  test('after a silence', async () => {
    const { over } = begin();
    await vi.advanceTimersByTimeAsync(999);
    expect(over).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(over).toHaveBeenCalledTimes(1);
  });

  test('after the whole time, even if something still comes', async () => {
    const { source, over } = begin();
    for (let ms = 0; ms < 2_900; ms += 100) {
      source.write('x');
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(over).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(over).toHaveBeenCalledTimes(1);
  });
});
