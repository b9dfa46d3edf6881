import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/telemetry/log.ts';
import { RefusalLog } from '../../../src/telemetry/refusal-log.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('twenty lines a second, then a count of what was left out, then lines again', () => {
  const lines: string[] = [];
  const refusals = new RefusalLog(createLog({ level: 'info', destination: { write: (line) => lines.push(line) } }));
  for (let index = 0; index < 50; index++) refusals.note(403, 'no');
  expect(lines).toHaveLength(20);
  expect(JSON.parse(lines[0]!)).toMatchObject({ event: 'refused', status: 403, reason: 'no' });
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(21);
  expect(JSON.parse(lines[20]!)).toMatchObject({ event: 'refused', leftOut: 30 });
  refusals.note(404, 'again');
  expect(lines).toHaveLength(22);
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(22);
});
