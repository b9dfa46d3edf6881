import type { z } from 'zod';
import { knownKeys } from '../json-schema.ts';
import type { ConfigKey } from '../keys/config-keys.ts';
import { type Finding, isMapping, toJsonPath, valueAt } from './finding.ts';
import { foreignKey } from './foreign-keys.ts';
import { quoted } from './quoted.ts';
import { suggest } from './suggest.ts';
import { explain, valueHint } from './value-hints.ts';

type Issue = z.core.$ZodIssue;

export type Checked<T> =
  | { readonly data: T; readonly findings: readonly [] }
  | { readonly findings: readonly Finding[] };

/**
 * Checks the value of a file.
 * @param keys the keys of the schema, which explain what is wrong
 * @returns the checked value, or what is wrong in our own words
 */
export function checkShape<T>(schema: z.ZodType<T>, value: unknown, keys: readonly ConfigKey[]): Checked<T> {
  // Zod compiles a parser unless it is told not to, which does not pay for a single use.
  const result = schema.safeParse(value, { error: (issue) => messageOf(issue), jitless: true });
  if (result.success) return { data: result.data, findings: [] };
  const issues = result.error.issues.flatMap(insideUnion);
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? unknownKeys(issue, schema, keys) : [],
  );
  const misspelt = new Set(unknown.map(({ meant }) => meant));
  const others = issues
    .filter((issue) => issue.code !== 'unrecognized_keys')
    .map((issue) => toFinding(issue, value, keys))
    .filter((finding) => !isExplained(finding, misspelt));
  return { findings: [...unknown.map(({ finding }) => finding), ...others] };
}

const MISSING = 'required, but missing';

/** Returns whether a missing key is there in another spelling. */
function isExplained(finding: Finding, misspelt: ReadonlySet<string | undefined>): boolean {
  return finding.message === MISSING && misspelt.has(toJsonPath(finding.path));
}

function toFinding(issue: Issue, file: unknown, keys: readonly ConfigKey[]): Finding {
  const path = pathOf(issue);
  const input = valueAt(file, path);
  if (issue.code === 'invalid_key') return { path, at: 'key', message: issue.issues[0]?.message ?? 'not a valid key' };
  const problem = explain(path, input, keys);
  return {
    path,
    message: problem?.message ?? issue.message,
    hint: authoredHint(issue) ?? problem?.hint ?? valueHint(issue, path, input, keys),
  };
}

function authoredHint(issue: Issue): string | undefined {
  const hint: unknown = issue.code === 'custom' ? issue.params?.hint : undefined;
  return typeof hint === 'string' ? hint : undefined;
}

interface UnknownKey {
  readonly finding: Finding;
  /** JSON path of the key that was probably meant. */
  readonly meant: string | undefined;
}

function unknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  schema: z.ZodType,
  keys: readonly ConfigKey[],
): UnknownKey[] {
  const parent = pathOf(issue);
  const known = knownKeys(schema, parent);
  return issue.keys.map((key) => {
    const path = [...parent, key];
    const foreign = foreignKey(path, keys);
    if (foreign !== undefined) return { finding: { path, at: 'key', ...foreign }, meant: undefined };
    const meant = suggest(key, known);
    const hint = meant === undefined ? keyList(known) : `did you mean "${meant}"?`;
    return {
      finding: { path, at: 'key', message: 'unknown key', hint },
      meant: meant && toJsonPath([...parent, meant]),
    };
  });
}

const keyList = (keys: readonly string[]): string | undefined =>
  keys.length === 0 ? undefined : `known keys: ${keys.join(', ')}`;

const pathOf = (issue: Issue): (string | number)[] =>
  issue.path.map((part) => (typeof part === 'number' ? part : String(part)));

/** Returns the issues of the alternative of a union that comes nearest to the value. */
function insideUnion(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const nearest = issue.errors.find((branch) => branch.some(isInside));
  return nearest?.flatMap((inner) => insideUnion({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

/** Returns whether the value itself was of the right kind, so that what is wrong is inside it. */
const isInside = (issue: Issue): boolean => issue.path.length > 0 || issue.code === 'unrecognized_keys';

/** Returns our message for an issue whose schema has no message of its own. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' || issue.code === 'invalid_value') {
    if (issue.input === undefined) return MISSING;
  }
  if (issue.code === 'invalid_type') return `must be ${nameOf(String(issue.expected))}, not ${kindOf(issue.input)}`;
  if (issue.code === 'invalid_value') return `must be ${alternatives(issue.values)}, not ${show(issue.input)}`;
  if (issue.code === 'invalid_union') return 'has none of the forms that are allowed here';
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
  return undefined;
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a mapping (key: value)'],
  ['record', 'a mapping (key: value)'],
]);

const nameOf = (type: string): string => TYPE_NAMES.get(type) ?? type;

function kindOf(value: unknown): string {
  if (value === null) return 'an empty value';
  if (Array.isArray(value)) return 'a list';
  if (isMapping(value)) return 'a mapping';
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  return typeof value === 'string' ? 'text' : typeof value;
}

function alternatives(values: readonly unknown[]): string {
  const shown = values.map(String);
  const last = shown.pop() ?? 'nothing';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

const show = (value: unknown): string => (typeof value === 'string' ? quoted(value) : kindOf(value));
