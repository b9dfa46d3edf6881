import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import type { ClientAsk } from '../../../../src/core/providers/provider.ts';
import { InputRounds } from '../../../../src/upstream/calls/rounds.ts';
import { errorReply, openReply, resultReply } from '../../../../src/wire/reply.ts';
import { callOf, KeepingCaller, NO_ELICITATIONS } from '../calls.ts';

/** A client whose answers are the test's. */
class AskedCaller extends KeepingCaller {
  readonly asks: ClientAsk[] = [];
  readonly withdrawn: string[] = [];
  /** Called with each question while it is being asked. */
  onAsk: (ask: ClientAsk) => void = () => undefined;

  override ask(ask?: ClientAsk): () => void {
    const { method } = ask!.message;
    this.asks.push(ask!);
    this.onAsk(ask!);
    return (reason?: string) => void this.withdrawn.push(`${method}: ${reason}`);
  }
}

const roots = { method: 'roots/list' };
const elicitation = { method: 'elicitation/create', params: { message: 'name?' } };

/** A call of which the test plays the modern server; `end` is how its owner ends it. */
function setup() {
  const caller = new AskedCaller('client');
  const call = callOf('one', '{"a":1}', caller);
  const sent: unknown[] = [];
  const failures: string[] = [];
  const rounds = new InputRounds({
    upstream: 'up',
    elicitations: NO_ELICITATIONS,
    call,
    resend: (edits) => void sent.push(JSON.parse(call.text.message.frame.splice(edits).toString()).params),
    fail: (error) => {
      failures.push(`${error.code} ${error.message}`);
      rounds.withdraw('over');
    },
  });
  const begin = (inputRequests?: object, requestState?: string) =>
    rounds.begin(openReply(resultReply({ inputRequests, requestState })));
  const answer = (index: number, result: object = { ok: index }) => caller.asks[index]!.onAnswer(resultReply(result));
  return { caller, sent, failures, rounds, begin, answer };
}

const base = { name: 'one', arguments: { a: 1 } };

describe('a modern server that needs input for the call of a legacy client', () => {
  test('gets the call again once all its questions are answered, under its own names', () => {
    const { caller, sent, begin, answer } = setup();
    begin({ 'k"1': elicitation, k2: roots }, 'state');
    expect(caller.asks.map(({ message }) => message.method)).toEqual(['elicitation/create', 'roots/list']);
    answer(1);
    expect(sent).toEqual([]);
    answer(0);
    expect(sent).toEqual([{ ...base, inputResponses: { 'k"1': { ok: 0 }, k2: { ok: 1 } }, requestState: 'state' }]);
  });

  test('gets it again at once where it asks nothing', () => {
    const { caller, sent, begin } = setup();
    begin({}, 'state');
    expect([caller.asks, sent]).toEqual([[], [{ ...base, requestState: 'state' }]]);
  });

  test('gets it again once only, also where a question is answered twice', () => {
    const { sent, begin, answer } = setup();
    begin({ k: roots });
    answer(0);
    answer(0);
    expect(sent).toHaveLength(1);
  });

  test('may ask eight times, and not once more', () => {
    const { sent, failures, begin } = setup();
    for (let round = 0; round < 8; round++) begin({}, 'state');
    expect([sent.length, failures]).toEqual([8, []]);
    begin({}, 'state');
    expect([sent.length, failures]).toEqual([
      8,
      ['UPSTREAM_INVALID_ANSWER up: it still asks for input after 8 rounds'],
    ]);
  });

  test.each([
    ['nothing at all', undefined, 'it requires input and asks for none'],
    ['no request', { k: 5 }, '"inputRequests" has a member that is not a request: k'],
    [
      'a URL whose id is too long',
      {
        k: {
          method: 'elicitation/create',
          params: { mode: 'url', url: 'https://x', elicitationId: 'i'.repeat(1_025) },
        },
      },
      '',
    ],
  ])('fails with an invalid answer where it asks for %s', (_what, inputRequests, problem) => {
    const { caller, failures, sent, begin } = setup();
    begin(inputRequests);
    expect(failures).toEqual([expect.stringMatching(/^UPSTREAM_INVALID_ANSWER up: invalid answer: /)]);
    expect(failures[0]).toContain(problem);
    expect([caller.asks, sent]).toEqual([[], []]);
  });
});

describe('a client that does not answer the questions of its call', () => {
  test('with an error: the call fails, and the other questions are withdrawn', () => {
    const { caller, failures, sent, begin } = setup();
    begin({ a: elicitation, b: roots });
    caller.asks[0]!.onAnswer(errorReply({ code: -1, message: 'no time' }));
    expect(failures).toEqual([expect.stringContaining('INPUT_REFUSED')]);
    expect(failures[0]).toContain('the client answered elicitation/create with an error: no time');
    expect([caller.withdrawn, sent]).toEqual([['roots/list: over'], []]);
  });

  test('because it cannot be asked: the call fails, and nothing else is asked', () => {
    const { caller, failures, begin } = setup();
    caller.onAsk = (ask) => ask.onFailure(new GatewayError('CAPABILITY_MISSING', 'It cannot.'));
    begin({ a: elicitation, b: roots });
    expect(failures).toEqual([expect.stringContaining('it asks for elicitation/create. It cannot.')]);
    expect(caller.asks).toHaveLength(1);
    expect(caller.withdrawn).toEqual(['elicitation/create: up has no use for it any more']);
  });

  test('and fails twice: the call fails once', () => {
    const { caller, failures, begin } = setup();
    begin({ a: roots });
    for (let time = 0; time < 2; time++) caller.asks[0]!.onFailure(new GatewayError('CALL_CANCELLED', 'gone'));
    expect(failures).toHaveLength(1);
  });

  test('before the call is over: each open question is withdrawn once, those that are answered are not', () => {
    const { caller, rounds, begin, answer } = setup();
    begin({ a: elicitation, b: roots });
    answer(0);
    rounds.withdraw('cancelled');
    rounds.withdraw('again');
    expect(caller.withdrawn).toEqual(['roots/list: cancelled']);
  });

  test('an answer that comes while it is being asked counts', () => {
    const { caller, sent, rounds, begin } = setup();
    caller.onAsk = (ask) => ask.onAnswer(resultReply({}));
    begin({ a: roots });
    expect(sent).toEqual([{ ...base, inputResponses: { a: {} } }]);
    rounds.withdraw('over');
    expect(caller.withdrawn).toEqual([]);
  });
});
