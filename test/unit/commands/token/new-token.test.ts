import { expect, test } from 'vitest';
import { momentOf } from '../../../../src/commands/token/new-token.ts';

const NOW = Date.UTC(2026, 10, 29, 12);

test.each([
  ['12h', '2026-11-30T00:00:00Z'],
  ['90d', '2027-02-27T12:00:00Z'],
  ['2w', '2026-12-13T12:00:00Z'],
  ['2027-01-31', '2027-01-31T00:00:00Z'],
  ['2028-02-29', '2028-02-29T00:00:00Z'],
  ['2027-01-31T08:30:00+02:00', '2027-01-31T06:30:00Z'],
  ['2027-01-31T08:30:00.5Z', '2027-01-31T08:30:00Z'],
])('%s is %s', (text, moment) => expect(momentOf(text, NOW)).toBe(moment));

test.each([
  '2027-02-30',
  '2027-13-01',
  '2027-02-29',
  '2027-1-1',
  '0d',
  '-3d',
  '90',
  'tomorrow',
  '',
  '2027-01-31T25:00:00Z',
])('a token cannot end at "%s"', (text) =>
  expect(() => momentOf(text, NOW)).toThrow(`"${text}" is not a time: write 90d, 12h, or a date such as`),
);

test.each(['2026-11-29', '2020-01-01', '2026-11-29T11:59:59Z'])(
  'a token cannot end at %s: that is in the past',
  (text) => expect(() => momentOf(text, NOW)).toThrow(`"${text}" is in the past`),
);
