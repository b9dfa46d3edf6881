import { describe, expect, test } from 'vitest';
import { type ErrorCode, GatewayError, type GatewayErrorDetail } from '../../../src/core/errors.ts';
import { failureReply } from '../../../src/session/failure.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';

interface Answer {
  readonly result?: { readonly content: unknown; readonly isError: boolean; readonly _meta: Record<string, unknown> };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function answer(method: string, code: ErrorCode, detail: GatewayErrorDetail = {}, message = 'up: no'): Answer {
  return JSON.parse(
    toBuffer(failureReply(method, new GatewayError(code, message, detail)).withId('1')).toString(),
  ) as Answer;
}

describe('a failed tool call is a result that the model reads', () => {
  test.each([
    ['UPSTREAM_EXITED', 'exited', true],
    ['UPSTREAM_TIMEOUT', 'timeout', true],
    ['UPSTREAM_INVALID_ANSWER', 'invalid_answer', false],
    ['ANSWER_TOO_LARGE', 'too_large', false],
    ['UPSTREAM_CRASH_LOOP', 'circuit_open', false],
    ['UPSTREAM_NOT_CONNECTED', 'not_connected', true],
    ['CALL_CANCELLED', 'cancelled', true],
    ['OVERLOADED', 'overloaded', true],
    ['CAPABILITY_MISSING', 'capability_missing', false],
    ['INPUT_REFUSED', 'input_refused', false],
  ] as const)('%s', (code, reason, retryable) => {
    expect(answer('tools/call', code, { upstream: 'up', effect: 'none' })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [{ type: 'text', text: 'up: no.' }],
        isError: true,
        _meta: { 'viaduct/gateway': { upstream: 'up', reason, retryable, effect: 'none' } },
      },
    });
  });

  test.each(['INVALID_ARGUMENTS', 'INTERNAL'] as const)('%s too, though no upstream is at fault', (code) => {
    const { result } = answer('tools/call', code);
    expect(result).toMatchObject({ isError: true, _meta: { 'viaduct/gateway': { retryable: false } } });
  });

  test.each([
    ['up: exited', {}, 'up: exited.'],
    ['Really?', {}, 'Really?'],
    ['up: exited', { effect: 'unknown' }, 'up: exited. It is unknown whether the call took effect.'],
    ['up: exited', { effect: 'none' }, 'up: exited.'],
    ['up: full', { retryAfterMs: 1_000 }, 'up: full. Try again in 1 s.'],
    ['up: full', { retryAfterMs: 20 }, 'up: full. Try again in 1 s.'],
    ['up: full', { retryAfterMs: 0 }, 'up: full. Try again in 1 s.'],
    [
      'up: gone.',
      { effect: 'unknown', retryAfterMs: 2_400 },
      'up: gone. It is unknown whether the call took effect. Try again in 2 s.',
    ],
  ] as const)('says in words what to do: "%s" %j', (message, detail, text) => {
    expect(answer('tools/call', 'UPSTREAM_EXITED', detail, message).result?.content).toEqual([{ type: 'text', text }]);
  });
});

describe('any other failure is a JSON-RPC error', () => {
  test.each([
    ['resources/read', 'UPSTREAM_EXITED', -32603],
    ['prompts/get', 'UPSTREAM_TIMEOUT', -32603],
    ['completion/complete', 'OVERLOADED', -32603],
  ] as const)('%s, %s: with the same facts in its data', (method, code, jsonRpc) => {
    const { error, result } = answer(method, code, { upstream: 'up', effect: 'unknown', retryAfterMs: 5 });
    expect(result).toBeUndefined();
    expect(error).toMatchObject({
      code: jsonRpc,
      message: 'up: no',
      data: {
        gateway: { upstream: 'up', reason: expect.any(String), retryable: true, effect: 'unknown', retryAfterMs: 5 },
      },
    });
  });

  test.each([
    ['tools/call', 'UNKNOWN_TOOL', -32602],
    ['prompts/get', 'UNKNOWN_PROMPT', -32602],
    ['resources/read', 'UNKNOWN_RESOURCE', -32002],
    ['tools/call', 'INVALID_PARAMS', -32602],
    ['tools/call', 'INVALID_REQUEST', -32600],
    ['tools/list', 'INTERNAL', -32603],
    ['nothing', 'METHOD_NOT_FOUND', -32601],
  ] as const)('%s, %s: without data, for there is nothing more to say', (method, code, jsonRpc) => {
    expect(answer(method, code)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: jsonRpc, message: 'up: no' } });
  });
});
