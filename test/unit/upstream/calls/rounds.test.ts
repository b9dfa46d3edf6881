import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import type { ClientAsk } from '../../../../src/core/providers/provider.ts';
import { InputRounds } from '../../../../src/upstream/calls/rounds.ts';
import { openReply, resultReply } from '../../../../src/wire/reply.ts';
import { callOf, KeepingCaller, NO_ELICITATIONS } from '../calls.ts';

/** A client that keeps what it is asked, and what is taken back. */
class AskedCaller extends KeepingCaller {
  readonly asks: ClientAsk[] = [];
  readonly withdrawn: string[] = [];
  /** The reason why it cannot be asked. */
  refusal: GatewayError | undefined;

  override ask(ask?: ClientAsk): (reason?: string) => void {
    this.asks.push(ask!);
    if (this.refusal !== undefined) ask!.onFailure(this.refusal);
    return (reason) => void this.withdrawn.push(reason!);
  }
}

function open() {
  const caller = new AskedCaller('A');
  const failures: string[] = [];
  const resent: number[] = [];
  const rounds: InputRounds = new InputRounds({
    upstream: 'up',
    elicitations: NO_ELICITATIONS,
    call: callOf('t', '{}', caller),
    resend: (edits) => resent.push(edits.length),
    fail: (error) => {
      failures.push(error.code);
      rounds.withdraw('the call is over');
    },
  });
  return { caller, failures, resent, rounds };
}

/** A result that asks for the roots as often as there are keys. */
const asking = (...keys: readonly string[]) =>
  openReply(
    resultReply({
      resultType: 'input_required',
      inputRequests: Object.fromEntries(keys.map((key) => [key, { method: 'roots/list' }])),
    }),
  );

test('a call is sent again once the last question of its round is answered', () => {
  const { caller, failures, resent, rounds } = open();
  rounds.begin(asking('a', 'b'));
  caller.asks[1]!.onAnswer(resultReply({ roots: [] }));
  expect(resent).toEqual([]);
  caller.asks[0]!.onAnswer(resultReply({ roots: [] }));
  expect(resent).toHaveLength(1);
  expect([failures, caller.withdrawn]).toEqual([[], []]);
});

test('a client that cannot be asked one question of a round is not asked the others', () => {
  const { caller, failures, rounds } = open();
  caller.refusal = new GatewayError('CAPABILITY_MISSING', 'The client does not support roots');
  rounds.begin(asking('a', 'b', 'c'));
  expect(failures).toEqual(['CAPABILITY_MISSING']);
  expect(caller.asks).toHaveLength(1);
});

test('the questions that are open are taken back when another one of the round fails', () => {
  const { caller, failures, rounds } = open();
  rounds.begin(asking('a', 'b'));
  caller.asks[0]!.onFailure(new GatewayError('CALL_CANCELLED', 'The client has disconnected'));
  expect(failures).toEqual(['CALL_CANCELLED']);
  expect(caller.withdrawn).toEqual(['the call is over']);
});
