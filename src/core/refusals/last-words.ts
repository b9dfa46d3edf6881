import type { UpstreamStatus } from '../providers/provider-status.ts';
import { cleanText, cutText } from '../text/clean-text.ts';

/** Lines, and characters of each, of standard error that an error or an explanation quotes. */
const MAX_LINES = 3;
const MAX_CHARACTERS = 200;

const AT_REST: ReadonlySet<string> = new Set(['ready', 'idle', 'stopping']);

/** Returns true if an upstream is down against its user's will, so that its standard error may say why. */
export function isDown({ state, lastError }: Pick<UpstreamStatus, 'state' | 'lastError'>): boolean {
  return !AT_REST.has(state) && (state !== 'stopped' || lastError !== undefined);
}

/**
 * Quotes what a server wrote last to standard error, on one line: "Its standard error ended with: …".
 * @param lines oldest first, with secrets masked
 * @returns a sentence without its full stop, or `''` if there are no lines
 */
export function lastWordsOf(lines: readonly string[]): string {
  const shown = lines
    .map((line) => cleanText(line).replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .slice(-MAX_LINES)
    .map((line) => cutText(line, MAX_CHARACTERS));
  return shown.length === 0 ? '' : `Its standard error ended with: ${shown.join(' | ')}`;
}
