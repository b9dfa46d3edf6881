import { isObject } from '../../../core/json/as-object.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { objectOf } from './json.ts';
import { EVERY_ID, LIST_FIELDS } from './schema.ts';

interface Item extends JsonObject {
  readonly id: string;
}

const LISTS: ReadonlySet<string> = new Set(LIST_FIELDS);
const DELETE = '_delete';
const EMPTY_FIRST: Item = { id: EVERY_ID, [DELETE]: true };

/**
 * Returns the bundle after the patch: lists of items by id, `plan` and plain values replaced, members of other objects one by
 * one; `null` deletes. Both must have passed their validation. An object that is left without members goes.
 */
export function mergeBundle(bundle: JsonObject, patch: JsonObject): JsonObject {
  const fields = new Map(Object.entries(bundle));
  for (const [field, change] of Object.entries(withTwins(patch))) {
    const next = mergeField(field, fields.get(field), change);
    if (next === undefined) fields.delete(field);
    else fields.set(field, next);
  }
  return Object.fromEntries(fields);
}

/** One patch that does what the two do one after the other. */
export function combinePatches(first: JsonObject, second: JsonObject): JsonObject {
  const fields = new Map(Object.entries(withTwins(first)));
  for (const [field, change] of Object.entries(withTwins(second))) {
    fields.set(field, fields.has(field) ? combineField(field, fields.get(field), change) : change);
  }
  return Object.fromEntries(fields);
}

export function isDeletion(item: unknown): boolean {
  return isObject(item) && item[DELETE] === true;
}

function mergeField(field: string, before: unknown, change: unknown): unknown {
  if (change === null) return undefined;
  if (LISTS.has(field)) return mergeItems((before as readonly Item[] | undefined) ?? [], change as readonly Item[]);
  if (isMerged(field, change)) return mergeMembers(objectOf(before), change);
  return change;
}

/** True if the field is an object whose members are merged. */
function isMerged(field: string, change: unknown): change is JsonObject {
  return field !== 'plan' && isObject(change);
}

function mergeItems(before: readonly Item[], changes: readonly Item[]): readonly Item[] {
  const items = new Map(before.map((item) => [item.id, item]));
  for (const change of changes) {
    if (!isDeletion(change)) items.set(change.id, change);
    else if (change.id === EVERY_ID) items.clear();
    else items.delete(change.id);
  }
  return [...items.values()];
}

function mergeMembers(before: JsonObject, changes: JsonObject): JsonObject | undefined {
  const members = new Map(changes[DELETE] === true ? [] : Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (key === DELETE) continue;
    if (value === null) members.delete(key);
    else members.set(key, value);
  }
  return members.size === 0 ? undefined : Object.fromEntries(members);
}

function combineField(field: string, first: unknown, second: unknown): unknown {
  if (second === null) return null;
  if (LISTS.has(field)) {
    const earlier = first === null ? [EMPTY_FIRST] : (first as readonly Item[]);
    return combineItems([...earlier, ...(second as readonly Item[])]);
  }
  if (!isMerged(field, second) || second[DELETE] === true) return second;
  return isObject(first) ? { ...first, ...second } : { [DELETE]: true, ...second };
}

/** The same changes without those that later ones undo: deletions first, since each only concerns what was before it. */
function combineItems(changes: readonly Item[]): readonly Item[] {
  const deletions = new Map<string, Item>();
  const items = new Map<string, Item>();
  for (const change of changes) {
    if (!isDeletion(change)) {
      items.set(change.id, change);
      continue;
    }
    if (change.id === EVERY_ID) {
      items.clear();
      deletions.clear();
    }
    items.delete(change.id);
    deletions.set(change.id, change);
  }
  return [...deletions.values(), ...items.values()];
}

/**
 * `plan` and `plan_steps` are two spellings of the plan, `git` and `project.git` two of the git state: who writes one
 * must not leave an older other one behind.
 */
function withTwins(patch: JsonObject): JsonObject {
  return withGitTwin(withPlanTwin(patch));
}

function withPlanTwin(patch: JsonObject): JsonObject {
  if (isPresent(patch.plan) && !Object.hasOwn(patch, 'plan_steps')) return { ...patch, plan_steps: null };
  if (isPresent(patch.plan_steps) && !Object.hasOwn(patch, 'plan')) return { ...patch, plan: null };
  return patch;
}

function withGitTwin(patch: JsonObject): JsonObject {
  const { project, git } = patch;
  const isNamedInProject = project === null || Object.hasOwn(objectOf(project), 'git');
  if (isObject(git) && !isNamedInProject) return { ...patch, project: { ...objectOf(project), git: null } };
  const own = objectOf(project).git;
  if (isObject(own) && !Object.hasOwn(patch, 'git')) return { ...patch, git: { [DELETE]: true, ...own } };
  return patch;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
