import { redact } from '../../workflows/checkpoint/bundle/redact.ts';
import { isSecretName } from '../../workflows/checkpoint/bundle/secrets/names.ts';
import { looksRandom } from '../../workflows/checkpoint/bundle/secrets/values.ts';

/** A text with a secret in it, cut where the secret begins and ends. */
export interface SecretText {
  readonly before: string;
  readonly secret: string;
  readonly after: string;
  /** What the secret is called there, if anything. */
  readonly name: string | undefined;
}

/** Names whose last word alone says it, as people write them in `env` and `headers`: `CONTEXT7_KEY`, `GITHUB_PAT`. */
const SECRET_ENDING = /(?:^|[_-])(?:key|pat|auth|pass|creds|bearer)$/i;
const SCHEME = /^((?:Bearer|Basic|Token|ApiKey|Api-Key)\s+)(\S.*)$/i;
/** Values that are nobody's secret, whatever their name. */
const OPEN_VALUE = /^(?:true|false|yes|no|on|off|none|null|\d{1,5})?$/i;
const MARK = /\[redacted:[a-z0-9-]{1,40}\]/;

/** The secret in the value of a variable or a header with this name. */
export function secretOfNamed(name: string, value: string): SecretText | undefined {
  if (isReference(value)) return undefined;
  const [, scheme = '', rest = value] = SCHEME.exec(value) ?? [];
  const isNamed = isSecretName(name) || SECRET_ENDING.test(name);
  if (isNamed && !OPEN_VALUE.test(rest)) return { before: scheme, secret: rest, after: '', name };
  const found = secretInText(value);
  return found === undefined ? undefined : { ...found, name: found.name ?? name };
}

/** The secret in an argument, of which the one before it may be the name: `--api-key …`. */
export function secretOfArgument(argument: string, previous: string | undefined): SecretText | undefined {
  if (isReference(argument)) return undefined;
  const flag = /^--?([A-Za-z][\w-]*)$/.exec(previous ?? '')?.[1];
  if (flag !== undefined && !argument.startsWith('-')) {
    const found = secretOfNamed(flag, argument);
    if (found !== undefined) return found;
  }
  const [, head, name, value] = /^(-{0,2}([A-Za-z][\w-]*)(?:=|:\s*))(.+)$/s.exec(argument) ?? [];
  const named = name === undefined ? undefined : secretOfNamed(name, value!);
  return named === undefined ? secretInText(argument) : { ...named, before: head! + named.before };
}

/** A secret in a url: a parameter by its name, or a part of the path that looks drawn by lot. */
function secretInUrl(text: string): SecretText | undefined {
  if (!/^\w+:\/\//.test(text)) return undefined;
  for (const match of text.matchAll(/([?&]([\w-]+)=)([^&#]+)/g)) {
    const [, head, name, value] = match;
    if (secretOfNamed(name!, value!) === undefined) continue;
    return cut(text, { start: match.index + head!.length, length: value!.length, name });
  }
  for (const match of text.matchAll(/(?<=[^/]\/)[^/?#]+/g)) {
    if (looksRandom(match[0])) return cut(text, { start: match.index, length: match[0].length, name: undefined });
  }
  return undefined;
}

/** A secret that its own form gives away. Where there are several, the text is one as a whole. */
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

function cut(
  text: string,
  { start, length, name }: { readonly start: number; readonly length: number; readonly name: string | undefined },
): SecretText {
  return {
    before: text.slice(0, start),
    secret: text.slice(start, start + length),
    after: text.slice(start + length),
    name,
  };
}

/** What has a reference in it was written by somebody who keeps secrets elsewhere. */
function isReference(text: string): boolean {
  return /(?<!\$)\$\{/.test(text);
}
