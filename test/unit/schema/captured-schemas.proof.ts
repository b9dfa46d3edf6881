import { describe, expect, test } from 'vitest';
import { ArgumentsValidator } from '../../../src/schema/arguments-validator.ts';
import { sanitiseSchema } from '../../../src/schema/sanitise.ts';
import { ajvJudgeOf, isAcceptedBy } from './ajv-judge.ts';
import { capturedTools, captureFolders } from './captured-tools.ts';
import { instancesFor } from './instances.ts';

const INSTANCES_PER_SCHEMA = 10;

const title =
  captureFolders.length > 0
    ? 'schemas of real servers'
    : 'schemas of real servers (skipped: no captures in $VIADUCT_SHARED or ../shared)';

describe.skipIf(captureFolders.length === 0)(title, () => {
  const tools = capturedTools();

  test('nothing is rejected that ajv accepts, and next to nothing accepted that it rejects', {
    timeout: 120_000,
  }, () => {
    const schemaTexts = distinct(tools.map((tool) => tool.inputSchema));
    const tally = { schemas: 0, instances: 0, accepted: 0, unchecked: 0, unknownKeys: 0 };
    const falselyRejected: unknown[] = [];
    const falselyAccepted: unknown[] = [];
    // Two at a time: every capture of a server repeats what the one before has.
    const validator = new ArgumentsValidator({ limitMs: 20_000, maxCached: 2 });
    for (const schemaText of schemaTexts) {
      const schema: unknown = JSON.parse(schemaText);
      const judge = ajvJudgeOf(schema);
      if (judge === undefined) continue;
      tally.schemas += 1;
      for (const instance of instancesFor(schema, INSTANCES_PER_SCHEMA)) {
        const isAccepted = isAcceptedBy(judge, instance);
        const { outcome, problems } = validator.check(schemaText, instance);
        tally.instances += 1;
        if (isAccepted) tally.accepted += 1;
        if (outcome === 'unchecked') tally.unchecked += 1;
        if (isAccepted && outcome === 'invalid') falselyRejected.push({ schemaText, instance, problems });
        if (isAccepted || outcome !== 'valid') continue;
        const isUnknownKey = judge.errors?.some(({ keyword }) => keyword === 'additionalProperties') === true;
        if (isUnknownKey) tally.unknownKeys += 1;
        else falselyAccepted.push({ schemaText, instance, errors: judge.errors });
      }
    }
    console.info('captured schemas against ajv:', { ...tally, falselyAccepted: falselyAccepted.length });
    expect(falselyRejected).toEqual([]);
    expect(tally.unchecked).toBe(0);
    expect(tally.schemas).toBeGreaterThan(1000);
    expect(tally.accepted).toBeGreaterThan(tally.schemas);
    // What is left are readings of contradictory schemas (XcodeMV's operation) that we offer and ajv does not.
    expect(falselyAccepted.length / tally.instances).toBeLessThan(0.002);
  });

  test('every schema is usable, output schemas too', () => {
    const schemaTexts = distinct(tools.flatMap(({ inputSchema, outputSchema = {} }) => [inputSchema, outputSchema]));
    const results = schemaTexts.map((schemaText) => sanitiseSchema(JSON.parse(schemaText)));
    const reasons = results.flatMap((result) => (result.isUsable ? [] : [result.reason]));
    expect(reasons).toEqual([]);
  });
});

function distinct(schemas: readonly unknown[]): readonly string[] {
  return [...new Set(schemas.map((schema) => JSON.stringify(schema)))];
}
