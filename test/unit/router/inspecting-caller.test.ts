import { expect, it, vi } from 'vitest';
import { GatewayError } from '../../../src/core/errors.ts';
import type { Caller } from '../../../src/core/providers/provider.ts';
import { InspectingCaller } from '../../../src/router/inspecting-caller.ts';
import { resultReply } from '../../../src/wire/reply.ts';

const target = () => ({ onReply: vi.fn(), onFailure: vi.fn(), ask: vi.fn() });

it('shows an answer to the last inspection first, and passes on what the first one makes of it', () => {
  const to = target();
  const [sent, second, first] = [1, 2, 3].map(resultReply) as [object, object, object];
  const seen: unknown[] = [];
  const caller = new InspectingCaller(to as unknown as Caller, [
    (reply) => {
      seen.push(['first', reply]);
      return first as never;
    },
    (reply) => {
      seen.push(['second', reply]);
      return second as never;
    },
  ]);
  caller.onReply(sent as never);
  expect(seen).toEqual([
    ['second', sent],
    ['first', second],
  ]);
  expect(to.onReply.mock.calls).toEqual([[first]]);
});

it('passes on failures and questions as they are', () => {
  const to = target();
  const withdraw = () => undefined;
  to.ask.mockReturnValue(withdraw);
  const inspect = vi.fn();
  const caller = new InspectingCaller(to as unknown as Caller, [inspect]);
  const error = new GatewayError('CALL_CANCELLED', 'ended');
  const ask = {} as never;
  caller.onFailure(error);
  expect(caller.ask(ask)).toBe(withdraw);
  expect([to.onFailure.mock.calls, to.ask.mock.calls]).toEqual([[[error]], [[ask]]]);
  expect(inspect).not.toHaveBeenCalled();
});
