import { isObject } from '../../../core/json/as-object.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { invalid, objectOf, plainJson } from './json.ts';
import { LIST_FIELDS } from './schema.ts';
import { parsePatch, patchProblems } from './validate.ts';

/** A project of ide-bridge as one of ours. */
export interface ImportedProject {
  readonly projectId: string;
  readonly sourceIde: string;
  /** The time at which it was saved there. */
  readonly updatedAt: string | undefined;
  /** To be merged as if its IDE had saved it. */
  readonly patch: JsonObject;
  /** Paths of what could not be taken over, with the reason. */
  readonly leftOut: readonly string[];
}

type Path = readonly PropertyKey[];

/**
 * Reads what ide-bridge keeps as `projects/<folder>/bundle.json`, also where ide-bridge itself refuses to load it.
 * @throws GatewayError if it is no bundle at all, or too large.
 */
export function importIdeBridge(value: unknown, folder: string): ImportedProject {
  if (!isObject(value)) throw invalid('bundle.json', 'is no JSON object');
  const leftOut: string[] = [];
  const bundle = plainJson(value, 'bundle.json') as JsonObject;
  const fields = withoutProblems(withIds(withoutEmpty(bundle)), leftOut);
  const patch = parsePatch({ ...fields, metadata: { ...objectOf(fields.metadata), imported: originOf(bundle) } });
  return {
    projectId: textOf(objectOf(bundle.project).id) ?? folder,
    sourceIde: textOf(bundle.last_source_ide) ?? 'unknown',
    updatedAt: textOf(bundle.updated_at),
    patch,
    leftOut,
  };
}

function originOf(bundle: JsonObject): JsonObject {
  const { bundle_id, updated_at, pcb_version } = bundle;
  const known = Object.entries({ bundle_id, updated_at, pcb_version }).filter(([, value]) => value !== undefined);
  return { from: 'ide-bridge', ...Object.fromEntries(known) };
}

/** ide-bridge fills every field; what is empty there would only delete or clutter. */
function withoutEmpty(bundle: JsonObject): JsonObject {
  const fields = Object.entries(bundle).filter(
    ([field, value]) => !(field === 'plan' ? isEmptyPlan(value) : isEmpty(value)),
  );
  return Object.fromEntries(
    fields.map(([field, value]) => [field, field !== 'plan' && isObject(value) ? withoutEmptyMembers(value) : value]),
  );
}

function withoutEmptyMembers(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isEmptyPlan(plan: unknown): boolean {
  return (
    !isObject(plan) ||
    ['summary', 'current_step', 'steps'].every((key) => plan[key] === undefined || isEmpty(plan[key]))
  );
}

/** Lost updates of ide-bridge can leave items without an id, or several with one: each gets an id of its own. */
function withIds(bundle: JsonObject): JsonObject {
  const lists = LIST_FIELDS.filter((field) => Array.isArray(bundle[field]));
  const numbered = lists.map((field) => [field, distinct(bundle[field] as readonly unknown[], field[0]!)]);
  return { ...bundle, ...(Object.fromEntries(numbered) as JsonObject) };
}

function distinct(items: readonly unknown[], letter: string): readonly unknown[] {
  const taken = new Set(items.map((item) => objectOf(item).id));
  const used = new Set<unknown>();
  let count = 0;
  return items.map((item) => {
    if (!isObject(item)) return item;
    let { id } = item;
    if (typeof id !== 'string' || id === '' || used.has(id)) {
      do count += 1;
      while (taken.has(`${letter}_${count}`));
      id = `${letter}_${count}`;
    }
    used.add(id);
    return { ...item, id };
  });
}

/** Takes out, item by item or member by member, what we could not store. */
function withoutProblems(bundle: JsonObject, leftOut: string[]): JsonObject {
  const problems = patchProblems(bundle);
  if (problems.length === 0) return bundle;
  const parts = new Map(problems.map((problem) => [partOf(problem.path).join('.'), problem]));
  leftOut.push(...[...parts].map(([path, { message }]) => `${path}: ${message}`));
  const doomed = new Set(parts.keys());
  const fields = Object.entries(bundle).filter(([field]) => !doomed.has(field));
  return Object.fromEntries(fields.map(([field, value]) => [field, withoutParts(field, value, doomed)]));
}

/** Returns the item, or the member of an object, that a problem is in. */
function partOf(path: Path): readonly string[] {
  return path.slice(0, 2).map(String);
}

function withoutParts(field: string, value: unknown, doomed: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.filter((_item, index) => !doomed.has(`${field}.${index}`));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !doomed.has(`${field}.${key}`)));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
