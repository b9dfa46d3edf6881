import { redactionMark } from '../redactions.ts';
import { isPlaceholder } from './placeholders.ts';

type OnFound = (kind: string) => void;

const AUTHORIZATION =
  /(authorization\\{0,7}["'`]?\]?[^\S\n]{0,4}[:=,][^\S\n]{0,4}\\{0,7}["'`]?)((?:[A-Za-z][\w-]{1,30}[^\S\n]{1,4})?)([^\s"'`,;\\]{6,})/gi;
/** Schemes that are followed by nothing but the secret. */
const SCHEME =
  /^(?:basic|bearer|token|digest|negotiate|ntlm|key|bot|api-?key|genie-?key|sso-key|splunk|ssws|oauth2?)$/i;
const BEARER = /(\bbearer\s{1,4})([A-Za-z0-9._~+/=-]{20,})/gi;
const COOKIES = /((?<![\w-])(?:set-)?cookie:[^\S\n]{0,4})([^\n"']{8,4000})/gi;
const COOKIE = /[^\s=;]{1,80}=([^\s;]{6,})/g;
/**
 * Matches the signature parameter of a signed request: the signed content is known, and anyone who has the signature
 * can send it again.
 */
const SIGNATURE = /((?<![A-Za-z0-9])(?:x-amz-|x-goog-)?signature=)([A-Za-z0-9+/%=_-]{20,})/gi;

/** Takes out what proves in a header who sends it. */
export function redactHeaders(text: string, onFound: OnFound): string {
  const mark = (before: string, kind: string) => {
    onFound(kind);
    return `${before}${redactionMark(kind)}`;
  };
  return text
    .replace(AUTHORIZATION, (whole, before: string, scheme: string, value: string) =>
      isCredential(scheme.trim(), value) ? mark(`${before}${scheme}`, 'authorization') : whole,
    )
    .replace(BEARER, (whole, before: string, value: string) =>
      /\d/.test(value) && !isPlaceholder(value) ? mark(before, 'authorization') : whole,
    )
    .replace(COOKIES, (whole, before: string, value: string) => (hasCookie(value) ? mark(before, 'cookie') : whole))
    .replace(SIGNATURE, (whole, before: string, value: string) =>
      isPlaceholder(value) ? whole : mark(before, 'signature'),
    );
}

/** Code may be in its place: `Bearer {token}`, `getToken()`. */
function isCredential(scheme: string, value: string): boolean {
  if (isPlaceholder(value) || /^[[({$<]|\(\)/.test(value)) return false;
  return (
    SCHEME.test(scheme) || (/\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 12 && !value.includes('='))
  );
}

function hasCookie(text: string): boolean {
  return [...text.matchAll(COOKIE)].some(([, value = '']) => !isPlaceholder(value));
}
