import { describe, expect, test } from 'vitest';
import { allowsBatches, expectsPrimingEvent, LOG_LEVELS, negotiate } from '../../../../src/era/legacy/legacy.ts';

describe('negotiate', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'])(
    '%s is spoken as it is',
    (revision) => {
      expect(negotiate(revision)).toBe(revision);
    },
  );

  test.each(['2026-07-28', '1.0', '', '2025-11-25 ', 'latest', null, undefined, 20251125, ['2025-11-25'], {}])(
    '%j is answered with our newest',
    (requested) => expect(negotiate(requested)).toBe('2025-11-25'),
  );
});

test.each([
  ['2025-11-25', false, true],
  ['2025-06-18', false, false],
  ['2025-03-26', true, false],
  ['2024-11-05', true, false],
  ['2024-10-07', true, false],
] as const)('%s: batches %s, priming event %s', (revision, batches, priming) => {
  expect([allowsBatches(revision), expectsPrimingEvent(revision)]).toEqual([batches, priming]);
});

test('log levels are those of RFC 5424, least severe first', () => {
  expect(LOG_LEVELS).toEqual(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
});
