import { cutText } from '../../core/text/clean-text.ts';
import { quotedText } from '../page/page-text.ts';
import { tidy } from '../text/tidy.ts';

/** An address of these characters is one word, is seen to be an address, and contains no quotation mark. */
const PLAIN_URL = /^(?:[/#]|[a-z][a-z0-9+.-]*:)[!#$%&'()*+,./:;=?@[\]~\w-]*$/i;

/** Returns a text of a page in quotation marks, on one line, cut at a number of characters. */
export function quote(text: string, max: number): string {
  return quotedText(tidy(text), max);
}

/** Returns an address of a page as one word; in quotation marks if it is none. */
export function urlWord(url: string, max: number): string {
  const kept = cutText(url, max);
  return PLAIN_URL.test(kept.replace(/…$/, '')) ? kept : quote(kept, max);
}
