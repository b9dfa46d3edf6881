import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitiseSchema } from '../../../src/schema/sanitise.ts';
import { SchemaJudge } from '../../../src/schema/schema-judge.ts';
import { TimeLimit } from '../../../src/schema/time-limit.ts';
import { ajvJudgeOf, isAcceptedBy } from './ajv-judge.ts';
import { capturedTools, captureFolders } from './captured-tools.ts';
import { instancesFor } from './instances.ts';
import { instances, schemas } from './random-schemas.ts';
import { zodJudgeOf } from './zod-judge.ts';

const timeLimit = new TimeLimit(20_000);

/** Calls `onVerdicts` with what our judge and Zod say of each value, where both know. */
function compare(
  schema: unknown,
  values: readonly unknown[],
  onVerdicts: (ours: boolean, zods: boolean, value: unknown) => void,
): void {
  const sanitised = sanitiseSchema(schema);
  const zods = sanitised.isUsable ? zodJudgeOf(sanitised) : undefined;
  if (!sanitised.isUsable || zods === undefined) return;
  const judge = new SchemaJudge(sanitised, timeLimit);
  for (const value of values) {
    const [findings, isAccepted] = [judge.judge(value), zods(value)];
    if (findings !== undefined && isAccepted !== undefined) onVerdicts(findings.length === 0, isAccepted, value);
  }
}

test('of what Zod accepts, nothing is rejected that JSON Schema accepts', () => {
  const counts = { accepted: 0, rejected: 0, different: 0 };
  const several = fc.array(instances, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(schemas, several, (schema, values) => {
      const written = JSON.parse(JSON.stringify(schema)) as unknown;
      const judge = ajvJudgeOf(written);
      compare(written, values, (ours, zods, value) => {
        counts[ours ? 'accepted' : 'rejected'] += 1;
        if (ours === zods) return;
        counts.different += 1;
        const isWrong = zods && judge !== undefined && isAcceptedBy(judge, value);
        expect(isWrong, `${JSON.stringify(schema)} for ${fc.stringify(value)}`).toBe(false);
      });
    }),
    { numRuns: 700 },
  );
  // Else the property would hold for the wrong reason.
  expect(counts.accepted).toBeGreaterThan(500);
  expect(counts.rejected).toBeGreaterThan(500);
  expect(counts.different / (counts.accepted + counts.rejected)).toBeLessThan(0.02);
});

test.skipIf(captureFolders.length === 0)(
  'on schemas of real servers, Zod gives the same verdicts',
  {
    timeout: 240_000,
  },
  () => {
    const texts = new Set(capturedTools().map(({ inputSchema }) => JSON.stringify(inputSchema)));
    const different: unknown[] = [];
    let compared = 0;
    for (const text of [...texts].filter((_text, index) => index % 4 === 0)) {
      const schema: unknown = JSON.parse(text);
      compare(schema, instancesFor(schema, 10), (ours, zods, value) => {
        compared += 1;
        if (ours !== zods) different.push({ text, value, ours });
      });
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(1_000);
  },
);
