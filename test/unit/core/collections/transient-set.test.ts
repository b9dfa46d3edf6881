import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransientSet } from '../../../../src/core/collections/transient-set.ts';

const ITEMS = Array.from({ length: 6 }, (_, n) => ({ n }));

describe('a set of short-lived objects', () => {
  it('holds what a Set holds after any steps', () => {
    const steps = fc.array(fc.record({ adds: fc.boolean(), index: fc.integer({ min: 0, max: 5 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (all) => {
        const set = new TransientSet<{ n: number }>();
        const model = new Set<{ n: number }>();
        for (const { adds, index } of all) {
          const item = ITEMS[index]!;
          if (adds) {
            set.add(item);
            model.add(item);
          } else expect(set.delete(item)).toBe(model.delete(item));
          expect(set.size).toBe(model.size);
          expect(new Set(set.values())).toEqual(model);
        }
      }),
    );
  });

  it('gives values that do not change while objects leave', () => {
    const set = new TransientSet<object>();
    for (const item of ITEMS) set.add(item);
    for (const item of set.values()) set.delete(item);
    expect(set.size).toBe(0);
  });

  it('tells whether some, or all, meet a condition', () => {
    const set = new TransientSet<{ n: number }>();
    expect([set.some(() => true), set.every(() => false)]).toEqual([false, true]);
    for (const item of ITEMS) set.add(item);
    expect([set.some(({ n }) => n === 5), set.some(({ n }) => n === 6)]).toEqual([true, false]);
    expect([set.every(({ n }) => n < 6), set.every(({ n }) => n < 5)]).toEqual([true, false]);
  });
});
