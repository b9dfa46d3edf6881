import { describe, expect, test } from 'vitest';
import type { IdeAnswer } from '../../../../../src/upstream/transports/ide-rest/ask-ide.ts';
import { IdeRequests, listIn } from '../../../../../src/upstream/transports/ide-rest/ide-requests.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../../../src/wire/message.ts';
import type { Reply } from '../../../../../src/wire/reply.ts';

const jsonOf = (value: unknown, status = 200): IdeAnswer => ({
  kind: 'json',
  status,
  frame: Frame.of(Buffer.from(JSON.stringify(value))),
});
const FAILURE = { code: 'UPSTREAM_EXITED', reason: 'why', effect: 'unknown' } as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Requests to a plug-in that answers everything with `answer`. */
function requestsTo(answer: IdeAnswer) {
  const asked: (string | undefined)[][] = [];
  const log: unknown[] = [];
  const questions = {
    ask: (id: number, path: string, body: Buffer | undefined, done: (answer: IdeAnswer) => void) => {
      asked.push([String(id), path, body?.toString()]);
      done(answer);
    },
  };
  const poll = {
    onRead: (list: Buffer) => log.push(`read ${String(list)}`),
    onUsed: () => log.push('used'),
  };
  const host = {
    onAnswer: (id: number, reply: Reply) => log.push(JSON.parse(String(toBuffer(reply.withId(String(id)))))),
    onFailed: (id: number, { code }: { code: string }) => log.push(`failed ${id} ${code}`),
    onGone: (reason: string) => log.push(`gone ${reason}`),
  };
  const requests = new IdeRequests({ questions, poll }, host);
  const ask = (method: string, params: object = {}, id: unknown = 1) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    requests.answer(readMessage(Frame.of(body)) as RequestMessage);
  };
  return { ask, asked, log };
}

const answerOf = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result });

describe('initialize', () => {
  test('names the server as the plug-in does', () => {
    const serverInfo = { name: 'ide', version: '7' };
    const { ask, asked, log } = requestsTo(jsonOf({ result: { serverInfo } }));
    ask('initialize');
    expect(asked).toEqual([['1', 'initialize', undefined]]);
    expect(log).toMatchObject([answerOf({ protocolVersion: '2024-11-05', serverInfo })]);
  });

  test('succeeds with a plug-in that does not know it', () => {
    const { ask, log } = requestsTo({ kind: 'failed', failure: FAILURE });
    ask('initialize');
    expect(log).toMatchObject([answerOf({ serverInfo: { name: 'ide-rest', version: 'unknown' } })]);
  });
});

test('a ping asks for the list, and succeeds whatever the answer is', () => {
  const { ask, asked, log } = requestsTo({ kind: 'failed', failure: FAILURE });
  ask('ping');
  expect(asked).toEqual([['1', 'list_tools', undefined]]);
  expect(log).toEqual([answerOf({})]);
});

describe('the list of tools', () => {
  test('is remembered for the poll', () => {
    const { ask, asked, log } = requestsTo(jsonOf([{ name: 'a' }]));
    ask('tools/list');
    expect(asked).toEqual([['1', 'list_tools', undefined]]);
    expect(log).toEqual(['read [{"name":"a"}]', answerOf({ tools: [{ name: 'a' }] })]);
  });

  test.each([
    ['no list', jsonOf({}), 'failed 1 UPSTREAM_INVALID_ANSWER'],
    ['a failure', { kind: 'failed', failure: FAILURE } as const, 'failed 1 UPSTREAM_EXITED'],
    ['a redirect', jsonOf([], 300), 'failed 1 UPSTREAM_INVALID_ANSWER'],
  ])('that is answered with %s fails', (_what, answer, expected) => {
    const { ask, log } = requestsTo(answer);
    ask('tools/list');
    expect(log).toEqual([expected]);
  });
});

describe('a call', () => {
  test('has its arguments as a body, and counts as use', () => {
    const { ask, asked, log } = requestsTo(jsonOf({ status: 'ok' }));
    ask('tools/call', { name: 'a b', arguments: { x: 1 } });
    expect(asked).toEqual([['1', 'a%20b', '{"x":1}']]);
    expect(log).toEqual(['used', answerOf({ content: [{ type: 'text', text: 'ok' }] })]);
  });

  test('without arguments has an empty object', () => {
    const { ask, asked } = requestsTo(jsonOf({ status: 'ok' }));
    ask('tools/call', { name: 'a' });
    expect(asked).toEqual([['1', 'a', '{}']]);
  });

  test.each([
    [399, undefined],
    [400, true],
  ])('that is answered with HTTP %s is an error: %s', (status, isError) => {
    const { ask, log } = requestsTo(jsonOf({ status: 'ok' }, status));
    ask('tools/call', { name: 'a' });
    expect((log[1] as { result: { isError?: boolean } }).result.isError).toBe(isError);
  });

  test('that is answered with something else fails', () => {
    const { ask, log } = requestsTo(jsonOf([]));
    ask('tools/call', { name: 'a' });
    expect(log).toEqual(['used', 'failed 1 UPSTREAM_INVALID_ANSWER']);
  });

  test.each([undefined, '', '.', '..', 42])('of a tool that no path can name (%j) asks nothing', async (name) => {
    const { ask, asked, log } = requestsTo(jsonOf({ status: 'ok' }));
    ask('tools/call', { name });
    expect(log).toEqual([]);
    await settled();
    expect(asked).toEqual([]);
    expect(log).toMatchObject([answerOf({ isError: true })]);
  });
});

test('another method is unknown; the sender hears of it after it has sent', async () => {
  const { ask, asked, log } = requestsTo(jsonOf({}));
  ask('prompts/list');
  expect(log).toEqual([]);
  await settled();
  expect(asked).toEqual([]);
  expect(log).toMatchObject([{ id: 1, error: { code: -32601, message: 'Method not found: prompts/list' } }]);
});

test('a plug-in that is gone fails the request first', () => {
  const { ask, log } = requestsTo({ kind: 'unreachable', reason: 'connection refused' });
  ask('ping');
  expect(log).toEqual(['failed 1 UPSTREAM_NOT_CONNECTED', 'gone connection refused']);
});

test('a request whose id is none of ours is nothing', async () => {
  const { ask, asked, log } = requestsTo(jsonOf({}));
  for (const method of ['initialize', 'prompts/list']) ask(method, {}, 'x');
  await settled();
  expect([asked, log]).toEqual([[], []]);
});

test.each([
  [jsonOf([1]), '[1]'],
  [jsonOf({ tools: [] }), '[]'],
  [jsonOf([], 299), '[]'],
  [jsonOf([], 300), undefined],
  [jsonOf({}), undefined],
])('the list in an answer: %#', (answer, expected) => {
  expect(listIn(answer)?.toString()).toBe(expected);
});
