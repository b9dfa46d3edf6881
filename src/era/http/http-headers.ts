import { lastMember, stringAt, typeOfByte } from '../../wire/lens.ts';
import type { Member } from '../../wire/scanning/outline.ts';
import { decodeHeaderValue } from './header-values.ts';
import { type ParameterHeader, parameterSpan, parameterValue } from './parameter-headers.ts';

/**
 * The headers of a modern request that repeat parts of its body (2026-07-28, Streamable HTTP, "Standard Request
 * Headers"), not yet encoded.
 */
export interface StandardHeaders {
  readonly 'Mcp-Method': string;
  readonly 'Mcp-Name'?: string;
}

/** The member of a request's params that is its name, by method. */
const NAME_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

export function standardHeadersOf(method: string, text: Buffer, params: readonly Member[]): StandardHeaders {
  const key = NAME_MEMBERS.get(method);
  const name = key === undefined ? undefined : stringAt(text, lastMember(params, key));
  return { 'Mcp-Method': method, ...(name !== undefined && { 'Mcp-Name': name }) };
}

/** A modern request as its headers must describe it. */
export interface MirroredRequest {
  readonly method: string;
  /** The revision that its envelope names. */
  readonly version: string;
  readonly text: Buffer;
  readonly params: readonly Member[];
}

/** The headers under lower-case names, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns what is wrong with the headers of a POST, for the message of error -32020; `undefined` if they match its body
 * ("Server Validation"). `declarations` are those of the tool that it calls.
 */
export function headerProblem(
  headers: RequestHeaders,
  request: MirroredRequest,
  declarations: readonly ParameterHeader[] = [],
): string | undefined {
  const { method, version, text, params } = request;
  const standard = standardHeadersOf(method, text, params);
  return (
    plainProblem(headers, 'MCP-Protocol-Version', version) ??
    plainProblem(headers, 'Mcp-Method', standard['Mcp-Method']) ??
    nameProblem(headers, standard['Mcp-Name']) ??
    firstProblem(declarations, (declaration) => parameterProblem(headers, request, declaration))
  );
}

function firstProblem<T>(parts: readonly T[], problemOf: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const problem = problemOf(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns what is wrong with a header that is never encoded. */
function plainProblem(headers: RequestHeaders, header: string, expected: string): string | undefined {
  const value = headerOf(headers, header);
  if (typeof value !== 'string') return value?.problem ?? missing(header);
  return value === expected ? undefined : mismatch(header, value, expected);
}

function nameProblem(headers: RequestHeaders, expected: string | undefined): string | undefined {
  return expected === undefined
    ? undefined
    : encodedProblem(headers, 'Mcp-Name', (value) => isSame(value, expected), expected);
}

function parameterProblem(
  headers: RequestHeaders,
  { text, params }: MirroredRequest,
  { header, path }: ParameterHeader,
): string | undefined {
  const args = lastMember(params, 'arguments');
  const span = parameterSpan(text, args, path);
  if (span === undefined) {
    return headerOf(headers, header) === undefined ? undefined : `the header ${header} has no argument in the body`;
  }
  const expected = parameterValue(text, args, path);
  if (expected === undefined) return undefined;
  const isNumber = typeOfByte(text[span.start]) === 'number';
  const fits = (value: string) => isSame(value, expected) || (isNumber && isSameNumber(value, expected));
  return encodedProblem(headers, header, fits, expected);
}

function encodedProblem(
  headers: RequestHeaders,
  header: string,
  fits: (value: string) => boolean,
  expected: string,
): string | undefined {
  const value = headerOf(headers, header);
  if (typeof value !== 'string') return value?.problem ?? missing(header);
  const decoded = decodeHeaderValue(value);
  if (decoded === undefined) return `the header ${header} has characters that are not allowed, or bad Base64`;
  return fits(decoded) ? undefined : mismatch(header, decoded, expected);
}

/** Half a surrogate pair cannot be written in UTF-8: it comes as U+FFFD. */
function isSame(value: string, expected: string): boolean {
  return value === expected || value === Buffer.from(expected, 'utf8').toString('utf8');
}

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** `42.0` is 42. */
function isSameNumber(value: string, expected: string): boolean {
  return DECIMAL.test(value) && Number(value) === Number(expected);
}

function headerOf(headers: RequestHeaders, header: string): string | { readonly problem: string } | undefined {
  const value = headers[header.toLowerCase()];
  if (value === undefined || typeof value === 'string') return value;
  return value.length > 1 ? { problem: `the header ${header} occurs more than once` } : value[0];
}

const missing = (header: string): string => `the header ${header} is missing`;

const mismatch = (header: string, value: string, expected: string): string =>
  `the header ${header} says ${shown(value)}, the body says ${shown(expected)}`;

const LONGEST = 100;

const shown = (text: string): string => JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
