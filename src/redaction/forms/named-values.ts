import { redactionMark } from '../redactions.ts';
import { mayBeSecret, secretKindOf, type ValueForm } from '../secret-kind.ts';
import type { Span } from '../spans.ts';
import { BARE, BareValues } from './bare-values.ts';
import { QUOTES, quotedText } from './quoted-text.ts';

/** Not in the middle of a longer one; an option of a command has dashes before it. */
const NAME = String.raw`(?<![\w.$]|\w-)([A-Za-z_$][\w.$-]{0,80})(?![\w.$-])`;
/** A type between the name and `=`. */
const TYPE = String.raw`(?::\s{0,2}[\w<>[\]|.]{1,40}\s{0,2}(?==))?`;
/** A value may stand on the next line where it is quoted. */
const SIGN = String.raw`\\{0,7}["'\x60]?[^\S\n]{0,4}${TYPE}(?::=|=>|[=!]={1,2}|=|:)(?:\s{1,40}(?=["'\x60])|[^\S\n]{0,4})`;
/** Up to where a value begins. */
const ASSIGNMENT = new RegExp(`${NAME}(${SIGN})(?=${QUOTES}|${BARE})`, 'g');
const BARE_ASSIGNMENT = new RegExp(`${NAME}(${SIGN})(?=${BARE})`, 'y');

interface Assignment {
  readonly name: string;
  readonly form: ValueForm;
  /** The position of the name, and of the text after the sign. */
  readonly start: number;
  readonly signEnd: number;
  /** The text in quotation marks, where the value is one. */
  readonly quoted: Span | undefined;
}

/** Replaces secrets that are behind a name: `TOKEN=…`, `"apiKey": "…"`, `const password: string = '…'`. */
export function redactNamedValues(text: string, onFound: (kind: string) => void): string {
  const pieces: string[] = [];
  const bareValues = new BareValues(text);
  let copiedTo = 0;
  let next = 0;
  for (let match = matchFrom(ASSIGNMENT, text, 0); match !== null; match = matchFrom(ASSIGNMENT, text, next)) {
    const found = assignmentOf(text, match);
    // Text that is no secret is searched in turn: a value may be a whole URL or command with assignments of its own. What looks
    // like a type may be a name: `error: password="…"`.
    next = match.index + match[1]!.length;
    if (found === undefined || !mayBeSecret(found.name, found.form)) continue;
    const value = found.quoted ?? bareValues.at(found.signEnd, found.start);
    const kind = secretKindOf(found.name, text.slice(value.start, value.end), found.form);
    if (kind === undefined) continue;
    onFound(kind);
    pieces.push(text.slice(copiedTo, value.start), redactionMark(kind));
    copiedTo = value.end;
    next = value.end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copiedTo);
}

function assignmentOf(text: string, match: RegExpExecArray): Assignment | undefined {
  const signEnd = match.index + match[0].length;
  const isQuoted = `"'\`\\`.includes(text[signEnd]!);
  const quoted = isQuoted ? quotedText(text, signEnd) : undefined;
  if (quoted !== undefined) return { name: match[1]!, form: 'quoted', start: match.index, signEnd, quoted };
  // The quotation marks are open: `a: b="…` is still a value of `a`.
  const bare = isQuoted ? matchFrom(BARE_ASSIGNMENT, text, match.index) : match;
  if (bare === null) return undefined;
  const [whole, name = '', sign] = bare;
  const form = sign === '=' ? 'bare' : 'loose';
  return { name, form, start: bare.index, signEnd: bare.index + whole.length, quoted: undefined };
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}
