import { expect, test } from 'vitest';
import { isDown, lastWordsOf } from '../../../../src/core/refusals/last-words.ts';

test('the last three lines are quoted on one line', () => {
  expect(lastWordsOf(['one', 'two', '', '  three\tand  more ', 'four'])).toBe(
    'Its standard error ended with: two | three and more | four',
  );
});

test('nothing is said where there are no lines, or only empty ones', () => {
  expect(lastWordsOf([])).toBe('');
  expect(lastWordsOf(['', ' \t'])).toBe('');
});

test('long lines are cut, and escapes of terminals removed', () => {
  expect(lastWordsOf([`\u001b[31m${'x'.repeat(10_000)}\u0007`])).toBe(
    `Its standard error ended with: ${'x'.repeat(199)}…`,
  );
});

test.each([
  ['ready', undefined, false],
  ['idle', undefined, false],
  ['stopped', undefined, false],
  ['stopped', 'process exited (code 1)', true],
  ['backoff', undefined, true],
  ['failed', 'x', true],
])('an upstream that is %s (%s) is down: %s', (state, lastError, down) => {
  expect(isDown({ state, ...(lastError !== undefined && { lastError }) })).toBe(down);
});
