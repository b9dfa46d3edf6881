import { isPasswordName, isPublicName, isSecretName } from './names.ts';
import { redactionMark } from './redactions.ts';
import { isPasswordLiteral, isPlaceholder, isSecretLiteral, looksRandom } from './values.ts';

type ValueForm = 'quoted' | 'bare' | 'loose';
type OnFound = (kind: string) => void;

/** Not in the middle of a longer one; an option of a command has dashes before it. */
const NAME = String.raw`(?<![\w.$]|\w-)([A-Za-z_$][\w.$-]{0,80})`;
const SIGN = String.raw`\\?["'\x60]?\s{0,4}(?::\s{0,2}[\w<>[\]|.]{1,40}\s{0,2}(?==))?(?::=|=>|[=!]={1,2}|=|:)\s{0,4}`;
/** In double quotes, single ones, backticks, in JSON inside JSON, or bare. */
const VALUE = [
  String.raw`"((?:[^"\\\n]|\\[^\n])*)"`,
  String.raw`'((?:[^'\\\n]|\\[^\n])*)'`,
  String.raw`\x60((?:[^\x60\\\n]|\\[^\n])*)\x60`,
  String.raw`\\"((?:[^"\\\n]|\\(?!")[^\n])*)\\"`,
  String.raw`([^\s"'\x60,;<>{}\\]{1,512})`,
].join('|');
/** Which of them is the bare one. */
const BARE = 4;
const ASSIGNMENT = new RegExp(`${NAME}(${SIGN})(?:${VALUE})`, 'g');

const ENV_LINE = /^([ \t+>-]*(?:export |set |ENV |- )?)([A-Za-z_][A-Za-z0-9_]*)=(.*)$/;
/** What a file of settings says openly. */
const PLAIN_SETTING =
  /^(?:|true|false|yes|no|on|off|\d{1,6}|[a-z]{1,16}|localhost|127\.0\.0\.1|::1|0\.0\.0\.0|https?:\/\/[\w.:-]{1,60}(?:\/[\w./-]{0,30})?|[~.]?\/[\w./-]*|\d+(?:\.\d+){1,3}|\d+[a-z]{1,3})$/i;

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
  return redactNamed(redactEnvLines(withoutHeaders, onFound), onFound);
}

/** Whether a value with this name is to be taken out; `isLoose` where it might be a word of a sentence. */
export function secretKindOf(name: string, value: string, form: ValueForm): string | undefined {
  if (isSecretName(name)) return isPlaceholder(value) ? undefined : namedSecret(name, value, form);
  const isSetting = form === 'quoted' || /^[A-Z][A-Z0-9_]*$/.test(name);
  return isSetting && looksRandom(value) && !isPublicName(name) && !isPlaceholder(value) ? 'high-entropy' : undefined;
}

function namedSecret(name: string, value: string, form: ValueForm): string | undefined {
  const isQuoted = form === 'quoted';
  // Another name is a reference to a secret; one that a random text happens to contain is none.
  if (!isQuoted && isSecretName(value) && !looksRandom(value)) return undefined;
  if (form !== 'loose' && isPasswordName(name)) return isPasswordLiteral(value, isQuoted) ? 'password' : undefined;
  return isSecretLiteral(value, isQuoted) ? 'secret' : undefined;
}

/** What is no secret is searched in turn: a value may be a whole URL or command with assignments of its own. */
function redactNamed(text: string, onFound: OnFound): string {
  const pieces: string[] = [];
  let copiedTo = 0;
  ASSIGNMENT.lastIndex = 0;
  for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
    const [whole, name = '', sign = '', ...values] = match;
    const index = values.findIndex((value) => value !== undefined);
    const value = index < BARE ? values[index]! : bareValue(values[BARE]!, text[match.index - 1]);
    const kind = secretKindOf(name, value, formOf(index, sign));
    const signEnd = match.index + name.length + sign.length;
    if (kind === undefined) {
      ASSIGNMENT.lastIndex = signEnd;
      continue;
    }
    onFound(kind);
    const at = match.index + whole.indexOf(value, name.length + sign.length);
    pieces.push(text.slice(copiedTo, at), redactionMark(kind));
    copiedTo = at + value.length;
    ASSIGNMENT.lastIndex = copiedTo;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copiedTo);
}

/** A comparison, or a sign with spaces around it, may have code or words of a sentence behind it. */
function formOf(index: number, sign: string): ValueForm {
  if (index < BARE) return 'quoted';
  return sign === '=' ? 'bare' : 'loose';
}

/** Without the punctuation of the sentence around it; in the query of a URL it ends with its parameter. */
function bareValue(value: string, before: string | undefined): string {
  const parameter = before === '?' || before === '&' ? value.split('&')[0]! : value;
  return parameter.replace(/[.,:!?)\]]+$/, '');
}

/** Values of `NAME=value` lines to their ends. In a block of such lines all that are no plain settings are taken out. */
function redactEnvLines(text: string, onFound: OnFound): string {
  if (!text.includes('=')) return text;
  const lines = text.split('\n');
  const parts = lines.map((line) => ENV_LINE.exec(line));
  return lines
    .map((line, index) => {
      const match = parts[index];
      if (!isSetting(match)) return line;
      const [, before = '', name = '', value = ''] = match;
      const isInBlock = isSetting(parts[index - 1]) || isSetting(parts[index + 1]);
      const kind = envKindOf(name, value.trim(), isInBlock);
      if (kind === undefined) return line;
      onFound(kind);
      return `${before}${name}=${redactionMark(kind)}`;
    })
    .join('\n');
}

function envKindOf(name: string, value: string, isInBlock: boolean): string | undefined {
  const quoted = /^(["'])(.*)\1$/.exec(value)?.[2];
  const literal = quoted ?? value.replace(/\s+#.*$/, '');
  if (isPlaceholder(literal)) return undefined;
  const firstWord = quoted ?? literal.split(/\s/)[0]!;
  const kind = secretKindOf(name, firstWord, 'quoted');
  if (kind !== undefined) return kind;
  return isInBlock && !/\s/.test(literal) && !PLAIN_SETTING.test(literal) ? 'env' : undefined;
}

/** Whether a line is one of a `.env` file: names in code and in sentences have small letters. */
function isSetting(match: RegExpExecArray | null | undefined): match is RegExpExecArray {
  return match !== null && match !== undefined && /^[A-Z][A-Z0-9_]*$/.test(match[2]!);
}
