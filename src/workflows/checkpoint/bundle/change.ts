import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { atOnce, inSlices, type Steps } from '../../../core/timing/steps.ts';
import { redactionsIn } from '../../../redaction/redactions.ts';
import { nextId, withCounters } from './ids.ts';
import { invalid, objectOf } from './json.ts';
import { checkBundleSize } from './limits.ts';
import { mergeBundle } from './merge.ts';
import { BUNDLE_VERSION } from './schema.ts';

/** The author and time of a change to a bundle. */
export interface ChangeStamp {
  readonly projectId: string;
  readonly sourceIde: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The way in which the project was found, if known. */
  readonly project?: { readonly resolved_from: string; readonly root_path_fingerprint?: string };
}

export interface NewDecision {
  readonly text: string;
  readonly rationale?: string | undefined;
}

export interface NewTodo {
  readonly text: string;
  readonly status?: string | undefined;
}

/** The members to change; the rest stays. */
export interface TodoChange {
  readonly text?: string | undefined;
  readonly status?: string | undefined;
}

interface Todo {
  readonly id: string;
  readonly text: string;
  readonly status?: string | null;
}

/** The result for `CheckpointStore.update`: the next bundle, and what the caller wants to know about it. */
export interface Changed<T> {
  readonly bundle: JsonObject;
  readonly outcome: T;
}

/**
 * Returns the next bundle of a project after a patch that `parsePatch` has passed. `undefined` stands for a project that
 * has none.
 * @throws GatewayError if it would become too large.
 */
export function saveInto(
  bundle: JsonObject | undefined,
  patch: JsonObject,
  stamp: ChangeStamp,
): Changed<{ readonly bundleId: string }> {
  return atOnce(saving(bundle, patch, stamp));
}

/** Merges a large patch, or one into a large bundle, while other work goes on. See `saveInto`. */
export function saveInSlices(
  bundle: JsonObject | undefined,
  patch: JsonObject,
  stamp: ChangeStamp,
): Promise<Changed<{ readonly bundleId: string }>> {
  return inSlices(saving(bundle, patch, stamp));
}

function* saving(
  bundle: JsonObject | undefined,
  patch: JsonObject,
  stamp: ChangeStamp,
): Steps<Changed<{ readonly bundleId: string }>> {
  const before = bundle ?? {};
  const merged = mergeBundle(before, patch);
  yield;
  const next = yield* stamped(before, merged, stamp);
  return { bundle: next, outcome: { bundleId: String(next.bundle_id) } };
}

/** Adds a decision; its id has never been another decision's. */
export function appendDecision(
  bundle: JsonObject | undefined,
  decision: NewDecision,
  stamp: ChangeStamp,
): Changed<{ readonly id: string }> {
  const id = nextId(bundle ?? {}, 'decisions');
  const { text, rationale } = decision;
  const entry = { id, text, ...(rationale === undefined ? {} : { rationale }), at: stamp.at };
  const { bundle: next } = saveInto(bundle, { decisions: [entry] }, stamp);
  return { bundle: next, outcome: { id } };
}

/** Adds a todo; its id has never been another todo's. */
export function appendTodo(
  bundle: JsonObject | undefined,
  todo: NewTodo,
  stamp: ChangeStamp,
): Changed<{ readonly id: string }> {
  const id = nextId(bundle ?? {}, 'todos');
  const { bundle: next } = saveInto(bundle, { todos: [{ id, text: todo.text, status: todo.status ?? 'open' }] }, stamp);
  return { bundle: next, outcome: { id } };
}

/**
 * Changes a todo in its place. If nothing changes, the bundle is the very one that was given.
 * @throws GatewayError `INVALID_PARAMS` if there is no such todo.
 */
export function updateTodo(
  bundle: JsonObject | undefined,
  id: string,
  changes: TodoChange,
  stamp: ChangeStamp,
): Changed<Todo> {
  const todos = (bundle?.todos as readonly Todo[] | undefined) ?? [];
  const todo = todos.find((candidate) => candidate.id === id);
  if (bundle === undefined || todo === undefined) throw invalid('todo_id', noSuchTodo(id, todos));
  const next = { ...todo, text: changes.text ?? todo.text, ...statusOf(changes, todo) };
  if (next.text === todo.text && next.status === todo.status) return { bundle, outcome: todo };
  return { bundle: saveInto(bundle, { todos: [next] }, stamp).bundle, outcome: next };
}

function statusOf(changes: TodoChange, todo: Todo): { readonly status?: string | null } {
  const status = changes.status ?? todo.status;
  return status === undefined ? {} : { status };
}

function noSuchTodo(id: string, todos: readonly Todo[]): string {
  const known = todos.slice(-20).map((todo) => todo.id);
  return known.length === 0
    ? `there is no todo "${id}": the project has none`
    : `there is no todo "${id}"; there are ${known.join(', ')}`;
}

/** Returns the gateway's own words about a bundle, in front of those that clients wrote. */
function* stamped(before: JsonObject, after: JsonObject, stamp: ChangeStamp): Steps<JsonObject> {
  const counted = withCounters(before, after);
  yield;
  const bundle = withProject(withRedactions(counted), stamp);
  const next = {
    pcb_version: BUNDLE_VERSION,
    bundle_id: nextBundleId(before.bundle_id),
    project_id: stamp.projectId,
    last_source_ide: stamp.sourceIde,
    updated_at: stamp.at,
  };
  const whole = { ...next, ...bundle, ...next };
  yield;
  checkBundleSize(whole);
  yield;
  return whole;
}

function nextBundleId(previous: unknown): string {
  const count = /^bnd_(\d{1,12})$/.exec(String(previous))?.[1] ?? '0';
  return `bnd_${Number(count) + 1}`;
}

function withProject(bundle: JsonObject, { projectId, project }: ChangeStamp): JsonObject {
  if (project === undefined && bundle.project === undefined) return bundle;
  return { ...bundle, project: { ...objectOf(bundle.project), id: projectId, ...project } };
}

/** Lists what was taken out; found in the bundle itself, so that a place goes when its text goes. */
function withRedactions(bundle: JsonObject): JsonObject {
  const { redactions: _old, ...metadata } = objectOf(bundle.metadata);
  const redactions = redactionsIn({ ...bundle, metadata });
  const next = redactions.length === 0 ? metadata : { ...metadata, redactions };
  const { metadata: _before, ...rest } = bundle;
  return Object.keys(next).length === 0 ? rest : { ...rest, metadata: next };
}
