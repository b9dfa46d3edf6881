/**
 * Runs the official conformance suites against the fixture server, directly and through the gateway:
 * `npm run conformance [-- words]`. A word chooses suites (0.1.16, 2025-11-25, 2026-07-28) or ways (direct, same-era,
 * cross-era); `--fast` leaves out the oldest suite and the cross-era way. Exit code 1 if something that passes directly
 * is lost through the gateway without a reason in expected-failures.yaml, or if something listed there passes.
 */
import { readExpected } from './expected-failures.ts';
import { ensurePackages } from './packages.ts';
import { reportOn } from './report.ts';
import { type Check, runSuite } from './run-suite.ts';
import { SUITES, type Suite } from './suites.ts';
import { isGood, judge, type Verdict } from './verdict.ts';
import { DIRECT, GATEWAY_WAYS, type Way } from './ways.ts';

const SLOW = ['0.1.16', 'cross-era'];

const words = process.argv.slice(2);
const unknown = words.filter((word) => word !== '--fast' && ![...SUITES, DIRECT, ...GATEWAY_WAYS].some(isNamed(word)));
if (unknown.length > 0) {
  process.stderr.write(`neither a suite nor a way: ${unknown.join(', ')}\n`);
  process.exit(2);
}

ensurePackages();
const expected = readExpected();
const verdicts: Verdict[] = [];
for (const suite of chosen(SUITES)) {
  // The other ways are held against it, so it is run even when it was not asked for.
  const baseline = await found(suite, DIRECT);
  conclude(suite, DIRECT, judge(baseline, expected(suite.name, DIRECT.name)));
  for (const way of chosen(GATEWAY_WAYS)) {
    conclude(suite, way, judge(await found(suite, way), expected(suite.name, way.name), baseline));
  }
}
process.exit(verdicts.every(isGood) ? 0 : 1);

/** Those that were named; all if none of the kind was, less what takes long where speed was asked for. */
function chosen<Kind extends { readonly name: string }>(all: readonly Kind[]): readonly Kind[] {
  const named = all.filter(({ name }) => words.includes(name));
  if (named.length > 0) return named;
  if (all.some(({ name }) => name === 'same-era') && words.includes(DIRECT.name)) return [];
  return words.includes('--fast') ? all.filter(({ name }) => !SLOW.includes(name)) : all;
}

function isNamed(word: string): (part: { readonly name: string }) => boolean {
  return ({ name }) => name === word;
}

async function found(suite: Suite, way: Way): Promise<readonly Check[]> {
  const target = await way.open(suite);
  try {
    return await runSuite(suite, target.url);
  } finally {
    await target.stop();
  }
}

function conclude(suite: Suite, way: Way, verdict: Verdict): void {
  verdicts.push(verdict);
  process.stdout.write(reportOn(suite.name, way.name, verdict));
}
