import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransientMap } from '../../../../src/core/collections/transient-map.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

type Step =
  | { readonly kind: 'set'; readonly key: number; readonly value: object }
  | { readonly kind: 'take'; readonly key: number }
  | { readonly kind: 'clear' };

const key = fc.integer({ min: 0, max: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('set'), key, value: fc.record({ a: fc.nat() }) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('take'), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear') }) },
) as fc.Arbitrary<Step>;

describe('a map for short-lived entries', () => {
  it('holds what a Map holds, in the same order, after any steps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const map = new TransientMap<number, object>();
        const model = new Map<number, object>();
        for (const one of steps) {
          if (one.kind === 'set') {
            map.set(one.key, one.value);
            model.set(one.key, one.value);
          } else if (one.kind === 'take') {
            expect(map.take(one.key)).toBe(model.get(one.key));
            model.delete(one.key);
          } else {
            map.clear();
            model.clear();
          }
          expect(map.size).toBe(model.size);
          for (let other = 0; other < 7; other++) {
            expect(map.get(other)).toBe(model.get(other));
            expect(map.has(other)).toBe(model.has(other));
          }
          expect([...map.values()]).toEqual([...model.values()]);
          expect([...map.entries()]).toEqual([...model]);
        }
      }),
    );
  });

  it('may lose entries while it is looked through: those are not met', () => {
    const map = new TransientMap<string, { n: number }>();
    for (const [index, name] of ['a', 'b', 'c'].entries()) map.set(name, { n: index });
    const met: number[] = [];
    for (const { n } of map.values()) {
      met.push(n);
      map.take('b');
    }
    expect(met).toEqual([0, 2]);
    for (const [name] of map.entries()) {
      met.push(name.charCodeAt(0));
      map.clear();
    }
    expect(met).toEqual([0, 2, 97]);
  });

  it('lets deleted values be collected with the young objects', () => {
    const script = path.join(temporaryFolder(), 'script.mts');
    writeFileSync(script, CHURN);
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const { map, transient } = JSON.parse(stdout) as Record<'map' | 'transient', number>;
    // The 2,000 values take 3.2 MB. A Map keeps nearly all of them.
    expect(transient).toBeLessThan(map / 3);
  });
});

/** Prints by how many bytes the heap grows while entries come and go. */
const CHURN = `
import { TransientMap } from ${JSON.stringify(path.resolve('src/core/collections/transient-map.ts'))};

function grownBy(set, remove) {
  let next = 0;
  const come = () => {
    set(next, Array.from({ length: 200 }, (_, index) => index + next + 0.5));
    remove(next - 16);
    next++;
  };
  const rounds = (count) => {
    for (let round = 0; round < count; round++) {
      for (let calls = 0; calls < 100; calls++) come();
      gc({ type: 'minor' });
    }
  };
  rounds(4);
  const before = process.memoryUsage().heapUsed;
  rounds(20);
  return process.memoryUsage().heapUsed - before;
}

const transient = new TransientMap();
const map = new Map();
// Their first tables become old.
for (let index = 0; index < 3; index++) gc({ type: 'minor' });
console.log(JSON.stringify({
  transient: grownBy((key, value) => transient.set(key, value), (key) => transient.take(key)),
  map: grownBy((key, value) => map.set(key, value), (key) => map.delete(key)),
}));
`;
