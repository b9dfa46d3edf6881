import { isObject } from '../core/json/as-object.ts';
import { atOnce, inSlices, type Steps } from '../core/timing/steps.ts';
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
  const redacted = atOnce(redactValue(value, ROOT, (path, kind) => places.push({ path, kind })));
  return { value: redacted as T, places };
}

/** Redacts a large value while other work goes on. */
export async function redactInSlices<T>(value: T): Promise<T> {
  return (await inSlices(redactValue(value, ROOT, () => undefined))) as T;
}

type OnPlace = (path: string, kind: string) => void;

/** A member of an object or an item of a list. */
interface Member {
  /** The name that tells what a text is: the key, or that of the pair or option that it is the value of. */
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
}

const ROOT = { name: '', path: '' };

function* redactValue(value: unknown, at: Omit<Member, 'value'>, onFound: OnPlace): Steps<unknown> {
  yield;
  if (typeof value === 'string') return redactMember(at.name, value, (kind) => onFound(at.path, kind));
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of itemsOf(value, at)) items.push(yield* redactValue(item.value, item, onFound));
    return items;
  }
  if (!isObject(value)) return value;
  const members: [string, unknown][] = [];
  const named = pairName(value);
  const keys = new Set(Object.keys(value));
  for (const [key, member] of Object.entries(value)) {
    const safeKey = keyOf(key, keys, (kind) => onFound(at.path, kind));
    const name = (key === 'value' ? named : undefined) ?? key;
    const place = { name, path: memberPath(at.path, safeKey, member) };
    members.push([safeKey, yield* redactValue(member, place, onFound)]);
  }
  return Object.fromEntries(members);
}

function itemsOf(list: readonly unknown[], { name, path }: Omit<Member, 'value'>): readonly Member[] {
  return list.map((value, index) => ({
    name: optionName(list[index - 1]) ?? name,
    path: memberPath(path, index, value),
    value,
  }));
}

/** Returns the key without secrets; one that was changed gets a number where another member has its name. `taken` grows. */
function keyOf(key: string, taken: Set<string>, onFound: OnFound): string {
  if (isPlainKey(key)) return key;
  const redacted = redactText(key, onFound);
  if (redacted === key) return key;
  let free = redacted;
  for (let number = 2; taken.has(free); number++) free = `${redacted} (${number})`;
  taken.add(free);
  return free;
}

/** A word of letters is not a secret, in any context. Most keys are one, and looking for secrets takes long. */
function isPlainKey(key: string): boolean {
  return /^[a-z]{1,12}(?:_[a-z]{1,12}){0,2}$/.test(key);
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
