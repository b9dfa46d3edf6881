import { expect, test, vi } from 'vitest';
import { GatewayError } from '../../../src/core/errors.ts';
import type { ProviderCall } from '../../../src/core/providers/provider.ts';
import { CallFailures } from '../../../src/workflows/call-failures.ts';

const call = { ownName: 'save', text: { message: { method: 'tools/call' } } } as unknown as ProviderCall;
const noDatabase = new GatewayError('STORE_UNAVAILABLE', 'no database');

test('a workflow is not well after a call without the database, until one succeeds', () => {
  const failures = new CallFailures({ error: vi.fn() });
  expect(failures.health()).toEqual({ ok: true });
  failures.onFailure(new GatewayError('INVALID_PARAMS', 'wrong'));
  expect(failures.health()).toEqual({ ok: true });
  failures.onFailure(noDatabase);
  failures.onFailure(new GatewayError('INVALID_PARAMS', 'wrong'));
  expect(failures.health()).toEqual({ ok: false, detail: 'The last call could not use the database' });
  failures.onSuccess();
  expect(failures.health()).toEqual({ ok: true });
});

test('an error for clients goes to the client as it is, and is not logged', () => {
  const error = vi.fn();
  expect(new CallFailures({ error }).errorOf(call, noDatabase)).toBe(noDatabase);
  expect(error).not.toHaveBeenCalled();
});

test('any other error is logged with the call, and the client gets one of the gateway', () => {
  const error = vi.fn();
  const bug = new TypeError('x is undefined');
  expect(new CallFailures({ error }).errorOf(call, bug)).toBeInstanceOf(GatewayError);
  expect(error).toHaveBeenCalledExactlyOnceWith(
    { error: bug, method: 'tools/call', target: 'save' },
    'something of the gateway itself failed',
  );
});
