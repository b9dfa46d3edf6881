import { expect, test } from 'vitest';
import { ProcessPlaces } from '../../../../src/upstream/sharing/process-places.ts';
import { ProcessQuota } from '../../../../src/upstream/sharing/process-quota.ts';

const takeAll = (places: ProcessPlaces) => {
  const taken: (() => void)[] = [];
  for (let leave = places.take(undefined); leave !== undefined; leave = places.take(undefined)) taken.push(leave);
  return taken;
};

test('one upstream gets 64 places, and others find the rest of those of all', () => {
  const all = new ProcessQuota(100);
  const [one, other] = [new ProcessPlaces(all), new ProcessPlaces(all)];
  expect([takeAll(one).length, takeAll(other).length]).toEqual([64, 36]);
});

test('a place that is given back is free for this upstream and for others', () => {
  const all = new ProcessQuota(2);
  const [one, other] = [new ProcessPlaces(all), new ProcessPlaces(all)];
  const [leave] = takeAll(one);
  expect(takeAll(other)).toEqual([]);
  leave!();
  const [again] = takeAll(other);
  expect(takeAll(one)).toEqual([]);
  again!();
  expect(takeAll(one)).toHaveLength(1);
});

test('where there is none of those of all, none of its own is lost', () => {
  const all = new ProcessQuota(1);
  const places = new ProcessPlaces(all);
  const leave = all.take(undefined)!;
  for (let tries = 0; tries < 100; tries++) expect(places.take(undefined)).toBeUndefined();
  leave();
  expect(takeAll(places)).toHaveLength(1);
});
