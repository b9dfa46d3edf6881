import { cleanText } from '../../core/text/clean-text.ts';

/** Characters of icon fonts mean nothing outside them. */
const ICONS = /[\ue000-\uf8ff]+/g;
const SOFT_HYPHENS = /\u00ad/g;

/** Returns a text of a page without line breaks, repeated spaces, and characters that people cannot see. */
export function tidy(text: string): string {
  return cleanText(text.replace(ICONS, ' ').replace(SOFT_HYPHENS, '')).replace(/\s+/g, ' ').trim();
}
