import { InvalidArgumentError } from 'commander';
import { parseLookback } from '../../core/text/lookback.ts';

/** How far to look back, in milliseconds, of what is typed as `7d`, `24h` or `30m`. */
export function lookbackMs(text: string): number {
  const span = parseLookback(text);
  if (!span.ok) throw new InvalidArgumentError(`${span.reason}.`);
  return span.ms;
}
