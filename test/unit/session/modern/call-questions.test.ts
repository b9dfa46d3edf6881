import { expect, test } from 'vitest';
import { CallQuestions } from '../../../../src/session/modern/call-questions.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import type { RequestMessage } from '../../../../src/wire/message.ts';
import { read } from '../modern-setup.ts';

/** A question that notes its outcome. */
function question(outcomes: string[], name: string, method = 'roots/list') {
  return {
    message: read<RequestMessage>(`{"jsonrpc":"2.0","id":7,"method":"${method}"}`),
    onAnswer: (answer: { withId(id: string): unknown }) =>
      void outcomes.push(`${name} ${JSON.parse(toBuffer(answer.withId('0') as never).toString()).result.roots.length}`),
    onFailure: ({ code }: { code: string }) => void outcomes.push(`${name} ${code}`),
  };
}

/** Answers as a retry brings them, by their keys. */
function answers(...keys: readonly string[]) {
  const text = Buffer.from('{"roots":[]}');
  return [text, new Map(keys.map((key) => [key, { start: 0, end: text.length }]))] as const;
}

test('only what was sent is answered, each once', () => {
  const outcomes: string[] = [];
  const questions = new CallQuestions();
  const key = questions.add(question(outcomes, 'a'));
  expect(questions.answer(...answers(key))).toBe(false);
  expect([outcomes, questions.size]).toEqual([[], 1]);
  expect([...questions.send().keys()]).toEqual([key]);
  expect(questions.answer(...answers(key, 'unknown'))).toBe(false);
  expect(questions.answer(...answers(key))).toBe(false);
  expect([outcomes, questions.size]).toEqual([['a 0'], 0]);
});

test('a question that was sent and has no answer is missing; one that came meanwhile is not', () => {
  const outcomes: string[] = [];
  const questions = new CallQuestions();
  const [one, other] = [questions.add(question(outcomes, 'a')), questions.add(question(outcomes, 'b'))];
  questions.send();
  questions.add(question(outcomes, 'late'));
  expect(questions.answer(...answers(one))).toBe(true);
  expect(questions.answer(...answers(other))).toBe(false);
  expect([outcomes, questions.size]).toEqual([['a 0', 'b 0'], 1]);
});

test('an answer of another form is a problem', () => {
  const questions = new CallQuestions();
  const roots = questions.add(question([], 'a'));
  const key = questions.add(question([], 'b', 'elicitation/create'));
  expect(questions.problemWith(...answers(roots))).toBeUndefined();
  expect(questions.problemWith(...answers(roots, key))).toContain(`"${key}"`);
});

test('what is withdrawn gets no answer, and the others fail when they are dropped', () => {
  const outcomes: string[] = [];
  const questions = new CallQuestions();
  questions.withdraw(questions.add(question(outcomes, 'a')));
  questions.add(question(outcomes, 'b'));
  questions.drop();
  questions.drop();
  expect([outcomes, questions.size]).toEqual([['b CALL_CANCELLED'], 0]);
});
