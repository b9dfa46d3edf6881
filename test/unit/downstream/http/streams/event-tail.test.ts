import { expect, test } from 'vitest';
import { EventTail } from '../../../../../src/downstream/http/streams/event-tail.ts';

const KIB = 1024;

test('a new connection gets what no connection got, a returning one what came after its last event', () => {
  const tail = new EventTail('s');
  expect(tail.nextId).toBe('s_1');
  tail.add('a', true);
  tail.add('b', false);
  tail.add('c', false);
  expect(tail.take()).toEqual(['b', 'c']);
  expect(tail.take()).toEqual([]);
  expect([tail.take(0), tail.take(1), tail.take(3)]).toEqual([['a', 'b', 'c'], ['b', 'c'], []]);
  expect(tail.nextId).toBe('s_4');
});

test('a client can go on where no event after its last one was dropped', () => {
  const tail = new EventTail('s');
  for (let count = 0; count < 257; count++) tail.add('x', true);
  expect([0, 1, 257, 258].map((sequence) => tail.reaches(sequence))).toEqual([false, true, true, false]);
  expect([tail.isNewest(257), tail.isNewest(256), tail.take(0).length]).toEqual([true, false, 256]);
});

test('large events push out older ones, but the newest is kept whatever its size', () => {
  const tail = new EventTail('s');
  tail.add('x'.repeat(3 * KIB * KIB), true);
  tail.add('y'.repeat(2 * KIB * KIB), true);
  expect([tail.bytes, tail.reaches(0), tail.reaches(1)]).toEqual([2 * KIB * KIB, false, true]);
  tail.add('z'.repeat(5 * KIB * KIB), true);
  expect([tail.bytes, tail.take(2).length]).toEqual([5 * KIB * KIB, 1]);
});

test('what is forgotten is gone, and the numbers go on', () => {
  const tail = new EventTail('s');
  tail.add('a', false);
  tail.forget();
  expect([tail.bytes, tail.take(0), tail.nextId, tail.reaches(0), tail.reaches(1)]).toEqual([
    0,
    [],
    's_2',
    false,
    true,
  ]);
});
