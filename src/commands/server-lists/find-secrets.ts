import { looksRandom } from '../../redaction/forms/values.ts';
import { isSecretName } from '../../redaction/names.ts';
import { redact } from '../../redaction/redact.ts';

/** A text with a secret in it, cut where the secret begins and ends. */
export interface SecretText {
  readonly before: string;
  readonly secret: string;
  readonly after: string;
  /** The name of the secret, if it has one. */
  readonly name: string | undefined;
  /** The next secret, in what comes after this one. */
  readonly next?: SecretText;
}

/** Returns all secrets of a text. */
export function secretsOf(found: SecretText | undefined): string[] {
  return found === undefined ? [] : [found.secret, ...secretsOf(found.next)];
}

/** Names in `env` and `headers` whose last word marks a secret: `CONTEXT7_KEY`, `GITHUB_PAT`. */
const SECRET_ENDING = /(?:^|[_-])(?:key|pat|auth|pass|creds|bearer)$/i;
const SCHEME = /^((?:Bearer|Basic|Token|ApiKey|Api-Key)\s+)(\S.*)$/i;
/** Values that are never secret, regardless of their name. */
const OPEN_VALUE = /^(?:true|false|yes|no|on|off|none|null|\d{1,5})?$/i;
const MARK = /\[redacted:[a-z0-9-]{1,40}\]/;

/** Returns the secret in the value of a variable or a header with this name. */
export function secretOfNamed(name: string, value: string): SecretText | undefined {
  if (isReference(value)) return undefined;
  const [, scheme = '', rest = value] = SCHEME.exec(value) ?? [];
  const isNamed = isSecretName(name) || SECRET_ENDING.test(name);
  if (isNamed && !OPEN_VALUE.test(rest)) return { before: scheme, secret: rest, after: '', name };
  const found = secretInText(value);
  return found === undefined ? undefined : { ...found, name: found.name ?? name };
}

/** Returns the secret in an argument, of which the one before it may be the name: `--api-key …`. */
export function secretOfArgument(argument: string, previous: string | undefined): SecretText | undefined {
  if (isReference(argument)) return undefined;
  const flag = /^--?([A-Za-z][\w-]*)$/.exec(previous ?? '')?.[1];
  if (flag !== undefined && !argument.startsWith('-')) {
    const found = secretOfNamed(flag, argument);
    if (found !== undefined) return found;
  }
  const [head = '', name] = /^-{0,2}([A-Za-z][\w-]*)(?:=|:\s*)/.exec(argument) ?? [];
  const value = argument.slice(head.length);
  const named = name === undefined || value === '' ? undefined : secretOfNamed(name, value);
  return named === undefined ? secretInText(argument) : { ...named, before: head + named.before };
}

/** Returns the secrets in a url: its password, parameters by their names, and parts of the path that look drawn by lot. */
function secretInUrl(text: string): SecretText | undefined {
  if (!/^[\w+.-]+:\/\//.test(text)) return undefined;
  const passwords = spansOf(text, /(?<=^[\w+.-]+:\/\/[^/?#@:]*:)[^/?#@]+(?=@)/g);
  const parameters = [...text.matchAll(/([?&]([\w-]+)=)([^&#]+)/g)]
    .filter(([, , name, value]) => secretOfNamed(name!, value!) !== undefined)
    .map(({ index, 1: head, 2: name, 3: value }) => ({
      start: index + head!.length,
      end: index + head!.length + value!.length,
      name,
    }));
  const parts = spansOf(text, /(?<=[^/]\/)[^/?#]+/g).filter(({ start, end }) => looksRandom(text.slice(start, end)));
  return cut(
    text,
    0,
    [...passwords, ...parameters, ...parts].sort((a, b) => a.start - b.start),
  );
}

/** Returns a secret that its own form gives away. If there are several, the text is one as a whole. */
export function secretInText(text: string): SecretText | undefined {
  if (isReference(text)) return undefined;
  const inUrl = secretInUrl(text);
  if (inUrl !== undefined) return inUrl;
  const { value: marked, places } = redact(text);
  if (places.length === 0) return undefined;
  const [before, after, ...others] = marked.split(MARK);
  if (after === undefined || others.length > 0) return { before: '', secret: text, after: '', name: undefined };
  return { before: before!, secret: text.slice(before!.length, text.length - after.length), after, name: undefined };
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string | undefined;
}

function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    name: undefined,
  }));
}

/** Returns the secrets at these places, with the text around them. A place that overlaps an earlier one belongs to it. */
function cut(text: string, from: number, spans: readonly Span[]): SecretText | undefined {
  const [first, ...others] = spans;
  if (first === undefined) return undefined;
  const { start, end, name } = first;
  const next = cut(
    text,
    end,
    others.filter((other) => other.start >= end),
  );
  const found = { before: text.slice(from, start), secret: text.slice(start, end), after: text.slice(end), name };
  return next === undefined ? found : { ...found, next };
}

/** Returns whether a text holds a reference: its author keeps secrets elsewhere. */
function isReference(text: string): boolean {
  return /(?<!\$)\$\{/.test(text);
}
