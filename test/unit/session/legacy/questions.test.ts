import { expect, test } from 'vitest';
import type { ClientAsk } from '../../../../src/core/providers/provider.ts';
import type { RequestMessage, ResponseMessage } from '../../../../src/wire/message.ts';
import { Asked, read } from '../modern-setup.ts';
import { legacyParts } from './setup.ts';

const QUESTION = '{"jsonrpc":"2.0","id":7,"method":"roots/list"}';

/** A question of an upstream, and what became of it. */
function question() {
  const outcomes: string[] = [];
  const ask: ClientAsk = {
    message: read<RequestMessage>(QUESTION),
    onAnswer: ({ outcome }) => outcomes.push(outcome),
    onFailure: ({ code }) => outcomes.push(code),
    onProgress: () => undefined,
  };
  return { ask, outcomes };
}

function able(isListening = true) {
  const parts = legacyParts({ isListening: () => isListening });
  parts.introduction.introduce('2025-11-25', { capabilities: { roots: {} }, clientInfo: {} });
  return parts;
}

test('a question travels on the exchange of its call, and the answer comes back', () => {
  const { questions, sent } = able();
  const { ask, outcomes } = question();
  const exchange = new Asked(1);
  questions.ask(ask, exchange);
  expect([exchange.events.map(({ method }) => method), sent]).toEqual([['roots/list'], []]);
  const answer = { jsonrpc: '2.0', id: exchange.events[0]!.id, result: { roots: [] } };
  const response = read<ResponseMessage>(JSON.stringify(answer));
  expect([questions.onResponse(response), questions.onResponse(response)]).toEqual([true, false]);
  expect(outcomes).toEqual(['result']);
});

test('without a call, or where its exchange takes only answers, it travels on the way of the client', () => {
  const { questions, sent } = able();
  questions.ask(question().ask);
  const exchange = Object.assign(new Asked(1), { takesOnlyAnswers: true });
  questions.ask(question().ask, exchange);
  expect([sent.length, exchange.events]).toEqual([2, []]);
});

test('a client that cannot be reached, or has not declared that it answers, fails the question', () => {
  const { ask, outcomes } = question();
  const { questions, sent } = able(false);
  questions.ask(ask, Object.assign(new Asked(1), { takesOnlyAnswers: true }));
  legacyParts().questions.ask(ask, new Asked(1));
  expect([outcomes, sent]).toEqual([['CAPABILITY_MISSING', 'CAPABILITY_MISSING'], []]);
});

test('once the client has gone, open questions fail, and new ones at once', () => {
  const { questions, sent } = able();
  const [open, late] = [question(), question()];
  const exchange = new Asked(1);
  questions.ask(open.ask, exchange);
  questions.end();
  questions.ask(late.ask, exchange);
  expect([open.outcomes, late.outcomes]).toEqual([['CALL_CANCELLED'], ['CALL_CANCELLED']]);
  expect([exchange.events.length, sent]).toEqual([1, []]);
});
