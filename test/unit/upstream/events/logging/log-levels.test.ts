import { expect, test } from 'vitest';
import { LogLevels } from '../../../../../src/upstream/events/logging/log-levels.ts';

test('the upstream is asked for the most talkative level that a client wants', () => {
  const levels = new LogLevels();
  expect(levels.wanted()).toBeUndefined();
  levels.set('A', 'error');
  expect(levels.wanted()).toBe('error');
  levels.set('B', 'debug');
  expect(levels.wanted()).toBe('debug');
  levels.set('B', 'emergency');
  expect(levels.wanted()).toBe('error');
  levels.set('A', 'no such level');
  expect(levels.wanted()).toBe('error');
  expect(levels.remove('A')).toBe(true);
  expect(levels.wanted()).toBe('emergency');
  levels.set('C', 'emergency');
  expect(levels.remove('C')).toBe(false);
  levels.remove('B');
  levels.remove('B');
  expect(levels.wanted()).toBeUndefined();
});

test('a client that names its level with each call makes the upstream more talkative, never less', () => {
  const levels = new LogLevels();
  expect([levels.raise('no such level'), levels.wanted()]).toEqual([false, undefined]);
  expect([levels.raise('error'), levels.wanted()]).toEqual([true, 'error']);
  expect([levels.raise('error'), levels.raise('critical'), levels.wanted()]).toEqual([false, false, 'error']);
  expect([levels.raise('debug'), levels.wanted()]).toEqual([true, 'debug']);
});
