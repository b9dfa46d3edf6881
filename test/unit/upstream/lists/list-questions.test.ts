import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListQuestions } from '../../../../src/upstream/lists/list-questions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const aborted = (...questions: AbortController[]) => questions.map(({ signal }) => signal.aborted);

test('the first question stays, of the later ones the newest', () => {
  const questions = new ListQuestions();
  const [first, second, third] = [questions.begin(), questions.begin(), questions.begin()];
  expect([questions.count, aborted(first, second, third)]).toEqual([3, [false, true, false]]);
  questions.abort();
  expect(aborted(first, second, third)).toEqual([true, true, true]);
});

test('a question that is answered is not given up later', () => {
  const questions = new ListQuestions();
  const [first, second] = [questions.begin(), questions.begin()];
  expect([questions.end(first), questions.end(second), questions.end(second)]).toEqual([false, true, false]);
  questions.abort();
  expect(aborted(first, second)).toEqual([false, false]);
});

test('what is aborted is forgotten, and the next question is the first again', () => {
  const questions = new ListQuestions();
  const before = questions.begin();
  questions.abort();
  const [first, second] = [questions.begin(), questions.begin()];
  expect([aborted(before, first, second), questions.count]).toEqual([[true, false, false], 3]);
});

test('where the newest has failed, the one that is left is the newest', () => {
  const questions = new ListQuestions();
  const [first, second] = [questions.begin(), questions.begin()];
  questions.end(second);
  expect([questions.notePage(first), questions.end(first)]).toEqual([true, true]);
});

test('a question and each of its pages is a sign of life, unless there is a newer question', () => {
  const questions = new ListQuestions();
  const begun = performance.now();
  const first = questions.begin();
  expect(questions.signAt).toBe(begun);
  vi.advanceTimersByTime(10);
  expect([questions.notePage(first), questions.signAt - begun]).toEqual([true, 10]);
  vi.advanceTimersByTime(10);
  questions.begin();
  vi.advanceTimersByTime(10);
  expect([questions.notePage(first), questions.signAt - begun]).toEqual([false, 20]);
});
