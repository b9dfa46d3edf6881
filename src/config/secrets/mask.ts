import { type Document, isMap, isNode, isScalar, isSeq, visit } from 'yaml';

/** The positions where a value begins, where it ends, and where what belongs to it (such as a comment) ends. */
type Range = readonly [start: number, valueEnd: number, nodeEnd: number];

/** Shorter values do not count as secrets: masking them would hide more than it protects. */
export const MIN_SECRET_LENGTH = 6;

/**
 * Returns a text with stars of the same length in place of the values of some keys, or of the values under them: errors
 * reach logs and chats.
 * @param names the keys
 */
export function maskSecrets(text: string, document: Document, names: ReadonlySet<string>): string {
  const pieces: string[] = [];
  let done = 0;
  for (const [start, end] of secretRanges(document, names)) {
    const value = text.slice(start, end);
    if (start < done || value.length < MIN_SECRET_LENGTH || isReference(value)) continue;
    pieces.push(text.slice(done, start), value.replaceAll(/\S/g, '*'));
    done = end;
  }
  return withoutUsers(pieces.join('') + text.slice(done));
}

/**
 * Masks a text that is not valid YAML: what follows such a key on its line, and what is indented deeper below it. Names and
 * references stay, because the mistake is often beside them.
 */
export function maskBroken(text: string, names: ReadonlySet<string>): string {
  let secretIndent = Number.POSITIVE_INFINITY;
  const lines = text.split('\n').map((line) => {
    const indent = line.search(/\S/);
    if (indent === -1) return line;
    if (indent > secretIndent) return maskLine(line);
    const start = startOfSecret(line, names);
    secretIndent = start === undefined ? Number.POSITIVE_INFINITY : indent;
    return start === undefined ? line : `${line.slice(0, start)}${maskLine(line.slice(start))}`;
  });
  return withoutUsers(lines.join('\n'));
}

const KEY = /\b(\w+)["']?\s*:/g;

/** Returns where the value of the first of these keys begins in a line; `undefined` if it has none of them. */
function startOfSecret(line: string, names: ReadonlySet<string>): number | undefined {
  const key = [...line.matchAll(KEY)].find(([, name = '']) => names.has(name));
  return key === undefined ? undefined : key.index + key[0].length;
}

/** Masks the user and the password of urls. */
const withoutUsers = (text: string): string =>
  text.replaceAll(/(?<=:\/\/)[^/@\s"']+(?=@)/g, (user) => '*'.repeat(user.length));

/** A name with its colon after it or a reference, which stay; or one character of a value. */
const PART = /((?=[\w.-])(?<=(?:^|[{,])\s*["']?)[\w.-]+(?=["']?\s*:)|\$\{\w*\})|[^\s{}[\],:"']/g;

const maskLine = (line: string): string => line.replaceAll(PART, (_part, kept?: string) => kept ?? '*');

/** A reference alone, or a hash, gives nothing away, and an error about it must show it. */
const isReference = (value: string): boolean => /^["']?(?:\$\{\w*\}|sha256:[0-9a-f]{64})["']?$/.test(value);

/** Returns where the values stand, in the order of the text. */
function secretRanges(document: Document, names: ReadonlySet<unknown>): Range[] {
  const ranges: Range[] = [];
  visit(document, {
    Pair(_key, pair) {
      if (!isScalar(pair.key) || !names.has(pair.key.value)) return undefined;
      for (const value of valuesOf(pair.value)) if (isNode(value) && value.range) ranges.push(value.range);
      return visit.SKIP;
    },
  });
  return ranges;
}

function valuesOf(env: unknown): readonly unknown[] {
  if (isMap(env)) return env.items.map((pair) => pair.value);
  return isSeq(env) ? env.items : [env];
}
