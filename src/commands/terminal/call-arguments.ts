import { compactJson, partsOfJson } from '../../core/json/json-text.ts';
import { UsageError } from './usage-error.ts';

/**
 * Reads the arguments of a call from `--args JSON` and `key=value` words. A value is read as the schema wants it: text stays
 * text, everything else is JSON. Returns the arguments as a JSON text in which each number is as the user wrote it, however
 * large or precise. A word replaces the member of `--args` that has its key, and so does a later word.
 * @throws UsageError that names the word that cannot be read
 */
export function readCallArguments(json: string | undefined, words: readonly string[], schema: unknown): string {
  const given = json === undefined ? '{}' : readObject(json);
  if (words.length === 0) return given;
  const byWord = new Map<string, string>();
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1) throw new UsageError(`"${word}" is not key=value`);
    const key = word.slice(0, equals);
    byWord.set(key, readValue(key, word.slice(equals + 1), typesOf(schema, key)));
  }
  const kept = partsOfJson(given).map(({ key, text }) => [key!, text] as const);
  const members = [...kept.filter(([key]) => !byWord.has(key)), ...byWord];
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

function readObject(json: string): string {
  const text = checked(json, '--args');
  if (text.startsWith('{')) return text;
  throw new UsageError('--args must be a JSON object, such as {"path":"README.md"}');
}

function readValue(key: string, text: string, types: readonly string[]): string {
  if (types.includes('string')) return JSON.stringify(text);
  if (types.length > 0) return checked(text, `the value of "${key}" (${types.join(' or ')})`);
  try {
    return checked(text, key);
  } catch {
    return JSON.stringify(text); // nothing is known of the argument, and it is not JSON: then it is text
  }
}

/** Returns the same JSON on one line. */
function checked(text: string, what: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${(error as Error).message}`);
  }
  return compactJson(text);
}

function typesOf(schema: unknown, key: string): readonly string[] {
  const properties = (schema as { properties?: Record<string, { type?: string | string[] }> } | undefined)?.properties;
  const type = properties !== undefined && Object.hasOwn(properties, key) ? properties[key]?.type : undefined;
  return type === undefined ? [] : [type].flat();
}
