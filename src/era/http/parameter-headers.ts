import type { ByteString } from '../../wire/bytes.ts';
import { lastMember, membersOf, rawText, stringAt, typeOfByte, valueAt } from '../../wire/lens.ts';
import type { Span } from '../../wire/scanning/outline.ts';

/** An argument of a tool that its requests repeat in a header (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"). */
export interface ParameterHeader {
  /** Its name, such as `Mcp-Param-Region`. */
  readonly header: string;
  /** Names of properties, from the arguments to the value. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** The fault of a tool's declarations: over HTTP such a tool must not be offered. */
export interface BadParameterHeaders {
  readonly problem: string;
}

const KEYWORD = 'x-mcp-header';
/** RFC 9110, `1*tchar`. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: ReadonlySet<unknown> = new Set<ParameterHeader['type']>(['string', 'integer', 'boolean']);

/** Their values are schemas under names of the author's choice. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);
/** Their values are data, even if they look like schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'example']);

/**
 * Returns the headers that the `inputSchema` in `span` declares, or what is wrong with them. A schema that does not say
 * `x-mcp-header` is not even parsed.
 */
export function parameterHeaders(text: Buffer, span: Span): readonly ParameterHeader[] | BadParameterHeaders {
  // The word may be spelt with escapes, but then a backslash is there.
  const schema = text.subarray(span.start, span.end);
  if (!schema.includes(KEYWORD) && !schema.includes('\\u')) return [];
  const found = new Declarations();
  found.visit(valueAt(text, span), { names: [], isReachable: true });
  return found.problem === undefined ? found.headers : { problem: found.problem };
}

/** The same of a whole tool, by its JSON. */
export function parameterHeadersOf(tool: ByteString): readonly ParameterHeader[] | BadParameterHeaders {
  const text = Buffer.from(tool, 'latin1');
  const schema = lastMember(membersOf(text), 'inputSchema');
  return schema === undefined ? [] : parameterHeaders(text, schema);
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface PropertyPosition {
  readonly names: readonly string[];
  /** Through `properties` alone. */
  readonly isReachable: boolean;
}

class Declarations {
  readonly headers: ParameterHeader[] = [];
  readonly #taken = new Set<string>();
  problem: string | undefined;

  visit(schema: unknown, place: PropertyPosition): void {
    if (this.problem !== undefined) return;
    if (Array.isArray(schema)) {
      for (const part of schema) this.visit(part, place);
      return;
    }
    if (!isMapping(schema)) return;
    if (Object.hasOwn(schema, KEYWORD)) this.#declare(schema, place);
    for (const [keyword, value] of Object.entries(schema)) {
      if (NAMED_SCHEMAS.has(keyword) && isMapping(value)) this.#visitNamed(keyword, value, place);
      else if (!DATA.has(keyword)) this.visit(value, { ...place, isReachable: false });
    }
  }

  #visitNamed(
    keyword: string,
    schemas: Readonly<Record<string, unknown>>,
    { names, isReachable }: PropertyPosition,
  ): void {
    for (const [name, schema] of Object.entries(schemas)) {
      this.visit(schema, { names: [...names, name], isReachable: isReachable && keyword === 'properties' });
    }
  }

  #declare(schema: Readonly<Record<string, unknown>>, { names, isReachable }: PropertyPosition): void {
    const { [KEYWORD]: name, type } = schema;
    const problem = this.#problemOf(name, type, isReachable && names.length > 0);
    if (problem !== undefined) {
      this.problem = `${KEYWORD} ${names.length === 0 ? 'of the whole schema' : `at ${names.join('.')}`}: ${problem}`;
      return;
    }
    this.#taken.add((name as string).toLowerCase());
    this.headers.push({
      header: `Mcp-Param-${name as string}`,
      path: names,
      type: type as ParameterHeader['type'],
    });
  }

  #problemOf(name: unknown, type: unknown, isReachable: boolean): string | undefined {
    if (!isReachable) return 'it must stand on a property that is reached through "properties" alone';
    if (typeof name !== 'string' || !TOKEN.test(name)) return 'it is not a name that a header can have';
    if (!TYPES.has(type)) return 'its property must be of the type string, integer or boolean';
    if (this.#taken.has(name.toLowerCase())) return `two properties have the header ${JSON.stringify(name)}`;
    return undefined;
  }
}

/** Returns the span of a declared argument's value; `undefined` if it is absent or `null`. */
export function parameterSpan(text: Buffer, args: Span | undefined, path: readonly string[]): Span | undefined {
  let span = args;
  for (const name of path) {
    if (span === undefined || typeOfByte(text[span.start]) !== 'object') return undefined;
    span = lastMember(membersOf(text, span), name);
  }
  return span === undefined || typeOfByte(text[span.start]) === 'null' ? undefined : span;
}

/**
 * Returns the text of a declared argument, before it is encoded: `undefined` if there is none, and for what no header can
 * say (objects, lists, integers beyond 2^53).
 */
export function parameterValue(text: Buffer, args: Span | undefined, path: readonly string[]): string | undefined {
  const span = parameterSpan(text, args, path);
  if (span === undefined) return undefined;
  switch (typeOfByte(text[span.start])) {
    case 'string':
      return stringAt(text, span);
    case 'boolean':
      return rawText(text, span);
    case 'number':
      return decimal(Number(rawText(text, span)));
    default:
      return undefined;
  }
}

function decimal(value: number): string | undefined {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}
