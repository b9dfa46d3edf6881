import { InvalidArgumentError } from 'commander';
import { parseLookback } from '../../../core/text/lookback.ts';

/**
 * Returns the milliseconds of a time span such as `7d`, `24h` or `30m`.
 * @throws InvalidArgumentError for any other text
 */
export function lookbackMs(text: string): number {
  const span = parseLookback(text);
  if (!span.ok) throw new InvalidArgumentError(`${span.reason}.`);
  return span.ms;
}
