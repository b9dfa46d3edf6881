import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactJson } from '../../../../src/core/json/exact-json.ts';
import { jsonSteps } from '../../../../src/core/json/json-steps.ts';
import { atOnce, inSlices } from '../../../../src/core/timing/steps.ts';

test.each([0, 2])('text made in steps is that of exactJson, with an indent of %i', (indent) => {
  const values = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, maxDepth: 6 });
  fc.assert(
    fc.property(values, (value) => {
      expect(atOnce(jsonSteps(value, indent))).toBe(exactJson(value, indent));
    }),
  );
  const long = {
    list: Array.from({ length: 1_001 }, (_, id) => ({ id, text: 'a\nb', none: undefined, inner: [[id]] })),
  };
  expect(atOnce(jsonSteps(long, indent))).toBe(exactJson(long, indent));
  expect(atOnce(jsonSteps([long, undefined, []], indent))).toBe(exactJson([long, undefined, []], indent));
});

test('other work runs while a large text is made', async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await inSlices(jsonSteps({ list: Array.from({ length: 300_000 }, (_, id) => ({ id, text: 'text' })) }));
  clearInterval(count);
  expect(turns).toBeGreaterThan(1);
});
