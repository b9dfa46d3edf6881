import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Expected } from './verdict.ts';

const FILE = 'scripts/conformance/expected-failures.yaml';
const reason = z.string().min(20);
const steady = reason.transform((text) => ({ reason: text, isUnsteady: false }));
/** For a check that passes or fails with the timing of the run: neither is reported. */
const unsteady = z
  .strictObject({ unsteady: reason })
  .transform(({ unsteady: why }) => ({ reason: why, isUnsteady: true }));
const expectation = z.union([steady, unsteady]);
const reasons = z.record(z.string(), expectation);
const file = z.record(z.string(), z.record(z.string(), reasons));

/** The checks that are known to fail, with the reasons: by suite and way. */
export function readExpected(): (suite: string, way: string) => Expected {
  const listed = file.parse(parse(readFileSync(FILE, 'utf8')) ?? {});
  return (suite, way) => listed[suite]?.[way] ?? {};
}
