import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ArgumentsValidator } from '../../../src/schema/arguments-validator.ts';
import { ajvJudgeOf, isAcceptedBy } from './ajv-judge.ts';
import { instances, schemas } from './random-schemas.ts';

test('whatever ajv accepts is never called invalid, and most of what it rejects is', () => {
  const validator = new ArgumentsValidator({ limitMs: 20_000, maxCached: 10 });
  const counts = { accepted: 0, rejected: 0, caught: 0 };
  const several = fc.array(instances, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(schemas, several, (schema, values) => {
      const schemaText = JSON.stringify(schema);
      const judge = ajvJudgeOf(JSON.parse(schemaText));
      if (judge === undefined) return;
      for (const value of values) {
        const { outcome } = validator.check(schemaText, value);
        if (isAcceptedBy(judge, value)) {
          counts.accepted += 1;
          expect(outcome, `${schemaText} for ${fc.stringify(value)}`).not.toBe('invalid');
        } else {
          counts.rejected += 1;
          if (outcome === 'invalid') counts.caught += 1;
        }
      }
    }),
    { numRuns: 700 },
  );
  // Else the property would hold for the wrong reason.
  expect(counts.accepted).toBeGreaterThan(500);
  expect(counts.caught / counts.rejected).toBeGreaterThan(0.8);
});
