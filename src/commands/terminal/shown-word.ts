import { escaped } from '../../core/text/escaped.ts';

const PLAIN = /^[\w./:@%+=,-]+$/;

/** Returns a word as it is, or quoted where it holds characters that a reader or a terminal could misread. */
export function shown(word: string): string {
  return PLAIN.test(word) ? word : escaped(JSON.stringify(word));
}
