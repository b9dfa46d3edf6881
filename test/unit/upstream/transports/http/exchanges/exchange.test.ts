import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResponseHandler } from '../../../../../../src/upstream/transports/http/calls/http-call.ts';
import {
  type ExchangeRequest,
  HttpExchange,
  LINGER_MS,
} from '../../../../../../src/upstream/transports/http/exchanges/exchange.ts';
import type { HttpMessage } from '../../../../../../src/upstream/transports/http/http-message.ts';
import type { HttpPeer } from '../../../../../../src/upstream/transports/http/peer.ts';
import type { HttpResponse } from '../../../../../../src/upstream/transports/http/response.ts';
import { HttpSession } from '../../../../../../src/upstream/transports/http/session.ts';
import { toBuffer } from '../../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../../../../src/wire/message.ts';

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
const NOTICE = '{"jsonrpc":"2.0","method":"n"}';
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

class Response extends PassThrough {
  readonly statusCode: number;
  readonly headers: Record<string, string>;

  constructor(statusCode: number, type: string, headers: Record<string, string> = {}) {
    super();
    this.statusCode = statusCode;
    this.headers = { 'content-type': type, ...headers };
  }
}

/** A session that is open, with an id unless the server gave none. */
function sessionOf({ hasId = true } = {}): HttpSession {
  const session = new HttpSession();
  if (hasId) session.onHead({ headers: { 'mcp-session-id': 's' } } as never);
  const answer = readMessage(Frame.of(Buffer.from('{"id":1,"result":{"protocolVersion":"2025-06-18"}}')));
  session.onAnswer(answer as never);
  return session;
}

/** An exchange that has begun; what it does is in `log`. */
function started({ method = 'tools/call', kind = 'legacy' as ExchangeRequest['kind'], session = sessionOf() } = {}) {
  const log: string[] = [];
  const sent: HttpMessage[] = [];
  let handler!: ResponseHandler;
  let tellAlive!: (isAlive: boolean) => void;
  const destroy = vi.fn();
  const peer = {
    session,
    maxFrameBytes: 1_000,
    share: () => 1,
    onSpeaking: () => undefined,
    onFrame: (frame: Frame, of?: number) => log.push(`frame ${toBuffer(frame.bytes()).toString()} of ${of}`),
    onLostLine: ({ reason }: { reason: string }) => log.push(`lost ${reason}`),
    endpoint: {
      send: (message: HttpMessage, own: ResponseHandler) => {
        sent.push(message);
        handler ??= own;
        return { destroy };
      },
    },
  } as unknown as HttpPeer;
  const owner = {
    onAnswered: () => log.push('answered'),
    onFailed: (_exchange: HttpExchange, { code }: { code: string }) => log.push(`failed ${code}`),
    onUnreachable: (_exchange: HttpExchange, reason: string) => log.push(`unreachable ${reason}`),
    onExpired: () => log.push('expired'),
    isSessionAlive: () =>
      new Promise<boolean>((resolve) => {
        log.push('asked');
        tellAlive = resolve;
      }),
  };
  const body = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"${method}"}`);
  const message = readMessage(Frame.of(body)) as RequestMessage;
  const exchange = new HttpExchange({ id: 1, message, body, kind, headers: { a: 'b' } }, peer, owner);
  exchange.start();
  const respond = (status: number, type: string, headers?: Record<string, string>) => {
    const response = new Response(status, type, headers);
    handler.onResponse(response as unknown as HttpResponse);
    return response;
  };
  const answer = async (status: number, text: string) => {
    respond(status, 'application/json').end(text);
    await settled();
  };
  const fault = (isUnreachable: boolean) => handler.onFault({ reason: 'why', isUnreachable });
  return { exchange, log, sent, destroy, session, respond, answer, fault, alive: (is: boolean) => tellAlive(is) };
}

describe('an exchange', () => {
  test.each([
    ['tools/call', false],
    ['tools/list', true],
  ])('sends %s, which may be repeated: %s', (method, isRepeatable) => {
    const { sent } = started({ method });
    expect(sent).toMatchObject([{ method: 'POST', headers: { a: 'b' }, isRepeatable }]);
  });

  test('reports the answer before it delivers it', async () => {
    const { log, answer } = started();
    await answer(200, RESULT);
    expect(log).toEqual(['answered', `frame ${RESULT} of 1`]);
  });

  test('delivers another message too, and fails', async () => {
    const { log, answer } = started();
    await answer(200, NOTICE);
    expect(log).toEqual([`frame ${NOTICE} of 1`, 'failed UPSTREAM_INVALID_ANSWER']);
  });

  test('reports what is no JSON as lost, unless it is the page of an error', async () => {
    const good = started();
    await good.answer(200, 'oops');
    const bad = started();
    await bad.answer(500, 'oops');
    expect([good.log, bad.log]).toEqual([
      ['lost not-json', 'failed UPSTREAM_INVALID_ANSWER'],
      ['failed UPSTREAM_REFUSED'],
    ]);
  });

  test('fails when there is a fault, and tells one that is nobody there', () => {
    const broken = started();
    broken.fault(false);
    const away = started();
    away.fault(true);
    away.fault(true);
    expect([broken.log, away.log]).toEqual([['failed UPSTREAM_EXITED'], ['unreachable why']]);
  });

  test('fails once', () => {
    const { log, fault } = started();
    fault(false);
    fault(false);
    expect(log).toEqual(['failed UPSTREAM_EXITED']);
  });
});

describe('an exchange that was aborted', () => {
  test('ends its call and hears no more', async () => {
    const { exchange, log, destroy, respond, fault } = started();
    const response = respond(200, 'application/json');
    exchange.abort();
    expect(destroy).toHaveBeenCalledOnce();
    response.end(RESULT);
    await settled();
    fault(false);
    expect(log).toEqual([]);
  });

  test('reads no more events', async () => {
    const { exchange, log, respond } = started();
    const response = respond(200, 'text/event-stream');
    response.write(`data: ${NOTICE}\n\n`);
    await settled();
    exchange.abort();
    response.destroy();
    await settled();
    expect(response.destroyed).toBe(true);
    expect(log).toEqual([`frame ${NOTICE} of 1`]);
  });

  test('does not linger any more', async () => {
    const { exchange, respond, destroy } = started();
    respond(200, 'text/event-stream').write(`data: ${RESULT}\n\n`);
    await settled();
    exchange.abort();
    expect(vi.getTimerCount()).toBe(0);
    expect(destroy).toHaveBeenCalledOnce();
  });
});

test('an answer in a body leaves nothing to wait for', async () => {
  const { log, answer } = started();
  await answer(200, RESULT);
  expect(vi.getTimerCount()).toBe(0);
  expect(log).toEqual(['answered', `frame ${RESULT} of 1`]);
});

describe('the events of an exchange', () => {
  test('go on behind the answer, until the exchange has lingered long enough', async () => {
    const { log, destroy, respond } = started();
    const response = respond(200, 'text/event-stream');
    response.write(`data: ${RESULT}\n\ndata: ${NOTICE}\n\n`);
    await settled();
    expect(log).toEqual(['answered', `frame ${RESULT} of 1`, `frame ${NOTICE} of 1`]);
    vi.advanceTimersByTime(LINGER_MS - 1);
    expect([destroy.mock.calls.length, response.destroyed]).toEqual([0, false]);
    vi.advanceTimersByTime(1);
    expect([destroy.mock.calls.length, response.destroyed]).toEqual([1, true]);
    expect(log).toHaveLength(3);
  });

  test('that end behind the answer end the lingering', async () => {
    const { log, respond } = started();
    respond(200, 'text/event-stream').end(`data: ${RESULT}\n\n`);
    await settled();
    expect(vi.getTimerCount()).toBe(0);
    expect(log).toEqual(['answered', `frame ${RESULT} of 1`]);
  });

  test.each<[string, number, ExchangeRequest['kind'], string, string]>([
    ['without ids', 200, 'legacy', ': x\n\n', 'failed UPSTREAM_EXITED'],
    ['of a modern request', 200, 'modern', 'id: 1\ndata:\n\n', 'failed UPSTREAM_EXITED'],
    ['of a refusal', 400, 'legacy', 'id: 1\ndata:\n\n', 'failed UPSTREAM_REFUSED'],
  ])('that end before the answer are not resumed %s', async (_what, status, kind, text, expected) => {
    const { log, sent, respond } = started({ kind });
    respond(status, 'text/event-stream').end(text);
    await settled();
    vi.advanceTimersByTime(60_000);
    expect([log, sent.length]).toEqual([[expected], 1]);
  });

  test('that end before the answer are resumed, until the request is over', async () => {
    const { exchange, log, sent, respond } = started();
    respond(200, 'text/event-stream').end('id: 7\nretry: 50\ndata:\n\n');
    await settled();
    vi.advanceTimersByTime(50);
    expect(sent[1]).toMatchObject({ method: 'GET', headers: { 'last-event-id': '7' } });
    exchange.linger();
    vi.advanceTimersByTime(60_000);
    expect([log, sent.length]).toEqual([[], 2]);
  });
});

describe('a response that may mean that the session is gone', () => {
  test('ends the session if the server says so', async () => {
    const { log, answer, alive } = started();
    await answer(404, '');
    alive(false);
    await settled();
    expect(log).toEqual(['asked', 'expired']);
  });

  test('is taken as it is if the session is there', async () => {
    const { log, answer, alive } = started();
    await answer(404, RESULT);
    expect(log).toEqual(['asked']);
    alive(true);
    await settled();
    expect(log).toEqual(['asked', 'answered', `frame ${RESULT} of 1`]);
  });

  test.each([true, false])(
    'is of no use once nobody wants it, whether the session is there (%s) or not',
    async (is) => {
      const { exchange, log, answer, alive } = started();
      await answer(404, RESULT);
      exchange.abort();
      alive(is);
      await settled();
      expect(log).toEqual(['asked']);
    },
  );

  test('is over once the session is gone', async () => {
    const { log, answer, alive, fault } = started();
    await answer(404, '');
    alive(false);
    await settled();
    fault(false);
    expect(log).toEqual(['asked', 'expired']);
  });

  test.each<[string, Parameters<typeof started>[0]]>([
    ['a modern request', { kind: 'modern' }],
    ['the request that opens a session', { kind: 'opening', method: 'initialize' }],
    ['a server that keeps no session', { session: sessionOf({ hasId: false }) }],
  ])('cannot mean that for %s', async (_what, options) => {
    const { log, answer } = started(options);
    await answer(404, '');
    expect(log).toEqual(['failed UPSTREAM_REFUSED']);
  });
});

describe('the request that opens a session', () => {
  const opening = () => started({ kind: 'opening', method: 'initialize', session: new HttpSession() });
  const TEXT = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}';

  test('takes the id from the head, and the version from the answer', async () => {
    const { session, respond } = opening();
    const response = respond(200, 'application/json', { 'mcp-session-id': 'abc' });
    expect([session.hasId, session.isOpen]).toEqual([true, false]);
    response.end(TEXT);
    await settled();
    expect(session.headers).toEqual({ 'mcp-session-id': 'abc', 'mcp-protocol-version': '2025-06-18' });
  });

  test('takes no id from a refusal', () => {
    const { session, respond } = opening();
    respond(400, 'application/json', { 'mcp-session-id': 'abc' });
    expect(session.hasId).toBe(false);
  });

  test('is the only one that does', async () => {
    const { session, respond } = started({ session: new HttpSession() });
    respond(200, 'application/json', { 'mcp-session-id': 'abc' }).end(TEXT);
    await settled();
    expect(session.headers).toEqual({});
  });
});
