import { expect, test } from 'vitest';
import { ProcessQuota } from '../../../../src/upstream/sharing/process-quota.ts';

test('one principal gets half of the places, and others find the rest', () => {
  const quota = new ProcessQuota(4);
  const ofMallory = [1, 2, 3].map(() => quota.take('mallory'));
  expect(ofMallory.map((leave) => leave !== undefined)).toEqual([true, true, false]);
  expect([quota.take('alice'), quota.take('bob'), quota.take('carol')].map((leave) => leave !== undefined)).toEqual([
    true,
    true,
    false,
  ]);
});

test('where nobody has to prove who he is, all places can be had', () => {
  const quota = new ProcessQuota(2);
  expect([1, 2, 3].map(() => quota.take(undefined) !== undefined)).toEqual([true, true, false]);
});

test('a place that is given back twice is free once', () => {
  const quota = new ProcessQuota(2);
  const [leave] = [quota.take(undefined)!, quota.take(undefined)!];
  leave();
  leave();
  expect([1, 2].map(() => quota.take(undefined) !== undefined)).toEqual([true, false]);
});
