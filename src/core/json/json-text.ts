import { endOfQuoted } from '../text/quoted.ts';

const PUNCTUATION = '{}[],:';
const SPACE = ' \t\r\n';

/** A member of an object, or an element of an array, which has no key. */
export interface JsonPart {
  readonly key: string | undefined;
  /** The value as it is written. */
  readonly text: string;
}

/** Returns a JSON text without the spaces and line breaks between its parts. Numbers and strings stay as they are written. */
export function compactJson(json: string): string {
  return [...tokensOf(json)].join('');
}

/** Returns a JSON text laid out as `JSON.stringify(value, null, 2)` does. Numbers and strings stay as they are written. */
export function prettyJsonText(json: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let previous = '';
  const newLine = () => `\n${'  '.repeat(depth)}`;
  for (const token of tokensOf(json)) {
    const isOpened = previous === '{' || previous === '[';
    if (token === '}' || token === ']') {
      depth -= 1;
      if (!isOpened) pieces.push(newLine());
    } else if (isOpened || previous === ',') pieces.push(newLine());
    if (token === '{' || token === '[') depth += 1;
    pieces.push(token === ':' ? ': ' : token);
    previous = token;
  }
  return pieces.join('');
}

/**
 * Returns the members or elements of the outermost object or array of a JSON text, in their order; none for any other value.
 * A key that occurs twice is returned twice.
 */
export function partsOfJson(json: string): JsonPart[] {
  const parts: JsonPart[] = [];
  let depth = 0;
  let key: string | undefined;
  let pieces: string[] = [];
  const close = () => {
    if (pieces.length > 0) parts.push({ key, text: pieces.join('') });
    key = undefined;
    pieces = [];
  };
  for (const token of tokensOf(json)) {
    if (token === '}' || token === ']') depth -= 1;
    const isOutside = depth === 0;
    if (depth === 1 && token === ',') close();
    else if (depth === 1 && token === ':') {
      key = JSON.parse(pieces.join('')) as string;
      pieces = [];
    } else if (!isOutside) pieces.push(token);
    if (token === '{' || token === '[') depth += 1;
  }
  if (json.trimStart().startsWith('{') || json.trimStart().startsWith('[')) close();
  return parts;
}

/** Yields strings, punctuation and everything else of a text that is valid JSON. */
function* tokensOf(json: string): Generator<string> {
  let at = 0;
  while (at < json.length) {
    const end = endOfToken(json, at);
    if (!SPACE.includes(json[at]!)) yield json.slice(at, end);
    at = end;
  }
}

function endOfToken(json: string, at: number): number {
  const first = json[at]!;
  if (first === '"') return (endOfQuoted(json, at + 1, '"') ?? json.length - 1) + 1;
  if (PUNCTUATION.includes(first) || SPACE.includes(first)) return at + 1;
  let end = at + 1;
  while (end < json.length && !PUNCTUATION.includes(json[end]!) && !SPACE.includes(json[end]!)) end += 1;
  return end;
}
