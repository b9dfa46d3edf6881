import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import type { ProviderCall } from '../../../../src/core/providers/provider.ts';
import { callWhenChosen } from '../../../../src/upstream/sharing/call-when-chosen.ts';
import { callOf, KeepingCaller } from '../calls.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const caller = new KeepingCaller('A');
  const call = callOf('one', '{}', caller);
  const calls: ProviderCall[] = [];
  const cancelled: (string | undefined)[] = [];
  const target = {
    call: (made: ProviderCall) => {
      calls.push(made);
      return { cancel: (reason?: string) => void cancelled.push(reason) };
    },
  };
  return { caller, call, calls, cancelled, target };
}

test('a call is made where it was chosen to be made, and cancelled there', async () => {
  const { call, calls, cancelled, target } = open();
  const running = callWhenChosen(call, async () => target);
  expect(calls).toEqual([]);
  await settled();
  expect(calls).toEqual([call]);
  running.cancel('"enough"');
  expect(cancelled).toEqual(['"enough"']);
});

test('a call that is cancelled before is not made, and whoever chooses hears of that', async () => {
  const { call, caller, calls, target } = open();
  let signal: AbortSignal | undefined;
  const running = callWhenChosen(call, async (given) => {
    signal = given;
    return target;
  });
  running.cancel();
  await settled();
  expect([calls, signal?.aborted, caller.failures]).toEqual([[], true, []]);
});

test('a call fails where the choice fails, unless it was cancelled', async () => {
  const { call, caller } = open();
  const choose = async () => {
    throw new GatewayError('UPSTREAM_NOT_CONNECTED', 'no folder');
  };
  callWhenChosen(call, choose);
  callWhenChosen(call, choose).cancel();
  await settled();
  expect(caller.failures.map(({ message }) => message)).toEqual(['no folder']);
});
