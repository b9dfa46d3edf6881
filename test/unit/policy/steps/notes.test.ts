import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteBudgets, withoutValues } from '../../../../src/policy/steps/notes.ts';
import type { Problem } from '../../../../src/schema/arguments-validator.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** The number of notes that may be taken of an upstream at once, of twenty. */
const taken = (mayNote: (upstream: string) => boolean, upstream: string) =>
  Array.from({ length: 20 }, () => mayNote(upstream)).filter(Boolean).length;

test('ten notes a second are taken of each upstream, however many the others have', () => {
  const mayNote = noteBudgets();
  expect([taken(mayNote, 'a'), taken(mayNote, 'a'), taken(mayNote, 'b')]).toEqual([10, 0, 10]);
  vi.advanceTimersByTime(500);
  expect([taken(mayNote, 'a'), taken(mayNote, 'b')]).toEqual([5, 5]);
});

test('those of one policy cost another policy nothing', () => {
  const [one, other] = [noteBudgets(), noteBudgets()];
  expect([taken(one, 'a'), taken(other, 'a')]).toEqual([10, 10]);
});

const problem = (message: string) => ({ message }) as Problem;

test('the values of the caller are left out, also those of several lines', () => {
  const problems = [problem('`a` must be a number, but received "a\nsecret, of two lines"'), problem('`b` is missing')];
  expect(withoutValues(problems)).toBe('`a` must be a number; `b` is missing');
  expect(withoutValues([])).toBe('');
});
