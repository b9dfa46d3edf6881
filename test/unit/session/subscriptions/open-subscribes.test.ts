import { expect, test } from 'vitest';
import { OpenSubscribes } from '../../../../src/session/subscriptions/open-subscribes.ts';

test('requests for one uri are open until the last of them is answered', () => {
  const open = new OpenSubscribes();
  const [one, two, other] = [open.add('a'), open.add('a'), open.add('b')];
  expect([open.size, [...open.uris()]]).toEqual([3, ['a', 'b']]);
  open.takeBack('a');
  open.takeBack('none');
  expect([one, two, other].map(({ isTakenBack }) => isTakenBack)).toEqual([true, true, false]);
  open.delete('a', one);
  open.delete('a', one);
  open.delete('b', two);
  expect([open.size, open.has('a'), open.has('b')]).toEqual([2, true, true]);
  open.delete('a', two);
  expect([open.size, open.has('a')]).toEqual([1, false]);
});
