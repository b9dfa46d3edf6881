import { expect, test } from 'vitest';
import { OpenSubscribes } from '../../../../src/session/subscriptions/open-subscribes.ts';

test('counts the requests, several of one uri too', () => {
  const open = new OpenSubscribes();
  const [one, other] = [open.add('u'), open.add('u')];
  open.add('v');
  expect([open.size, [...open.uris()]]).toEqual([3, ['u', 'v']]);
  open.delete('u', one);
  open.delete('u', one);
  expect([open.size, open.has('u')]).toEqual([2, true]);
  open.delete('u', other);
  expect([open.size, open.has('u'), open.has('v')]).toEqual([1, false, true]);
});

test('takes back the open requests of one uri', () => {
  const open = new OpenSubscribes();
  const [one, other, kept] = [open.add('u'), open.add('u'), open.add('v')];
  open.takeBack('u');
  open.takeBack('unknown');
  expect([one.isTakenBack, other.isTakenBack, kept.isTakenBack, open.add('u').isTakenBack]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
