import { expect, test } from 'vitest';
import { ERROR_CODES, GatewayError, toGatewayError } from '../../../src/core/errors.ts';

test('the codes on which clients and scripts depend', () => {
  const table = Object.entries(ERROR_CODES).map(([code, facts]) => {
    return [code, facts.jsonRpc, 'reason' in facts ? facts.reason : undefined, facts.retryable];
  });
  expect(table).toEqual([
    ['UPSTREAM_EXITED', -32603, 'exited', true],
    ['UPSTREAM_TIMEOUT', -32603, 'timeout', true],
    ['UPSTREAM_REFUSED', -32603, 'refused', false],
    ['UPSTREAM_NEEDS_AUTH', -32603, 'needs_auth', false],
    ['UPSTREAM_INVALID_ANSWER', -32603, 'invalid_answer', false],
    ['ANSWER_TOO_LARGE', -32603, 'too_large', false],
    ['UPSTREAM_CRASH_LOOP', -32603, 'circuit_open', false],
    ['UPSTREAM_NOT_CONNECTED', -32603, 'not_connected', true],
    ['CALL_CANCELLED', -32603, 'cancelled', true],
    ['OVERLOADED', -32603, 'overloaded', true],
    ['TOOL_PINNED', -32603, 'pinned', false],
    ['STORE_UNAVAILABLE', -32603, 'store_unavailable', false],
    ['STORE_BUSY', -32603, 'store_unavailable', true],
    ['OUTSIDE_WORKSPACE', -32602, 'outside_workspace', false],
    ['OUTSIDE_PROJECTS', -32602, 'outside_projects', false],
    ['TASK_NOT_FOUND', -32602, 'not_found', false],
    ['JOB_NOT_FOUND', -32602, 'not_found', false],
    ['PATH_PROTECTED', -32602, 'path_protected', false],
    ['FILE_FAILED', -32603, 'file_failed', false],
    ['PROCESS_FAILED', -32603, 'process_failed', false],
    ['COMMAND_DENIED', -32602, 'command_denied', false],
    ['BROWSER_FAILED', -32603, 'browser_failed', false],
    ['ADDRESS_DENIED', -32602, 'address_denied', false],
    ['MODEL_FAILED', -32603, 'model_failed', false],
    ['AGENT_FAILED', -32603, 'agent_failed', false],
    ['IDE_OFFLINE', -32603, 'ide_offline', true],
    ['IDE_FAILED', -32603, 'ide_failed', false],
    ['IDE_SESSION_NOT_FOUND', -32602, 'not_found', false],
    ['BUILD_NOT_FOUND', -32602, 'not_found', false],
    ['KNOWLEDGE_FAILED', -32603, 'knowledge_failed', false],
    ['UNKNOWN_TOOL', -32602, undefined, false],
    ['UNKNOWN_PROMPT', -32602, undefined, false],
    ['UNKNOWN_RESOURCE', -32002, undefined, false],
    ['UNKNOWN_TASK', -32602, undefined, false],
    ['INVALID_ARGUMENTS', -32602, undefined, false],
    ['INVALID_PARAMS', -32602, undefined, false],
    ['SESSION_NEEDED', -32600, 'session_needed', false],
    ['INVALID_REQUEST', -32600, undefined, false],
    ['PARSE_ERROR', -32700, undefined, false],
    ['METHOD_NOT_FOUND', -32601, undefined, false],
    ['INPUT_REFUSED', -32603, 'input_refused', false],
    ['CAPABILITY_MISSING', -32601, 'capability_missing', false],
    ['INTERNAL', -32603, undefined, false],
  ]);
});

test('what is no gateway error is a fault of ours, and its text is told to nobody', () => {
  const thrown = new TypeError('secret detail');
  const error = toGatewayError(thrown);
  expect([error.code, error.cause]).toEqual(['INTERNAL', thrown]);
  expect(error.message).not.toContain('secret');
  const own = new GatewayError('OVERLOADED', 'x');
  expect(toGatewayError(own)).toBe(own);
});
