import { cutText, escapeInvisible } from '../core/clean-text.ts';

const MAX_SHOWN = 200;

/** Quotes a text of a page on one line, so that it cannot look like a line of ours. */
export function shownText(text: string): string {
  return escapeInvisible(JSON.stringify(cutText(text, MAX_SHOWN)));
}
