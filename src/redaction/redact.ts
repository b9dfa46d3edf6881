import { isObject } from '../core/json/as-object.ts';
import { redactAssignments } from './forms/assignments.ts';
import { isPlaceholder } from './forms/placeholders.ts';
import { memberPath, type Redaction, redactionMark } from './redactions.ts';
import { secretKindOf } from './secret-kind.ts';
import { type Span, withMarks } from './spans.ts';
import { TOKEN_FORMS } from './tokens/forms.ts';

type OnFound = (kind: string) => void;

/**
 * The same value with marks such as `[redacted:github-token]` in the place of keys, tokens, private keys, passwords and
 * settings of `.env` files, and where they were. What it returns it would return unchanged.
 */
export function redact<T>(value: T): { readonly value: T; readonly places: readonly Redaction[] } {
  const places: Redaction[] = [];
  const redacted = redactValue(value, '', '', (path, kind) => places.push({ path, kind }));
  return { value: redacted as T, places };
}

function redactValue(
  value: unknown,
  name: string,
  path: string,
  onFound: (path: string, kind: string) => void,
): unknown {
  if (typeof value === 'string') return redactMember(name, value, (kind) => onFound(path, kind));
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      redactValue(item, optionName(value[index - 1]) ?? name, memberPath(path, index, item), onFound),
    );
  }
  if (!isObject(value)) return value;
  const named = pairName(value);
  const keys = new Set(Object.keys(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const safeKey = keyOf(key, keys, (kind) => onFound(path, kind));
      return [
        safeKey,
        redactValue(member, (key === 'value' ? named : undefined) ?? key, memberPath(path, safeKey, member), onFound),
      ];
    }),
  );
}

/** Returns the key without secrets; one that was changed gets a number where another member has its name. `taken` grows. */
function keyOf(key: string, taken: Set<string>, onFound: OnFound): string {
  const redacted = redactText(key, onFound);
  if (redacted === key) return key;
  let free = redacted;
  for (let number = 2; taken.has(free); number++) free = `${redacted} (${number})`;
  taken.add(free);
  return free;
}

/** Redacts a list of arguments: the one after `--token` is that token. */
function optionName(before: unknown): string | undefined {
  return typeof before === 'string' ? /^--?([A-Za-z][\w-]{0,80})$/.exec(before)?.[1] : undefined;
}

/** Returns the name of a pair, the form in which headers and variables often are listed: `{ name: 'X-Api-Key', value: '…' }`. */
function pairName({ name, key }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof name === 'string' ? name : typeof key === 'string' ? key : undefined;
}

/** A text that may be a secret because of the member's name, or have secrets in it. */
function redactMember(name: string, text: string, onFound: OnFound): string {
  const redacted = redactText(text, onFound);
  const kind = redacted === text && name !== '' ? secretMember(name, text) : undefined;
  if (kind === undefined) return redacted;
  onFound(kind);
  return redactionMark(kind);
}

/** Headers whose values have spaces in them, and what in such a value is the secret. */
const HEADERS = [
  { kind: 'authorization', name: /^(?:proxy-)?authorization$/i, secrets: /^(?:basic|bearer|token)\s+(\S{6,})$/gi },
  { kind: 'authorization', name: /^(?:proxy-)?authorization$/i, secrets: /^digest\s.{0,2000}\bresponse="?(\w{6,})/gis },
  { kind: 'cookie', name: /^(?:set-)?cookie$/i, secrets: /(?:^|;)\s*[^\s=;]{1,80}=([^\s;]{6,})/g },
] as const;

function headerKind(name: string, text: string): string | undefined {
  return HEADERS.find(
    (header) =>
      header.name.test(name) && [...text.matchAll(header.secrets)].some(([, secret = '']) => !isPlaceholder(secret)),
  )?.kind;
}

function secretMember(name: string, text: string): string | undefined {
  const header = headerKind(name, text);
  if (header !== undefined) return header;
  const kind = secretKindOf(name, text, 'quoted');
  return kind === 'high-entropy' ? undefined : kind;
}

/** Yields the spans except those that only show the form: `ghp_xxxxxxxx…`. */
function* real(text: string, spans: Iterable<Span>): Generator<Span> {
  for (const span of spans) if (!/[xX*]{8}/.test(text.slice(span.start, span.end))) yield span;
}

function redactText(text: string, onFound: OnFound): string {
  let redacted = text;
  for (const { kind, find } of TOKEN_FORMS)
    redacted = withMarks(redacted, real(redacted, find(redacted)), kind, onFound);
  return redactAssignments(redacted, onFound);
}
