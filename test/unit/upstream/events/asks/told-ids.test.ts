import { expect, test } from 'vitest';
import { ToldIds } from '../../../../../src/upstream/events/asks/told-ids.ts';

test('an id stays as it is, unless the client knows it from another upstream', () => {
  const ids = new ToldIds();
  const tell = (upstream: string, ownId: string, sessionId = 'A') => ids.tell(sessionId, { upstream, ownId });
  expect([tell('a', '1'), tell('b', '1'), tell('a', '1'), tell('b', '1')]).toEqual(['1', 'b/1', '1', 'b/1']);
  expect(tell('c', 'b/1')).toBe('c/b/1');
  expect(tell('b', '1', 'B')).toBe('1');
  ids.forget('A');
  expect(tell('b', '1')).toBe('1');
});

test('of one client the 256 newest ids are known, and of the 2,000 clients that were told last', () => {
  const ids = new ToldIds();
  const isKnown = (ownId: string, sessionId = 'A') => ids.tell(sessionId, { upstream: 'b', ownId }) !== ownId;
  for (let count = 0; count < 256; count++) ids.tell('A', { upstream: 'a', ownId: `${count}` });
  ids.tell('A', { upstream: 'a', ownId: '0' });
  expect(isKnown('1')).toBe(true);
  ids.forget('A');
  for (let count = 0; count < 256; count++) ids.tell('A', { upstream: 'a', ownId: `${count}` });
  ids.tell('A', { upstream: 'a', ownId: '0' });
  ids.tell('A', { upstream: 'a', ownId: 'new' });
  expect([isKnown('0'), isKnown('1')]).toEqual([true, false]);
  const told = new ToldIds();
  for (let count = 0; count < 2_000; count++) told.tell(`s${count}`, { upstream: 'a', ownId: 'x' });
  const tell = (sessionId: string) => told.tell(sessionId, { upstream: 'b', ownId: 'x' });
  expect(tell('s0')).toBe('b/x');
  told.tell('one more', { upstream: 'a', ownId: 'x' });
  expect([tell('s0'), tell('s1')]).toEqual(['b/x', 'x']);
});

test('an id that is taken in both spellings gets a number', () => {
  const ids = new ToldIds();
  const tell = (upstream: string, ownId: string) => ids.tell('A', { upstream, ownId });
  tell('a', '1');
  tell('a', 'b/1');
  expect([tell('b', '1'), tell('b', '1')]).toEqual(['b/2/1', 'b/2/1']);
  // The same id of another upstream, under the name that this one would get.
  expect(tell('a', '1')).toBe('1');
});
