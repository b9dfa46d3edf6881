import fc from 'fast-check';
import type { JsonObject } from '../../../../../src/core/stores/checkpoint-store.ts';
import type { ChangeStamp } from '../../../../../src/workflows/checkpoint/bundle/stamp.ts';

export const STAMP: ChangeStamp = { projectId: 'acme-billing', sourceIde: 'cursor', at: '2026-04-17T10:23:45.000Z' };

/** The patch of the seed document's own example. */
export const SEED_PATCH = {
  plan_steps: ['Refactor auth module', 'Add tests'],
  decisions: [{ id: 'd1', text: 'Use JWT', rationale: 'Stateless' }],
  todos: [{ id: 't1', text: 'Write migration script', status: 'open' }],
};

const ids = fc.constantFrom('d1', 'd2', 't1', 't_3', 'x');
const texts = fc.constantFrom('one', 'two', 'three');
const statuses = fc.constantFrom('open', 'pending', 'in_progress', 'done');
const item = fc.record({ id: ids, text: texts, status: statuses }, { requiredKeys: ['id', 'text'] });
const deletion = fc.record({ id: fc.oneof(ids, fc.constant('*')), _delete: fc.constant(true as const) });
const list = fc.array(fc.oneof(item, item, deletion), { maxLength: 5 });
const orNull = <T>(values: fc.Arbitrary<T>) => fc.oneof({ weight: 5, arbitrary: values }, fc.constant(null));

const workspace = fc.record(
  {
    _delete: fc.constant(true as const),
    open_files: orNull(fc.array(texts, { maxLength: 2 })),
    active_file: orNull(texts),
    other: fc.anything({ maxDepth: 1, withNullPrototype: false }).filter(isJson),
  },
  { requiredKeys: [] },
);
const git = fc.record({ head: texts, branch: orNull(texts) }, { requiredKeys: [] });
const project = fc.record({ git: orNull(git), note: texts }, { requiredKeys: [] });
const plan = fc.record({ summary: texts, current_step: orNull(texts) }, { requiredKeys: [] });
const anyField = fc.oneof(fc.constantFrom<unknown>(1, 'text', true), fc.array(texts, { maxLength: 2 }), workspace);

/** Patches that pass their validation, and meet in few fields and ids. */
export const patches: fc.Arbitrary<JsonObject> = fc.record(
  {
    todos: orNull(list),
    decisions: orNull(list),
    plan: orNull(plan),
    plan_steps: orNull(fc.array(texts, { maxLength: 2 })),
    workspace: orNull(workspace),
    project: orNull(project),
    git: orNull(git),
    user_id: orNull(texts),
    unknown_field: orNull(anyField),
  },
  { requiredKeys: [] },
);

function isJson(value: unknown): boolean {
  return (
    value === null ||
    (typeof value === 'object' ? Object.keys(value).length === 0 : ['string', 'boolean'].includes(typeof value))
  );
}
