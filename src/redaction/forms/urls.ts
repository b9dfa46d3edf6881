import { redactionMark } from '../redactions.ts';
import { isPlaceholder } from './placeholders.ts';
import { looksRandom } from './values.ts';

type OnFound = (kind: string) => void;

const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,80}:)([^\s/@"'`<>]{1,200})(?=@[^\s/@])/gi;
/** A password with a slash or an at sign in it, which belongs into no URL and still occurs. */
const URL_ODD_PASSWORD =
  /(\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?):\/\/[^\s:/@"'`<>]{0,80}:)([^\s"'`<>]{1,200})(?=@[\w.-]+(?::\d+)?(?:[/?\s"'`]|$))/gi;
/** `https://<token>@host`, and `https://<token>:x-oauth-basic@host`. */
const URL_USER = /(:\/\/)([\w.~%+-]{16,200})(?=(?::[^\s/@"'`<>]{0,200})?@[\w[])/g;
const ORACLE_PASSWORD = /(\bjdbc:oracle:\w{1,10}:[\w$#]{1,80}\/)([^\s/@"'`<>]{1,200})(?=@)/gi;
const HEX = /^[a-f0-9]{20,}$/i;

/** Takes passwords out of URLs, and tokens that are in the place of a user. */
export function redactUrls(text: string, onFound: OnFound): string {
  if (!text.includes('@')) return text;
  const replaced = (whole: string, before: string, value: string) => {
    if (isPlaceholder(value)) return whole;
    onFound('url-password');
    return `${before}${redactionMark('url-password')}`;
  };
  return text
    .replace(URL_USER, (whole, before: string, user: string) =>
      HEX.test(user) || looksRandom(user) ? replaced(whole, before, user) : whole,
    )
    .replace(ORACLE_PASSWORD, replaced)
    .replace(URL_ODD_PASSWORD, replaced)
    .replace(URL_PASSWORD, replaced);
}
