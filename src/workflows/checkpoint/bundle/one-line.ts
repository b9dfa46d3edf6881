import { cutText } from '../../../core/text/clean-text.ts';

const MAX_LINE = 1_000;

/** One line, so that no text can pass for a heading or an item of the briefing. */
export function line(value: unknown): string {
  return cutText(String(value).replace(/\s+/g, ' ').trim(), MAX_LINE);
}
