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
