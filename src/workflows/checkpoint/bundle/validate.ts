import { z } from 'zod';
import type { GatewayError } from '../../../core/errors.ts';
import { isObject } from '../../../core/json/as-object.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { pathText } from '../../../core/text/path-text.ts';
import { atOnce, inSlices, type Steps } from '../../../core/timing/steps.ts';
import { invalid, objectOf, plainJson, without } from './json.ts';
import { checkBundleSize, checkPatchSize } from './limits.ts';
import { isDeletion } from './merge.ts';
import {
  BUNDLE_VERSION,
  bundleSchema,
  EVERY_ID,
  HEADER_FIELDS,
  LIST_FIELDS,
  LIST_ITEMS,
  type ListField,
  OTHER_FIELDS,
} from './schema.ts';

/** Names that code reading a bundle could take for something of the language. They may occur deeper inside values. */
const PROTOTYPE_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];
/** Members that only the gateway writes. A client that sends back what it loaded is not refused for them. */
const GATEWAY_FIELDS = new Set([...Object.keys(HEADER_FIELDS), '_counters', ...PROTOTYPE_KEYS]);
const GATEWAY_MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  project: new Set(['id', 'resolved_from', 'root_path_fingerprint', ...PROTOTYPE_KEYS]),
  metadata: new Set(['redactions', ...PROTOTYPE_KEYS]),
};
const OTHER_MEMBERS = new Set(PROTOTYPE_KEYS);
/** A summary that was made up on delivery is no client's own. */
const GENERATED_SUMMARY = new Set(['summary', 'summary_generated', ...PROTOTYPE_KEYS]);

const deletionSchema = z.looseObject({ id: z.string().min(1), _delete: z.literal(true) });
const mark = z.literal(true, { message: 'can only be true' }).optional();

const patchSchema = z.looseObject(OTHER_FIELDS);
const patchLists = Object.fromEntries(LIST_FIELDS.map((field) => [field, listPatch(field)]));
/** The number of items of a list that are checked without a pause. */
const ITEMS_AT_ONCE = 100;

/**
 * The argument `bundle_patch` of a tool: any object to Zod, all that is known of its fields to the model that reads it.
 * Made when it is asked for: it takes long, and most starts do without it.
 */
export function patchArgument() {
  return z.record(z.string(), z.unknown()).meta({
    description:
      'The fields to change. Items of lists are merged by id, plan is replaced, other objects are merged member by member; null deletes a field or member, {"id": "...", "_delete": true} an item. Other fields than these are kept as they are.',
    properties: patchProperties(),
  });
}

/**
 * Returns a patch as it may be merged: plain JSON of a permitted size, without the fields that only the gateway writes.
 * @throws GatewayError `INVALID_PARAMS` that names the field.
 */
export function parsePatch(value: unknown): JsonObject {
  return atOnce(parse(value));
}

/** Parses a patch that may be large while other work goes on. See `parsePatch`. */
export function parsePatchInSlices(value: unknown): Promise<JsonObject> {
  return inSlices(parse(value));
}

function* parse(value: unknown): Steps<JsonObject> {
  if (!isObject(value)) throw invalid('bundle_patch', 'must be an object');
  const plain = plainJson(value, 'bundle_patch') as JsonObject;
  yield;
  checkPatchSize(plain);
  yield;
  const patch = withoutGatewayFields(plain);
  refuse(yield* issuesOf(patch), 'bundle_patch', patch);
  for (const [field, members] of Object.entries(patch)) {
    if (isObject(members)) refuse(mark.safeParse(members._delete).error?.issues, `bundle_patch.${field}._delete`);
  }
  return patch;
}

/**
 * Returns a whole bundle, for example one that is imported.
 * @throws GatewayError `INVALID_PARAMS` that names the field.
 */
export function validateBundle(value: unknown): JsonObject {
  if (!isObject(value)) throw invalid('bundle', 'must be an object');
  const bundle = plainJson(value, 'bundle') as JsonObject;
  checkBundleSize(bundle);
  checkVersion(bundle.pcb_version);
  refuse(bundleSchema.safeParse(bundle).error?.issues, 'bundle', bundle);
  for (const field of LIST_FIELDS) refuseSameIds(bundle[field], `bundle.${field}`);
  return bundle;
}

/** Returns the number of items of a patch's lists, or whole fields, that keep it from being merged; with the fault of each. */
export function patchProblems(patch: JsonObject): readonly { path: readonly PropertyKey[]; message: string }[] {
  return atOnce(issuesOf(patch));
}

type Issues = readonly z.core.$ZodIssue[];

/** Returns the faults of a patch, those of lists last. */
function* issuesOf(patch: JsonObject): Steps<Issues> {
  const found: z.core.$ZodIssue[] = [...(patchSchema.safeParse(patch).error?.issues ?? [])];
  for (const field of LIST_FIELDS) {
    const items = patch[field];
    const length = Array.isArray(items) ? items.length : 1;
    for (let from = 0; from < length; from += ITEMS_AT_ONCE) {
      yield;
      const some: unknown = Array.isArray(items) ? items.slice(from, from + ITEMS_AT_ONCE) : items;
      for (const issue of patchLists[field]!.safeParse(some).error?.issues ?? []) {
        const [index, ...rest] = issue.path;
        found.push({ ...issue, path: [field, ...(typeof index === 'number' ? [index + from, ...rest] : issue.path)] });
      }
    }
  }
  return found;
}

function listPatch(field: ListField) {
  return z
    .array(
      z.unknown().superRefine((item, context) => {
        const schema = isDeletion(item) ? deletionSchema : LIST_ITEMS[field];
        for (const issue of schema.safeParse(item).error?.issues ?? []) {
          context.addIssue({ code: 'custom', path: issue.path as string[], message: issue.message });
        }
        if (isObject(item) && item._delete !== undefined && !isDeletion(item)) {
          context.addIssue({ code: 'custom', path: ['_delete'], message: 'can only be true' });
        }
      }),
    )
    .nullish();
}

function patchProperties(): unknown {
  const { properties } = z.toJSONSchema(z.looseObject({ ...OTHER_FIELDS, ...arraysOf(LIST_ITEMS) }), {
    io: 'input',
    target: 'draft-2020-12',
  });
  return properties;
}

function arraysOf(items: typeof LIST_ITEMS): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(items).map(([field, item]) => [field, z.array(item).optional()]));
}

function withoutGatewayFields(patch: JsonObject): JsonObject {
  const fields = Object.entries(without(patch, GATEWAY_FIELDS)).map(([field, value]) => {
    if (!isObject(value) || field === 'plan') return [field, value];
    return [field, without(value, droppedMembers(field, value))];
  });
  return Object.fromEntries(fields) as JsonObject;
}

function droppedMembers(field: string, value: JsonObject): ReadonlySet<string> {
  if (field === 'conversation' && value.summary_generated === true) return GENERATED_SUMMARY;
  return GATEWAY_MEMBERS[field] ?? OTHER_MEMBERS;
}

function checkVersion(version: unknown): void {
  if (typeof version !== 'string' || !(majorOf(version) > majorOf(BUNDLE_VERSION))) return;
  throw invalid('bundle.pcb_version', `"${version}" is newer than this gateway knows (${BUNDLE_VERSION}): update it`);
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

function refuseSameIds(items: unknown, field: string): void {
  const seen = new Set<unknown>();
  for (const item of Array.isArray(items) ? (items as unknown[]) : []) {
    const { id } = objectOf(item);
    if (seen.has(id)) throw invalid(field, `two items have the id "${String(id)}"`);
    seen.add(id);
  }
}

function refuse(issues: Issues = [], name: string, value?: unknown): void {
  const [issue] = issues;
  if (issue === undefined) return;
  const more = issues.length - 1;
  const rest = more > 0 ? ` (and ${more} more ${more === 1 ? 'problem' : 'problems'})` : '';
  throw problem(issue, name, value, rest);
}

function problem(issue: z.core.$ZodIssue, name: string, value: unknown, rest: string): GatewayError {
  return invalid(pathText([name, ...issue.path]), `${hintFor(issue, value) ?? issue.message}${rest}`);
}

/** Advice, if Zod's message only states the fault. */
function hintFor(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (issue.path.at(-1) !== 'id' || valueAt(value, issue.path) !== undefined) return undefined;
  return `every item needs an id (a text of its own, not "${EVERY_ID}"); items are merged by it`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined | null)?.[key], value);
}
