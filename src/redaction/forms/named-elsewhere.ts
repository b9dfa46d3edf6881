import { endOfMatch } from '../../core/text/sticky.ts';
import { trimmedEnd } from '../../core/text/trimmed.ts';
import { isSecretName, nextSecretStem } from '../names.ts';
import { redactionMark } from '../redactions.ts';
import { secretKindOf } from '../secret-kind.ts';
import type { Span } from '../spans.ts';
import { BARE } from './bare-values.ts';
import { LINKS, type Link } from './links.ts';
import { quotedText } from './quoted-text.ts';
import { isPasswordLiteral } from './values.ts';

const NAME = /[A-Za-z_$][\w.$-]{0,80}/g;
const BARE_VALUE = new RegExp(`${BARE}{1,512}`, 'y');
const ELEMENT_VALUE = /[^<>\n]{1,512}/y;
/** The distance in front of a name that is searched for its surroundings. */
const BEFORE = 120;
/** Words behind an option that report it in a sentence: `--password to set it`. */
const WORD =
  /^[a-z]{1,3}$|^(?:argument|flag|flags|from|instead|option|options|switch|takes|then|when|with|without|will|which|file|stdin|only|value)$/i;

/**
 * Replaces secrets whose names stand near them in another way than before a sign: options, elements and attributes of XML,
 * pairs of a name and a value, arguments of calls, tables, sentences.
 */
export function redactNamedElsewhere(text: string, onFound: (kind: string) => void): string {
  const pieces: string[] = [];
  let copiedTo = 0;
  for (const found of secretsIn(text)) {
    onFound(found.kind);
    pieces.push(text.slice(copiedTo, found.start), redactionMark(found.kind));
    copiedTo = found.end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copiedTo);
}

/** Only lines that may name a secret are read: few do. */
function* secretsIn(text: string): Generator<Found> {
  let at = 0;
  for (let stem = nextSecretStem(text, 0); stem !== -1; stem = nextSecretStem(text, at)) {
    const line = Math.max(at, text.lastIndexOf('\n', stem) + 1);
    const end = text.indexOf('\n', stem);
    at = yield* secretsOfLine(text, line, end === -1 ? text.length : end);
  }
}

/** Returns where to go on: a value may stand on a later line. */
function* secretsOfLine(text: string, start: number, end: number): Generator<Found, number> {
  let before: RegExpExecArray | undefined;
  let at = start;
  for (let match = nameFrom(text, at); match !== null && match.index < end; match = nameFrom(text, at)) {
    const found = secretBehind(text, match, before);
    before = match;
    at = found?.end ?? match.index + match[0].length;
    if (found !== undefined) yield found;
  }
  return Math.max(end, at);
}

function nameFrom(text: string, from: number): RegExpExecArray | null {
  NAME.lastIndex = from;
  return NAME.exec(text);
}

interface Found extends Span {
  readonly kind: string;
}

function secretBehind(text: string, match: RegExpExecArray, before: RegExpExecArray | undefined): Found | undefined {
  const name = trimmedEnd(match[0], '.-');
  const end = match.index + name.length;
  if (isSecretName(name)) return throughLinks(text, name, match.index, end, LINKS);
  // `API key`, `access token`: two words, as people write them.
  if (before === undefined || match.index !== before.index + before[0].length + 1 || text[match.index - 1] !== ' ')
    return undefined;
  const both = `${before[0]} ${name}`;
  if (!isSecretName(both)) return undefined;
  return throughLinks(
    text,
    both,
    before.index,
    end,
    LINKS.filter(({ isForPhrases }) => isForPhrases === true),
  );
}

function throughLinks(
  text: string,
  name: string,
  start: number,
  end: number,
  links: readonly Link[],
): Found | undefined {
  const front = text.slice(Math.max(0, start - BEFORE), start);
  for (const link of links) {
    if (link.isOfFunction === true && !isSecretName(name.slice(name.lastIndexOf('.') + 1))) continue;
    const at = link.before.test(front) ? endOfMatch(link.between, text, end) : undefined;
    if (at === undefined) continue;
    const found = valueAt(text, name, at, link);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueAt(text: string, name: string, at: number, link: Link): Found | undefined {
  const quoted = link.form === 'element' ? undefined : quotedText(text, at);
  if (quoted !== undefined && isQuote(text, at)) {
    const value = text.slice(quoted.start, quoted.end);
    // A quoted word behind an option is not part of a sentence.
    const isArgument = link.form === 'option' && isPasswordLiteral(value, true);
    const kind = secretKindOf(name, value, 'quoted') ?? (isArgument ? 'secret' : undefined);
    return kind === undefined ? undefined : { ...quoted, kind };
  }
  if (link.form === 'quoted') return undefined;
  const end = endOfMatch(link.form === 'element' ? ELEMENT_VALUE : BARE_VALUE, text, at);
  if (end === undefined) return undefined;
  const value = trimmedEnd(text.slice(at, end), link.form === 'element' ? ' \t' : '.,:?)]');
  if (link.form === 'option' && WORD.test(value)) return undefined;
  const kind = secretKindOf(name, value, FORMS[link.form]);
  return kind === undefined ? undefined : { start: at, end: at + value.length, kind };
}

const FORMS = { element: 'quoted', option: 'bare', bare: 'bare', loose: 'loose' } as const;

function isQuote(text: string, at: number): boolean {
  return `"'\`\\`.includes(text[at]!);
}
