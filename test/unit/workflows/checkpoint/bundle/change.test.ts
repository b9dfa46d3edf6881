import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/core/stores/checkpoint-store.ts';
import { newDecision, newTodo } from '../../../../../src/workflows/checkpoint/bundle/addition.ts';
import { appendItem, saveInto, updateTodo } from '../../../../../src/workflows/checkpoint/bundle/change.ts';
import { parsePatch } from '../../../../../src/workflows/checkpoint/bundle/validate.ts';
import { patches, SEED_PATCH, STAMP } from './bundles.ts';

function saved(patch: JsonObject, before?: JsonObject): JsonObject {
  return saveInto(before, parsePatch(patch), STAMP).bundle;
}

describe('a save', () => {
  test('of the seed document gives the bundle of the seed document', () => {
    expect(saved(SEED_PATCH)).toEqual({
      pcb_version: '1.0',
      bundle_id: 'bnd_1',
      project_id: 'acme-billing',
      last_source_ide: 'cursor',
      updated_at: '2026-04-17T10:23:45.000Z',
      ...SEED_PATCH,
    });
  });

  test('gets the next number each time', () => {
    expect(saveInto(saved({}), {}, STAMP).outcome.bundleId).toBe('bnd_2');
  });

  test('of what was loaded changes nothing', () => {
    const first = saved({ ...SEED_PATCH, metadata: { a: 1 } });
    expect(saved(first, first)).toEqual({ ...first, bundle_id: 'bnd_2' });
  });

  test('says how the project was found, whatever the patch says', () => {
    const stamp = { ...STAMP, project: { resolved_from: 'git', root_path_fingerprint: 'f' } };
    const patch = parsePatch({ project: { id: 'other', resolved_from: 'x', note: 'kept' } });
    expect(saveInto(undefined, patch, stamp).bundle.project).toEqual({
      note: 'kept',
      id: 'acme-billing',
      resolved_from: 'git',
      root_path_fingerprint: 'f',
    });
  });

  test('lists what was taken out as long as it is there', () => {
    const first = saved({ todos: [{ id: 't1', text: 'use [redacted:jwt]' }], metadata: { redactions: ['made up'] } });
    expect(first.metadata).toEqual({ redactions: [{ path: 'todos[t1].text', kind: 'jwt' }] });
    expect(saved({ todos: [{ id: 't1', text: 'use nothing' }] }, first).metadata).toBeUndefined();
  });

  test('that would make the bundle too large is refused with the largest field', () => {
    const part = 'x'.repeat(1_900_000);
    let bundle: JsonObject = {};
    expect(() => {
      for (let count = 1; count <= 9; count++) bundle = saved({ memories: [{ id: `m${count}`, text: part }] }, bundle);
    }).toThrow(/^bundle: 16\.\d MiB of JSON, and 16\.0 MiB are allowed; the largest field is memories/);
  });
});

describe('an appended item', () => {
  test('follows the highest number in the list', () => {
    const { bundle, outcome } = appendItem(
      saved(SEED_PATCH),
      newDecision({ text: 'Use argon2id', rationale: 'OWASP' }),
      STAMP,
    );
    expect(outcome).toEqual({ id: 'd2' });
    expect(bundle.decisions).toEqual([
      ...SEED_PATCH.decisions,
      { id: 'd2', text: 'Use argon2id', rationale: 'OWASP', at: STAMP.at },
    ]);
  });

  test('is the first of a project that has nothing yet', () => {
    expect(appendItem(undefined, newTodo({ text: 'a' }), STAMP)).toMatchObject({
      outcome: { id: 't1' },
      bundle: { bundle_id: 'bnd_1', todos: [{ id: 't1', text: 'a', status: 'open' }] },
    });
  });

  test('counts on from the ids of ide-bridge', () => {
    const bundle = saved({ todos: [{ id: 't_7', text: 'a', status: 'pending' }] });
    expect(appendItem(bundle, newTodo({ text: 'b', status: 'done' }), STAMP).outcome).toEqual({ id: 't8' });
  });

  test('never gets an id that another one has or had', () => {
    type Step = { readonly append: true } | { readonly patch: JsonObject };
    const steps: fc.Arbitrary<Step> = fc.oneof(
      fc.constant({ append: true } as const),
      patches.map((patch) => ({ patch })),
      fc.constantFrom('t1', 't2', 't3').map((id) => ({ patch: { todos: [{ id, _delete: true }] } })),
      fc.constant({ patch: { todos: null } }),
    );
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 12 }), (history) => {
        const given = new Set<string>();
        let bundle: JsonObject | undefined;
        for (const step of history) {
          if ('patch' in step) bundle = saved(step.patch, bundle);
          else {
            const present = ((bundle?.todos ?? []) as { id: string }[]).map(({ id }) => id);
            const appended = appendItem(bundle, newTodo({ text: 'x' }), STAMP);
            expect([...given, ...present]).not.toContain(appended.outcome.id);
            given.add(appended.outcome.id);
            bundle = appended.bundle;
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('an update of a todo', () => {
  const bundle = saved({
    todos: [
      { id: 't1', text: 'a', status: 'pending', priority: 1 },
      { id: 't2', text: 'b' },
    ],
  });

  test('changes it in its place and keeps what it says besides', () => {
    const { bundle: next, outcome } = updateTodo(bundle, 't1', { status: 'done' }, STAMP);
    expect(outcome).toEqual({ id: 't1', text: 'a', status: 'done', priority: 1 });
    expect(next.todos).toEqual([outcome, { id: 't2', text: 'b' }]);
  });

  test('that changes nothing gives the very same bundle', () => {
    expect(updateTodo(bundle, 't1', { status: 'pending', text: 'a' }, STAMP).bundle).toBe(bundle);
    expect(updateTodo(bundle, 't2', {}, STAMP).bundle).toBe(bundle);
  });

  test('that is not there names those that are', () => {
    expect(() => updateTodo(bundle, 't9', { status: 'done' }, STAMP)).toThrow(
      'todo_id: there is no todo "t9"; there are t1, t2',
    );
    expect(() => updateTodo(undefined, 't9', {}, STAMP)).toThrow('the project has none');
  });
});
