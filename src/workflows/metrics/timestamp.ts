import { z } from 'zod';

const RFC_3339 = /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;
const DATE = z.iso.date();

/** Milliseconds since 1970 of a timestamp after RFC 3339, of any precision; `undefined` for what is none. */
export function readTimestamp(text: string): number | undefined {
  const [, date = '', time = '', fraction = '', zone = ''] = RFC_3339.exec(text) ?? [];
  // Its own check: `Date.parse` takes the 30th of February for the 2nd of March.
  if (!DATE.safeParse(date).success) return undefined;
  const at = Date.parse(`${date}${time}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

/** This moment in nanoseconds, as go-ai has it. The digits after the milliseconds tell events of one moment apart. */
export function timestampNow(): string {
  const within = process.hrtime.bigint() % 1_000_000n;
  return `${new Date().toISOString().slice(0, -1)}${String(within).padStart(6, '0')}Z`;
}

/** Returns the local day of a time, or the day `daysLater` days later: go-ai has a file for each day in its user's time zone. */
export function localDay(at: number, daysLater = 0): string {
  const date = new Date(at);
  // Not by hours: a day may have 23 or 25 of them.
  date.setDate(date.getDate() + daysLater);
  const parts = [
    String(date.getFullYear()).padStart(4, '0'),
    twoDigits(date.getMonth() + 1),
    twoDigits(date.getDate()),
  ];
  return parts.join('-');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
