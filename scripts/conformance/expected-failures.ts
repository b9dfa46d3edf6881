import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Expected } from './verdict.ts';

const FILE = 'scripts/conformance/expected-failures.yaml';
const reasons = z.record(z.string(), z.string().min(20));
const file = z.record(z.string(), z.record(z.string(), reasons));

/** What is known not to pass, with the reasons: by suite and way. */
export function readExpected(): (suite: string, way: string) => Expected {
  const listed = file.parse(parse(readFileSync(FILE, 'utf8')) ?? {});
  return (suite, way) => listed[suite]?.[way] ?? {};
}
