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
