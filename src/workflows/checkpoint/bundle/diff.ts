import { z } from 'zod';
import { isObject } from '../../../core/json/as-object.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { exactJson } from '../../../core/json/exact-json.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { cutText } from '../../../core/text/clean-text.ts';
import { atOnce, inSlices, type Steps } from '../../../core/timing/steps.ts';
import { objectOf, without } from './json.ts';
import { LIST_FIELDS } from './schema.ts';

/** One difference between two revisions; `before` and `after` as they stand there. */
export const changeSchema = z.object({
  /** `todos[t1]`, `workspace.active_file`, `plan`. */
  path: z.string(),
  change: z.enum(['added', 'removed', 'changed']),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

export type BundleChange = z.output<typeof changeSchema>;

/** They change with every revision, and say nothing about the task. */
const EVERY_TIME = new Set(['bundle_id', 'updated_at', '_counters']);
const LISTS: ReadonlySet<string> = new Set(LIST_FIELDS);

type Values = ReadonlyMap<string, unknown>;

/** Returns the changes of a bundle: items of lists by id, members of objects one by one, everything else as a whole. */
export function diffBundles(before: JsonObject | undefined, after: JsonObject | undefined): readonly BundleChange[] {
  return atOnce(compareAll(valuesOf(before ?? {}), valuesOf(after ?? {})));
}

/** Compares bundles that may be large while other work goes on. See `diffBundles`. */
export function diffInSlices(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Promise<readonly BundleChange[]> {
  return inSlices(compareAll(valuesOf(before ?? {}), valuesOf(after ?? {})));
}

/** Changes in words, one a line, for people. */
export function renderDiff(changes: readonly BundleChange[]): string {
  return changes.map(lineOf).join('\n');
}

function valuesOf(bundle: JsonObject): Values {
  const values = new Map<string, unknown>();
  for (const [field, value] of Object.entries(without(bundle, EVERY_TIME))) {
    if (LISTS.has(field)) addItems(values, field, value);
    else if (isObject(value) && field !== 'plan') addMembers(values, field, value);
    else values.set(field, value);
  }
  return values;
}

function addItems(values: Map<string, unknown>, field: string, items: unknown): void {
  for (const item of items as readonly JsonObject[]) values.set(`${field}[${String(item.id)}]`, item);
}

function addMembers(values: Map<string, unknown>, field: string, members: JsonObject): void {
  for (const [key, value] of Object.entries(members)) values.set(`${field}.${key}`, value);
}

function* compareAll(before: Values, after: Values): Steps<readonly BundleChange[]> {
  const changes: BundleChange[] = [];
  for (const [path, value] of before) {
    yield;
    if (!after.has(path)) changes.push({ path, change: 'removed', before: value });
    else if (!isSame(value, after.get(path)))
      changes.push({ path, change: 'changed', before: value, after: after.get(path) });
  }
  for (const [path, value] of after) {
    if (!before.has(path)) changes.push({ path, change: 'added', after: value });
  }
  return changes;
}

function isSame(a: unknown, b: unknown): boolean {
  // Most items stay as they are, with their members in the same order.
  return exactJson(a) === exactJson(b) || canonicalJson(withOneStatus(a)) === canonicalJson(withOneStatus(b));
}

/** `open` and `pending` are one status, and the one of an item that has none. */
function withOneStatus(value: unknown): unknown {
  if (!isObject(value) || !isTodo(value)) return value;
  const { status } = value;
  return { ...value, status: status === 'pending' || status === undefined || status === null ? 'open' : status };
}

function isTodo(value: JsonObject): boolean {
  return typeof value.id === 'string' && typeof value.text === 'string';
}

function lineOf({ path, change, before, after }: BundleChange): string {
  if (change === 'added') return `+ ${path}: ${brief(after)}`;
  if (change === 'removed') return `- ${path}: ${brief(before)}`;
  return `~ ${path}: ${brief(before)} → ${brief(after)}`;
}

function brief(value: unknown): string {
  const { text, status } = objectOf(value);
  const words = typeof text === 'string' ? `${text}${typeof status === 'string' ? ` (${status})` : ''}` : undefined;
  const line = (words ?? (typeof value === 'string' ? value : exactJson(value)!)).replace(/\s+/g, ' ');
  return cutText(line, 120);
}
