import { cleanText, cutText, escapeInvisible } from '../../core/clean-text.ts';

/** Characters of icon fonts, which mean nothing outside them, and soft hyphens. */
const ICONS = /[\ue000-\uf8ff\u00ad]+/g;
/** An address of these characters is one word and contains no quotation mark. */
const PLAIN_URL = /^[!#$%&'()*+,./:;=?@[\]~\w-]+$/;

/** Returns a text of a page without line breaks, repeated spaces, and characters that people cannot see. */
export function tidy(text: string): string {
  return cleanText(text.replace(ICONS, ' ')).replace(/\s+/g, ' ').trim();
}

/** Returns a text of a page in quotation marks, on one line, cut at a number of characters. */
export function quote(text: string, max: number): string {
  return escapeInvisible(JSON.stringify(cutText(tidy(text), max)));
}

/** Returns an address of a page as one word; in quotation marks if it is none. */
export function urlWord(url: string, max: number): string {
  const kept = cutText(url, max);
  return PLAIN_URL.test(kept.replace(/…$/, '')) ? kept : quote(kept, max);
}
