import { describe, expect, test } from 'vitest';
import type { Body } from '../../../../../../src/upstream/transports/http/body.ts';
import {
  answerIn,
  failureOfBody,
  mayBeExpired,
} from '../../../../../../src/upstream/transports/http/exchanges/answer-in-body.ts';
import type { HttpResponse } from '../../../../../../src/upstream/transports/http/response.ts';
import { Frame } from '../../../../../../src/wire/frame.ts';

const frameOf = (text: string) => Frame.of(Buffer.from(text));
const jsonOf = (text: string): Body => ({ kind: 'frame', frame: frameOf(text) });
const responseOf = (statusCode: number) => ({ statusCode, headers: {} }) as HttpResponse;
const lost = (reason: 'too-large' | 'not-json') =>
  ({ kind: 'lost', line: { reason, head: Buffer.alloc(0), bytes: 0 } }) as unknown as Extract<Body, { kind: 'lost' }>;

const ANSWER = '{"jsonrpc":"2.0","id":2,"result":{}}';
const ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}';

describe('the answer in a message', () => {
  test.each([
    ['is the message itself', ANSWER],
    ['may have its id as a text', ANSWER.replace('2,', '"2",')],
    ['may be anywhere in a batch', `[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":1,"result":{}},${ANSWER}]`],
  ])('%s', (_what, text) => {
    expect(answerIn(frameOf(text), 2)?.kind).toBe('response');
  });

  test.each([
    ['a response to another request', ANSWER.replace('2,', '3,')],
    ['a request with the same id', '{"jsonrpc":"2.0","id":2,"method":"ping"}'],
    ['an error that names no request', ERROR],
  ])('is not %s', (_what, text) => {
    expect(answerIn(frameOf(text), 2)).toBeUndefined();
  });
});

describe('a response in a session', () => {
  test.each<[number, string, Body, boolean]>([
    [404, 'nothing', { kind: 'empty' }, true],
    [404, 'the answer', jsonOf(ANSWER), true],
    [400, 'nothing', { kind: 'empty' }, true],
    [400, 'an error that names no request', jsonOf(ERROR), true],
    [400, 'the answer', jsonOf(ANSWER), false],
    [200, 'an error that names no request', jsonOf(ERROR), false],
    [500, 'nothing', { kind: 'empty' }, false],
  ])('with HTTP %s and %s may mean that the session is gone: %#', (status, _what, body, expected) => {
    expect(mayBeExpired(responseOf(status), body, 2)).toBe(expected);
  });
});

describe('the failure of a body without JSON', () => {
  test.each([
    ['that broke off', { kind: 'broken' } as const, { code: 'UPSTREAM_EXITED', effect: 'unknown' }],
    ['that is too large', lost('too-large'), { code: 'ANSWER_TOO_LARGE', effect: 'unknown' }],
    ['that is something else', lost('not-json'), { code: 'UPSTREAM_REFUSED', effect: 'none', status: 400 }],
    ['that is empty', { kind: 'empty' } as const, { code: 'UPSTREAM_REFUSED', effect: 'none', status: 400 }],
  ])('%s', (_what, body, failure) => {
    expect(failureOfBody(responseOf(400), body)).toMatchObject(failure);
  });
});
