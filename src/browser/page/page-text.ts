import { cutText, escapeInvisible } from '../../core/text/clean-text.ts';

/**
 * Returns the beginning of a text of a page.
 * @param max number of characters; a longer text ends with `…`
 */
export function boundedText(text: string, max: number): string {
  if (text.length <= max) return text;
  // A part of a string keeps the whole of it in memory: the copy does not.
  return Buffer.from(cutText(text, max), 'utf8').toString('utf8');
}

/** Returns a text of a page in quotation marks, on one line, so that it cannot pass for words of the gateway. */
export function quotedText(text: string, max = 200): string {
  return escapeInvisible(JSON.stringify(boundedText(text, max)));
}
