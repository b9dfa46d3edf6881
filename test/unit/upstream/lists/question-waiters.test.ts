import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import { QuestionWaiters } from '../../../../src/upstream/lists/question-waiters.ts';

test('those who wait for a question before are settled, the others go on waiting', async () => {
  const waiters = new QuestionWaiters();
  const settled: string[] = [];
  const wait = (question: number) =>
    waiters.wait(question).then(
      () => settled.push(`${question} good`),
      ({ message }) => settled.push(`${question} ${message}`),
    );
  const [first, second, third] = [wait(1), wait(2), wait(3)];
  waiters.settleBefore(2, () => undefined);
  await first;
  expect(settled).toEqual(['1 good']);
  waiters.settleBefore(3, () => new GatewayError('UPSTREAM_TIMEOUT', 'late'));
  await second;
  waiters.settleBefore(Number.POSITIVE_INFINITY, () => undefined);
  await third;
  expect(settled).toEqual(['1 good', '2 late', '3 good']);
});

test('where nobody waits for it, nobody is told how it failed', () => {
  const waiters = new QuestionWaiters();
  waiters.settleBefore(5, () => {
    throw new Error('nobody asks');
  });
});
