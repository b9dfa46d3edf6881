/** The command line does not say what should be called, or with what. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/**
 * Arguments of a call from `--args JSON` and `key=value` words. A value is read as the schema wants it: text stays
 * text, everything else is JSON.
 * @throws UsageError that names the word that cannot be read
 */
export function readCallArguments(
  json: string | undefined,
  words: readonly string[],
  schema: unknown,
): Record<string, unknown> {
  const given = json === undefined ? {} : readObject(json);
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1) throw new UsageError(`"${word}" is not key=value`);
    const key = word.slice(0, equals);
    given[key] = readValue(key, word.slice(equals + 1), typesOf(schema, key));
  }
  return given;
}

function readObject(json: string): Record<string, unknown> {
  const value = parse(json, '--args');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError('--args must be a JSON object, such as {"path":"README.md"}');
}

function readValue(key: string, text: string, types: readonly string[]): unknown {
  if (types.includes('string')) return text;
  if (types.length > 0) return parse(text, `the value of "${key}" (${types.join(' or ')})`);
  try {
    return JSON.parse(text);
  } catch {
    return text; // nothing is known of the argument, and it is not JSON: then it is text
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${(error as Error).message}`);
  }
}

function typesOf(schema: unknown, key: string): readonly string[] {
  const properties = (schema as { properties?: Record<string, { type?: string | string[] }> } | undefined)?.properties;
  const type = properties !== undefined && Object.hasOwn(properties, key) ? properties[key]?.type : undefined;
  return type === undefined ? [] : [type].flat();
}
