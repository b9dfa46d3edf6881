import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Addition, JsonObject } from '../../../../../src/core/stores/checkpoint-store.ts';
import { additionTo, newDecision, newTodo } from '../../../../../src/workflows/checkpoint/bundle/addition.ts';
import { appendItem, saveInto } from '../../../../../src/workflows/checkpoint/bundle/change.ts';
import type { ChangeStamp } from '../../../../../src/workflows/checkpoint/bundle/stamp.ts';
import { patches, STAMP } from './bundles.ts';

/** Makes an addition in a bundle as a store does it. */
function withAddition(bundle: JsonObject, { list, item, members }: Addition<unknown>): JsonObject {
  const next = new Map(Object.entries(bundle));
  next.set(list, [...((bundle[list] ?? []) as object[]), item]);
  for (const [key, value] of Object.entries(members)) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return Object.fromEntries(next);
}

const withoutSize = ({ size: _size, ...note }: JsonObject) => note;

const stamps: fc.Arbitrary<ChangeStamp> = fc.record(
  {
    projectId: fc.constant('p'),
    sourceIde: fc.constantFrom('cursor', 'an IDE with a longer name'),
    at: fc.constantFrom('2026-04-17T10:23:45.000Z', '2026-04-18T10:23:45.000Z'),
    project: fc.record(
      { resolved_from: fc.constantFrom('git', 'folder'), root_path_fingerprint: fc.constantFrom('a', 'b') },
      { requiredKeys: ['resolved_from'] },
    ),
  },
  { requiredKeys: ['projectId', 'sourceIde', 'at'] },
);
const newItems = fc.oneof(
  fc.record({ text: fc.string({ unit: 'binary' }) }).map(newTodo),
  fc
    .record({ text: fc.string({ unit: 'binary' }), rationale: fc.option(fc.string(), { nil: undefined }) })
    .map(newDecision),
);

describe('an addition', () => {
  test('makes the bundle, id and note that an append to the whole bundle makes', () => {
    const steps = fc.array(fc.tuple(fc.option(patches), newItems, stamps), { maxLength: 8 });
    fc.assert(
      fc.property(steps, (history) => {
        let { bundle, note } = saveInto(undefined, {}, STAMP);
        for (const [patch, item, stamp] of history) {
          if (patch !== null) ({ bundle, note } = saveInto(bundle, patch, stamp));
          const whole = appendItem(bundle, item, stamp);
          const addition = additionTo(note!, item, stamp)!;
          bundle = withAddition(bundle, addition);
          expect(bundle).toEqual(whole.bundle);
          expect(addition.outcome).toEqual(whole.outcome);
          expect(withoutSize(addition.note)).toEqual(withoutSize(whole.note!));
          expect(addition.note.size).toBeGreaterThanOrEqual(whole.note!.size as number);
          ({ note } = addition);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is not known for what was redacted, and where the bundle may become too large', () => {
    const { note } = saveInto(undefined, {}, STAMP);
    expect(additionTo(note!, newTodo({ text: 'use [redacted:jwt]' }), STAMP)).toBeUndefined();
    expect(additionTo({ ...note, size: 16 * 1024 * 1024 - 10 }, newTodo({ text: 'a' }), STAMP)).toBeUndefined();
    expect(additionTo(note!, newTodo({ text: 'a' }), STAMP)).toBeDefined();
  });

  test('is known for a project with a large member only while it says the same about the project', () => {
    const project = { git: { staged_diff: 'x'.repeat(2_000) } };
    const here = { ...STAMP, project: { resolved_from: 'git', root_path_fingerprint: 'a' } };
    const { note } = saveInto(undefined, { project }, here);
    expect(JSON.stringify(note).length).toBeLessThan(500);
    expect(additionTo(note!, newTodo({ text: 'a' }), here)?.members).not.toHaveProperty('project');
    const elsewhere = { ...here, project: { ...here.project, root_path_fingerprint: 'b' } };
    expect(additionTo(note!, newTodo({ text: 'a' }), elsewhere)).toBeUndefined();
  });
});
