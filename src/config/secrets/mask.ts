import { type Document, isMap, isNode, isScalar, isSeq, visit } from 'yaml';

/** Where a value begins, where it ends, and where what belongs to it (a comment, say) ends. */
type Range = readonly [start: number, valueEnd: number, nodeEnd: number];

/** Shorter values are no secrets, and their stars would hide more than they protect. */
export const MIN_SECRET_LENGTH = 6;

/** Keys whose values, or the values under them, are secrets; a token itself may stand by mistake where its hash belongs. */
const SECRET_KEYS: ReadonlySet<unknown> = new Set([
  'env',
  'headers',
  'clientSecret',
  'passphrase',
  'key',
  'hash',
  'token',
  'apiKey',
]);
const SECRET_KEY = `(?:${[...SECRET_KEYS].join('|')})`;
const BEFORE_SECRETS = new RegExp(`^(.*?\\b${SECRET_KEY}["']?\\s*:)(.*)$`, 's');

/** The text with the values under every such key replaced by stars of the same length: errors reach logs and chats. */
export function maskEnv(text: string, document: Document): string {
  const pieces: string[] = [];
  let done = 0;
  for (const [start, end] of envRanges(document)) {
    const value = text.slice(start, end);
    if (start < done || value.length < MIN_SECRET_LENGTH || isReference(value)) continue;
    pieces.push(text.slice(done, start), value.replaceAll(/\S/g, '*'));
    done = end;
  }
  return withoutUsers(pieces.join('') + text.slice(done));
}

/**
 * The same for a text that is no valid YAML, by its looks: what follows such a key on its line and what is indented deeper
 * below it. Names and references stay, as the mistake is often beside them.
 */
export function maskBrokenEnv(text: string): string {
  let envIndent = Number.POSITIVE_INFINITY;
  const lines = text.split('\n').map((line) => {
    const indent = line.search(/\S/);
    if (indent === -1) return line;
    if (indent > envIndent) return maskEnvLine(line);
    const env = BEFORE_SECRETS.exec(line);
    envIndent = env === null ? Number.POSITIVE_INFINITY : indent;
    return env === null ? line : `${env[1]}${maskEnvLine(env[2] ?? '')}`;
  });
  return withoutUsers(lines.join('\n'));
}

/** User and password of a url. */
const withoutUsers = (text: string): string =>
  text.replaceAll(/(?<=:\/\/)[^/@\s"']+(?=@)/g, (user) => '*'.repeat(user.length));

/** What stays: a name with its colon after it, or a reference. Or else one character of a value. */
const ENV_PART = /((?=[\w.-])(?<=(?:^|[{,])\s*["']?)[\w.-]+(?=["']?\s*:)|\$\{\w*\})|[^\s{}[\],:"']/g;

const maskEnvLine = (line: string): string => line.replaceAll(ENV_PART, (_part, kept?: string) => kept ?? '*');

/** `${NAME}` and nothing else, or a hash, gives nothing away, and is what an error about it must show. */
const isReference = (value: string): boolean => /^["']?(?:\$\{\w*\}|sha256:[0-9a-f]{64})["']?$/.test(value);

/** In the order of the text. */
function envRanges(document: Document): Range[] {
  const ranges: Range[] = [];
  visit(document, {
    Pair(_key, pair) {
      if (!isScalar(pair.key) || !SECRET_KEYS.has(pair.key.value)) return undefined;
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
