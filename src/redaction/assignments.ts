import { redactEnvLines } from './env-lines.ts';
import { redactNamedValues } from './named-values.ts';
import { redactionMark } from './redactions.ts';
import { isPlaceholder } from './values.ts';

type OnFound = (kind: string) => void;

const HEADER = /(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token|digest)\s{1,4})([^\s"'`,;]{6,})/gi;
const BEARER = /(\bbearer\s{1,4})([A-Za-z0-9._~+/=-]{20,})/gi;
const COOKIE = /((?<![\w-])(?:set-)?cookie:\s{0,4})([^\s=;"']{1,80}=[^\s;"']{6,}[^\n"']*)/gi;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,80}:)([^\s/@"'`<>]{1,200})(?=@[^\s/@])/gi;
/** A password with a slash or an at sign in it, which belongs into no URL and still occurs. */
const URL_ODD_PASSWORD =
  /(\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?):\/\/[^\s:/@"'`<>]{0,80}:)([^\s"'`<>]{1,200})(?=@[\w.-]+(?::\d+)?(?:[/?\s"'`]|$))/gi;

/** Secrets that their surroundings give away: headers, URLs, settings, assignments. */
export function redactAssignments(text: string, onFound: OnFound): string {
  if (!/[:=]|bearer/i.test(text)) return text;
  const replaced = (kind: string) => (whole: string, before: string, value: string) => {
    if (isPlaceholder(value)) return whole;
    onFound(kind);
    return `${before}${redactionMark(kind)}`;
  };
  const withoutHeaders = text
    .replace(HEADER, replaced('authorization'))
    .replace(BEARER, (whole, before: string, value: string) =>
      /\d/.test(value) ? replaced('authorization')(whole, before, value) : whole,
    )
    .replace(COOKIE, replaced('cookie'))
    .replace(URL_ODD_PASSWORD, replaced('url-password'))
    .replace(URL_PASSWORD, replaced('url-password'));
  return redactNamedValues(redactEnvLines(withoutHeaders, onFound), onFound);
}
