import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import { StderrTail } from '../../../../src/upstream/connection/stderr-tail.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open(level: 'debug' | 'info' = 'debug') {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level, destination: { write: (line) => lines.push(JSON.parse(line)) } });
  return { tail: new StderrTail(log, (text) => text.replace('hidden', '***')), lines };
}

test('the newest ten lines are shown, without secrets', () => {
  const { tail } = open();
  for (let line = 0; line < 20; line++) tail.push(`line ${line} hidden`);
  expect(tail.last()).toEqual(Array.from({ length: 10 }, (_, index) => `line ${index + 10} ***`));
});

test('a flood of lines is logged in part, and what was left out is counted', () => {
  const { tail, lines } = open();
  for (let line = 0; line < 1_000; line++) tail.push('x');
  expect(lines).toHaveLength(100);
  vi.advanceTimersByTime(1_000);
  tail.push('y');
  expect(lines.slice(100)).toMatchObject([
    { event: 'stderr-dropped', lines: 900 },
    { event: 'stderr', line: 'y' },
  ]);
});

test('long lines count by their length', () => {
  const { tail, lines } = open();
  for (let line = 0; line < 50; line++) tail.push('x'.repeat(4_000));
  expect(lines).toHaveLength(8);
});

test('each second has room for as many lines again, and tells of what was left out in the one before', () => {
  const { tail, lines } = open();
  const pushed = (count: number, length: number) => {
    lines.length = 0;
    for (let line = 0; line < count; line++) tail.push('x'.repeat(length));
    vi.advanceTimersByTime(1_000);
    return [lines.filter(({ event }) => event === 'stderr').length, lines[0]!.lines];
  };
  expect([pushed(50, 4_000), pushed(50, 4_000), pushed(110, 1), pushed(110, 1), pushed(1, 1), pushed(1, 1)]).toEqual([
    [8, undefined],
    [8, 42],
    [100, 42],
    [100, 10],
    [1, 10],
    [1, undefined],
  ]);
});

test('nothing is logged where the level is above', () => {
  const { tail, lines } = open('info');
  tail.push('x');
  expect([lines, tail.last()]).toEqual([[], ['x']]);
});

test('the last words are those of the process that was started last', () => {
  const { tail, lines } = open('info');
  tail.push('old');
  tail.onStarting();
  expect(tail.lastOfAttempt()).toEqual([]);
  tail.push('new hidden');
  expect(tail.lastOfAttempt()).toEqual(['new ***']);
  expect(tail.wordsFor({})).toBe('Its standard error ended with: new ***');
  tail.logLast('u');
  expect(lines).toMatchObject([{ event: 'last-words', stderr: ['new ***'] }]);
});

test('a client that has proved who it is hears nothing of the time after the handshake', () => {
  const { tail } = open();
  tail.onStarting();
  tail.push('reads its config');
  expect(tail.wordsFor({ principal: 'p' })).toContain('reads its config');
  tail.onConnected();
  tail.push('query of somebody');
  expect(tail.wordsFor({ principal: 'p' })).toBe('');
  expect(tail.wordsFor({ principal: '' })).toContain('query of somebody');
  expect(tail.lastOfStart()).toEqual([]);
  tail.onStarting();
  tail.push('reads it again');
  expect([tail.lastOfStart(), tail.wordsFor({ principal: 'p' })]).toEqual([
    ['reads it again'],
    expect.stringContaining('reads it again'),
  ]);
});
