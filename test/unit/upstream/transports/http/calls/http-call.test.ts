import { EventEmitter } from 'node:events';
import type { ClientRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { HttpCall } from '../../../../../../src/upstream/transports/http/calls/http-call.ts';
import { Redirects } from '../../../../../../src/upstream/transports/http/calls/redirects.ts';
import type { RequestOpener } from '../../../../../../src/upstream/transports/http/calls/request-opener.ts';
import type { HttpMessage } from '../../../../../../src/upstream/transports/http/http-message.ts';
import type { HttpResponse } from '../../../../../../src/upstream/transports/http/response.ts';
import type { NetworkFault } from '../../../../../../src/upstream/transports/network/network-fault.ts';
import type { Authorization } from '../../../../../../src/upstream/transports/transport.ts';

const GET: HttpMessage = { method: 'GET', headers: {}, isRepeatable: true };
const URL_TEXT = 'http://server.test/mcp';

class Request extends EventEmitter {
  readonly reusedSocket: boolean;
  readonly destroy = vi.fn();

  constructor(reusedSocket: boolean) {
    super();
    this.reusedSocket = reusedSocket;
  }

  getHeader(name: string): string {
    return `the ${name}`;
  }
}

function responseOf(statusCode: number, headers: Record<string, string> = {}): HttpResponse {
  return Object.assign(new PassThrough(), { statusCode, headers });
}

const errorOf = (code: string) => Object.assign(new Error(code), { code });
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A call that has begun; its requests are for the test to answer. */
function started({
  message = GET,
  isReused = false,
  proxy,
  onRefused,
  open = () => new Request(isReused),
}: {
  message?: HttpMessage;
  isReused?: boolean;
  proxy?: string;
  onRefused?: Authorization['onRefused'];
  open?: () => Request;
} = {}) {
  const requests: Request[] = [];
  const urls: string[] = [];
  const responses: HttpResponse[] = [];
  const faults: NetworkFault[] = [];
  const opener: Pick<RequestOpener, 'open'> = {
    open: (_message, url) => {
      urls.push(url.pathname);
      requests.push(open());
      return requests.at(-1) as unknown as ClientRequest;
    },
  };
  const redirects = new Redirects(new URL(URL_TEXT));
  const handler = {
    onResponse: (response: HttpResponse) => void responses.push(response),
    onFault: (fault: NetworkFault) => void faults.push(fault),
  };
  const authorization = onRefused && ({ onRefused } as Authorization);
  const call = new HttpCall(message, handler, { opener: opener as RequestOpener, redirects, proxy, authorization });
  call.start();
  return { call, requests, urls, responses, faults, redirects };
}

describe('a call that was destroyed', () => {
  test('ends its request, and reports nothing of it', () => {
    const { call, requests, responses, faults } = started({ proxy: 'http://proxy.test' });
    const [request] = requests;
    call.destroy();
    expect(request!.destroy).toHaveBeenCalledOnce();
    const late = responseOf(200);
    request!.emit('proxyConnect', { statusCode: 502 });
    request!.emit('error', errorOf('ECONNRESET'));
    request!.emit('upgrade', undefined, { destroy: () => undefined });
    request!.emit('response', late);
    expect(late.destroyed).toBe(true);
    expect([responses, faults]).toEqual([[], []]);
  });

  test('while its authorization is asked lets go of the response, and is not sent again', async () => {
    let answer!: (outcome: 'retry') => void;
    const onRefused = () =>
      new Promise<'retry'>((resolve) => {
        answer = resolve;
      });
    const { call, requests, responses, faults } = started({ onRefused });
    const refusal = responseOf(401);
    requests[0]!.emit('response', refusal);
    call.destroy();
    answer('retry');
    await settled();
    expect([refusal.destroyed, requests.length, responses, faults]).toEqual([true, 1, [], []]);
  });

  test('while a decoder is loaded reports no response', async () => {
    const { call, requests, responses, faults } = started();
    requests[0]!.emit('response', responseOf(200, { 'content-encoding': 'gzip' }));
    call.destroy();
    await import('node:zlib');
    await settled();
    expect([responses, faults]).toEqual([[], []]);
  });
});

describe('an idle connection that had ended', () => {
  test('costs a repeat, five times at most', () => {
    const { requests, faults } = started({ isReused: true });
    for (let count = 0; count < 5; count++) {
      requests.at(-1)!.emit('error', errorOf('ECONNRESET'));
      expect([requests.length, faults]).toEqual([count + 2, []]);
    }
    requests.at(-1)!.emit('error', errorOf('ECONNRESET'));
    expect([requests.length, faults.length]).toEqual([6, 1]);
  });

  test.each([
    ['a message that may have run', { message: { method: 'POST', headers: {} } as const, isReused: true }],
    ['a connection that was new', { isReused: false }],
  ])('does not for %s', (_what, options) => {
    const { requests, faults } = started(options);
    requests[0]!.emit('error', errorOf('ECONNRESET'));
    expect([requests.length, faults.length]).toEqual([1, 1]);
  });

  test('reports nothing later: the message is on its way again', () => {
    const { requests, faults } = started({ isReused: true });
    requests[0]!.emit('error', errorOf('EPIPE'));
    requests[0]!.emit('error', errorOf('ETIMEDOUT'));
    expect(faults).toEqual([]);
  });
});

describe('a refusal', () => {
  test('is shown to the authorization with what was sent', async () => {
    const onRefused = vi.fn(async () => 'retry' as const);
    const { requests } = started({ onRefused });
    requests[0]!.emit('response', responseOf(401, { 'www-authenticate': 'Bearer' }));
    await expect.poll(() => requests.length).toBe(2);
    requests[1]!.emit('response', responseOf(403));
    await expect.poll(() => requests.length).toBe(3);
    const seen = { status: 401, challenge: 'Bearer', authorization: 'the authorization', isRepeated: false };
    expect(onRefused.mock.calls).toEqual([[seen], [{ ...seen, status: 403, challenge: undefined, isRepeated: true }]]);
  });

  test('that is none of its business is the response', async () => {
    const { requests, responses, faults } = started({ onRefused: async () => undefined });
    const response = responseOf(403);
    requests[0]!.emit('response', response);
    await settled();
    expect([responses, faults]).toEqual([[response], []]);
    // What comes of the request later is about the response, which has a reader.
    requests[0]!.emit('error', errorOf('ECONNRESET'));
    expect(faults).toEqual([]);
  });

  test('whose response broke off meanwhile is a fault', async () => {
    const { requests, responses, faults } = started({ onRefused: async () => undefined });
    const response = responseOf(403);
    requests[0]!.emit('response', response);
    response.destroy();
    await settled();
    expect([responses, faults]).toEqual([[], [{ reason: 'the answer broke off', isUnreachable: false }]]);
  });

  test('that only the user can end is a failure of its own', async () => {
    const failure = { code: 'UPSTREAM_NEEDS_AUTH', reason: 'log in', effect: 'none' } as const;
    const { requests, faults } = started({ onRefused: async () => failure });
    requests[0]!.emit('response', responseOf(401));
    await settled();
    expect(faults).toEqual([{ reason: 'log in', isUnreachable: false, failure }]);
  });

  test('without authorization is a response like any other', () => {
    const { requests, responses } = started();
    const response = responseOf(401);
    requests[0]!.emit('response', response);
    expect(responses).toEqual([response]);
  });
});

describe('a permanent redirect', () => {
  test('is followed, and forgotten after a response that is an error', () => {
    const { call, requests, urls, responses, redirects } = started();
    requests[0]!.emit('response', responseOf(301, { location: '/moved' }));
    expect(urls).toEqual(['/mcp', '/moved']);
    expect(call.url.pathname).toBe('/moved');
    expect(redirects.urlFor('GET').pathname).toBe('/moved');
    requests[1]!.emit('response', responseOf(404));
    expect(responses).toHaveLength(1);
    expect(redirects.urlFor('GET').pathname).toBe('/mcp');
  });

  test.each<[string, (request: Request) => unknown]>([
    ['a fault', (request) => request.emit('error', errorOf('ECONNREFUSED'))],
    ['another protocol', (request) => request.emit('upgrade', undefined, { destroy: () => undefined })],
  ])('is forgotten after %s', (_what, fail) => {
    const { requests, faults, redirects } = started();
    requests[0]!.emit('response', responseOf(301, { location: '/moved' }));
    fail(requests[1]!);
    expect(faults).toHaveLength(1);
    expect(redirects.urlFor('GET').pathname).toBe('/mcp');
  });
});

describe('a message that cannot be sent at all', () => {
  const unsendable = () => {
    throw new TypeError('Invalid character');
  };

  test('is a fault, after the call was begun', async () => {
    const { requests, faults } = started({ open: unsendable });
    expect(faults).toEqual([]);
    await settled();
    expect(faults).toEqual([{ reason: 'it cannot be asked (Invalid character)', isUnreachable: true }]);
    expect(requests).toEqual([]);
  });

  test('is none once the call was destroyed', async () => {
    const { call, faults } = started({ open: unsendable });
    call.destroy();
    await settled();
    expect(faults).toEqual([]);
  });
});

test('a proxy that opens no tunnel is the fault, and the request ends', () => {
  const { requests, responses, faults } = started({ proxy: 'http://proxy.test' });
  const [request] = requests;
  request!.emit('proxyConnect', { statusCode: 503 });
  request!.emit('error', errorOf('ECONNRESET'));
  request!.emit('response', responseOf(503));
  expect(request!.destroy).toHaveBeenCalled();
  const reason = 'it cannot be reached (HTTP 503 of the proxy); by way of the proxy http://proxy.test';
  expect([responses, faults]).toEqual([[], [{ reason, isUnreachable: true }]]);
});

test('a proxy that opens a tunnel is no fault', () => {
  const { requests, faults } = started({ proxy: 'http://proxy.test' });
  requests[0]!.emit('proxyConnect', { statusCode: 200 });
  requests[0]!.emit('proxyConnect', {});
  expect(faults).toEqual([]);
});

test('another protocol is a fault, and its socket is closed', () => {
  const { requests, faults } = started();
  const socket = { destroy: vi.fn() };
  requests[0]!.emit('upgrade', undefined, socket);
  expect(socket.destroy).toHaveBeenCalledOnce();
  expect(faults).toEqual([{ reason: 'it answers in another protocol (HTTP 101)', isUnreachable: false }]);
});
