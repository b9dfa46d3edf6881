import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/stores/checkpoint-store.ts';
import { atOnce } from '../../../../src/core/timing/steps.ts';
import { memberTexts, objectText } from '../../../../src/store/checkpoints/member-texts.ts';
import { stepBetween, takeStep } from '../../../../src/store/checkpoints/step.ts';

const textsOf = (object: JsonObject) => atOnce(memberTexts(object));

/** As objects of the store are: made by a parser, so that `__proto__` is a member. */
const object = fc
  .dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', '7'), fc.string()), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

test('a step leads from any object to any other, byte for byte', () => {
  fc.assert(
    fc.property(object, object, (one, other) => {
      const from = textsOf(one);
      const to = textsOf(other);
      const step = JSON.parse(JSON.stringify(stepBetween(from, to)));
      expect(objectText(takeStep(from, step))).toBe(objectText(to));
    }),
  );
});

test('what is appended to a list is all that a step has of it', () => {
  const decisions = Array.from({ length: 1_000 }, (_, index) => ({ id: `d${index}`, text: 'x'.repeat(50) }));
  const from = textsOf({ updated_at: '1', decisions, metadata: { a: 1 } });
  const to = textsOf({ updated_at: '2', decisions: [...decisions, { id: 'new' }], metadata: { a: 1 } });
  expect(JSON.stringify(stepBetween(from, to)).length).toBeLessThan(150);
  expect(JSON.stringify(stepBetween(to, from)).length).toBeLessThan(150);
});

test('half of a character is no place to cut that a step does not survive', () => {
  const from = textsOf({ text: 'a😀' });
  const to = textsOf({ text: 'a😁' });
  const step = JSON.parse(Buffer.from(JSON.stringify(stepBetween(from, to))).toString('utf8'));
  expect(objectText(takeStep(from, step))).toBe('{"text":"a😁"}');
});
