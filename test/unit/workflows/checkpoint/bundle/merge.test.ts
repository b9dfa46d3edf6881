import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { combinePatches, mergeBundle } from '../../../../../src/workflows/checkpoint/bundle/merge.ts';
import { parsePatch, validateBundle } from '../../../../../src/workflows/checkpoint/bundle/validate.ts';
import { patches, SEED_PATCH } from './bundles.ts';

const bundle = {
  todos: [
    { id: 't1', text: 'a' },
    { id: 't2', text: 'b' },
  ],
  workspace: { active_file: 'a.ts', zoom: 2 },
  note: 'x',
};

describe('a patch', () => {
  test('of the seed document comes back as it was written', () => {
    expect(mergeBundle({}, parsePatch(SEED_PATCH))).toEqual(SEED_PATCH);
  });

  test.each([
    [
      'replaces an item where it stands',
      { todos: [{ id: 't1', text: 'c' }] },
      {
        todos: [
          { id: 't1', text: 'c' },
          { id: 't2', text: 'b' },
        ],
      },
    ],
    [
      'adds new items behind the others',
      { todos: [{ id: 't3', text: 'c' }] },
      { todos: [...bundle.todos, { id: 't3', text: 'c' }] },
    ],
    ['deletes an item', { todos: [{ id: 't1', _delete: true }] }, { todos: [{ id: 't2', text: 'b' }] }],
    [
      'empties a list first',
      {
        todos: [
          { id: '*', _delete: true },
          { id: 'n', text: 'n' },
        ],
      },
      { todos: [{ id: 'n', text: 'n' }] },
    ],
    ['without items changes no item', { todos: [] }, {}],
    ['merges members', { workspace: { zoom: 3 } }, { workspace: { active_file: 'a.ts', zoom: 3 } }],
    ['deletes a member', { workspace: { zoom: null } }, { workspace: { active_file: 'a.ts' } }],
    ['replaces an object', { workspace: { _delete: true, zoom: 3 } }, { workspace: { zoom: 3 } }],
    ['replaces a plain field', { note: ['y'] }, { note: ['y'] }],
    ['merges the members of a field nobody knows', { mine: { a: 1 } }, { mine: { a: 1 } }],
  ])('%s', (_name, patch, expected) => {
    expect(mergeBundle(bundle, parsePatch(patch))).toEqual({ ...bundle, ...expected });
  });

  test('deletes fields, and objects whose last member it deletes', () => {
    const next = mergeBundle(
      bundle,
      parsePatch({ todos: null, note: null, workspace: { zoom: null, active_file: null } }),
    );
    expect(next).toEqual({});
  });

  test('with one spelling of the plan leaves no older other one', () => {
    const planned = mergeBundle({ plan_steps: ['old'] }, parsePatch({ plan: { summary: 'new' } }));
    expect(planned).toEqual({ plan: { summary: 'new' } });
    expect(mergeBundle(planned, parsePatch({ plan_steps: ['newer'] }))).toEqual({ plan_steps: ['newer'] });
  });

  test('with a git state inside project makes it the git state of the bundle', () => {
    const first = mergeBundle({ git: { head: 'old', branch: 'b' } }, parsePatch({ project: { git: { head: 'new' } } }));
    expect(first.git).toEqual({ head: 'new' });
    expect(mergeBundle(first, parsePatch({ git: { head: 'newer' } }))).toEqual({ git: { head: 'newer' } });
  });

  test('changes neither the bundle it is merged into nor itself', () => {
    fc.assert(
      fc.property(patches, patches, (base, patch) => {
        const before = mergeBundle({}, base);
        const texts = [JSON.stringify(before), JSON.stringify(patch)];
        mergeBundle(before, patch);
        expect([JSON.stringify(before), JSON.stringify(patch)]).toEqual(texts);
      }),
    );
  });
});

describe('merging', () => {
  test('twice is the same as once, where no item is deleted and added in one patch', () => {
    fc.assert(
      fc.property(patches.filter(namesEachIdOnce), patches.filter(namesEachIdOnce), (base, patch) => {
        const once = mergeBundle(mergeBundle({}, base), patch);
        expect(mergeBundle(once, patch)).toEqual(once);
      }),
      { numRuns: 1_000 },
    );
  });

  test('two patches in turn is the same as merging their combination', () => {
    fc.assert(
      fc.property(patches, patches, patches, (base, first, second) => {
        const before = mergeBundle({}, base);
        const inTurn = mergeBundle(mergeBundle(before, first), second);
        expect(mergeBundle(before, combinePatches(first, second))).toEqual(inTurn);
      }),
      { numRuns: 1_000 },
    );
  });

  test('combining is associative', () => {
    fc.assert(
      fc.property(patches, patches, patches, patches, (base, first, second, third) => {
        const before = mergeBundle({}, base);
        const left = combinePatches(combinePatches(first, second), third);
        const right = combinePatches(first, combinePatches(second, third));
        expect(mergeBundle(before, left)).toEqual(mergeBundle(before, right));
      }),
      { numRuns: 500 },
    );
  });

  test('makes valid bundles of valid patches, and a combination is a valid patch', () => {
    fc.assert(
      fc.property(patches, patches, (first, second) => {
        const combined = combinePatches(parsePatch(first), parsePatch(second));
        expect(parsePatch(combined)).toEqual(combined);
        const merged = mergeBundle(mergeBundle({}, parsePatch(first)), parsePatch(second));
        expect(validateBundle(merged)).toEqual(merged);
      }),
      { numRuns: 1_000 },
    );
  });

  test('leaves no bundle with a mark of deletion', () => {
    fc.assert(
      fc.property(patches, patches, (first, second) => {
        expect(JSON.stringify(mergeBundle(mergeBundle({}, first), second))).not.toContain('_delete');
      }),
    );
  });
});

describe('prototype keys', () => {
  const hostile = JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1},"metadata":{"__proto__":{"polluted":1},"constructor":{"a":1},"kept":{"__proto__":{"polluted":1},"constructor":"a word"}},"todos":[{"id":"__proto__","text":"a","__proto__":{"polluted":1}}]}',
  ) as Record<string, unknown>;

  test('are inert', () => {
    const merged = mergeBundle(mergeBundle({}, parsePatch(hostile)), parsePatch(hostile));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.parse(JSON.stringify(merged))).toEqual({
      metadata: { kept: { constructor: 'a word' } },
      todos: [{ id: '__proto__', text: 'a' }],
    });
    for (const value of [merged, merged.metadata]) expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

function namesEachIdOnce(patch: Record<string, unknown>): boolean {
  return [patch.todos, patch.decisions].every((items) => {
    const ids = ((items ?? []) as { id: string }[]).map(({ id }) => id);
    return new Set(ids).size === ids.length && (!ids.includes('*') || ids.length === 1);
  });
}
