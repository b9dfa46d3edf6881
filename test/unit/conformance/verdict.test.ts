import { expect, test } from 'vitest';
import type { Check } from '../../../scripts/conformance/run-suite.ts';
import { isGood, judge } from '../../../scripts/conformance/verdict.ts';

function check(name: string, status: string): Check {
  return { name, status, message: undefined };
}

const because = { reason: 'because', isUnsteady: false };

const BASELINE = [check('a/one', 'SUCCESS'), check('a/two', 'SUCCESS'), check('b/one', 'INFO')];

test('what passes as it does directly is good', () => {
  expect(isGood(judge(BASELINE, {}, BASELINE))).toBe(true);
});

test.each(['FAILURE', 'WARNING', 'INFO', 'SKIPPED'])(
  'a check that passes directly and ends as %s is a loss',
  (status) => {
    const verdict = judge([check('a/one', 'SUCCESS'), check('a/two', status)], {}, BASELINE);
    expect(verdict.losses).toMatchObject([{ name: 'a/two', status, reason: undefined }]);
    expect(isGood(verdict)).toBe(false);
  },
);

test('a check that is not made any more is a loss', () => {
  expect(judge([check('a/one', 'SUCCESS')], {}, BASELINE).losses).toMatchObject([{ name: 'a/two', status: 'missing' }]);
});

test('one failure among several checks of a name is a loss', () => {
  const found = [...BASELINE, check('a/one', 'FAILURE')];
  expect(judge(found, {}, BASELINE).losses).toMatchObject([{ name: 'a/one', status: 'FAILURE' }]);
});

test('what fails directly, too, may not fail unnoticed', () => {
  const found = [check('a/one', 'FAILURE')];
  expect(isGood(judge(found, {}, found))).toBe(false);
});

test('a reason for a check or for its whole scenario makes a loss good', () => {
  const found = [check('a/one', 'FAILURE'), check('a/two', 'SUCCESS')];
  expect(isGood(judge(found, { 'a/one': because }, BASELINE))).toBe(true);
  expect(isGood(judge(found, { a: because }, BASELINE))).toBe(true);
});

test('an expected loss that does not happen is stale', () => {
  const verdict = judge(BASELINE, { 'a/one': because, a: because }, BASELINE);
  expect(verdict.stale).toEqual(['a/one', 'a']);
  expect(isGood(verdict)).toBe(false);
});

test('an unsteady check may fail and may pass', () => {
  const expected = { 'a/one': { ...because, isUnsteady: true } };
  expect(isGood(judge([check('a/one', 'FAILURE'), check('a/two', 'SUCCESS')], expected, BASELINE))).toBe(true);
  expect(isGood(judge(BASELINE, expected, BASELINE))).toBe(true);
});
