import { expect, onTestFinished, test, vi } from 'vitest';
import { localDay, readTimestamp, timestampNow } from '../../../../src/workflows/metrics/timestamp.ts';

test.each([
  ['2026-02-20T14:54:05Z', Date.UTC(2026, 1, 20, 14, 54, 5)],
  ['2026-02-20T14:54:05.1Z', Date.UTC(2026, 1, 20, 14, 54, 5, 100)],
  ['2026-02-20T14:54:05.123999999+01:30', Date.UTC(2026, 1, 20, 13, 24, 5, 123)],
  ['2026-02-20T14:54:05.000000001-11:00', Date.UTC(2026, 1, 21, 1, 54, 5)],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['1969-12-31T23:59:59.999Z', -1],
  ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
])('%s is a moment', (text, at) => {
  expect(readTimestamp(text)).toBe(at);
});

test.each([
  '',
  'now',
  '2026-02-20',
  '2026-02-20 14:54:05Z',
  '2026-02-20T14:54Z',
  '2026-02-20T14:54:05',
  '2026-02-20T14:54:05.Z',
  '2026-02-30T14:54:05Z',
  '2025-02-29T14:54:05Z',
  '2026-13-01T14:54:05Z',
  '2026-02-20T24:00:00Z',
  '2026-02-20T14:60:05Z',
  '2026-02-20T14:54:60Z',
  '2026-02-20T14:54:05+0100',
  '2026-02-20T14:54:05+99:99',
  '2026-02-20T14:54:05Z\n',
  '+002026-02-20T14:54:05Z',
])('%j is none', (text) => {
  expect(readTimestamp(text)).toBeUndefined();
});

test('the present moment is one, in nanoseconds', () => {
  const before = Date.now();
  const text = timestampNow();
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
  expect(readTimestamp(text)).toBeGreaterThanOrEqual(before);
  expect(readTimestamp(text)).toBeLessThanOrEqual(Date.now());
});

test('a day is that of the clock on the wall', () => {
  expect(localDay(new Date(2026, 1, 3, 0, 0, 0).getTime())).toBe('2026-02-03');
  expect(localDay(new Date(2026, 1, 3, 23, 59, 59, 999).getTime())).toBe('2026-02-03');
});

test.each([
  ['of 25 hours', 2026, 9, 25, 0, '2026-10-24 2026-10-25 2026-10-26'],
  ['of 23 hours', 2026, 2, 29, 23, '2026-03-28 2026-03-29 2026-03-30'],
  ['at the turn of the year', 2026, 11, 31, 12, '2026-12-30 2026-12-31 2027-01-01'],
])('the days around one %s are those next to it', (_what, year, month, day, hour, days) => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => void vi.unstubAllEnvs());
  const at = new Date(year, month, day, hour, 30).getTime();
  expect([-1, 0, 1].map((later) => localDay(at, later)).join(' ')).toBe(days);
});
