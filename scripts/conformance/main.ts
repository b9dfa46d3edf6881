/**
 * Runs the official conformance suites against the fixture server, directly and through the gateway, and against the
 * gateway as a client: `npm run conformance [-- words]`. A word chooses suites (0.1.16, 2025-11-25, 2026-07-28) or
 * ways (direct, same-era, cross-era, as-client); `--fast` leaves out the oldest suite and the cross-era way. Exit code 1
 * if something that passes directly is lost through the gateway without a reason in expected-failures.yaml, or if
 * something listed there passes.
 */
import { readExpected } from './expected-failures.ts';
import { ensurePackages } from './packages.ts';
import { reportOn } from './report.ts';
import type { Check } from './run-suite.ts';
import { SUITES, type Suite } from './suites.ts';
import { isGood, judge, type Verdict } from './verdict.ts';
import { DIRECT, WAYS, type Way } from './ways.ts';

const FAST = '--fast';
const SLOW = ['0.1.16', 'cross-era'];

const words = process.argv.slice(2);
const known = [FAST, ...[...SUITES, ...WAYS].map(({ name }) => name)];
const unknown = words.filter((word) => !known.includes(word));
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(', ')}; known: ${known.join(', ')}\n`);
  process.exit(2);
}

ensurePackages();
const expected = readExpected();
const verdicts: Verdict[] = [];
for (const suite of chosen(SUITES)) await tryAll(suite, chosen(WAYS));
process.exit(verdicts.every(isGood) ? 0 : 1);

/** Those that were named; all if none of the kind was, less what takes long where speed was asked for. */
function chosen<Kind extends { readonly name: string }>(all: readonly Kind[]): readonly Kind[] {
  const named = all.filter(({ name }) => words.includes(name));
  if (named.length > 0) return named;
  return words.includes(FAST) ? all.filter(({ name }) => !SLOW.includes(name)) : all;
}

async function tryAll(suite: Suite, ways: readonly Way[]): Promise<void> {
  // Other ways are held against it, so it is run even when it was not asked for.
  const isNeeded = ways.includes(DIRECT) || ways.some(({ isHeldAgainstDirect }) => isHeldAgainstDirect);
  const baseline = isNeeded ? await DIRECT.run(suite) : [];
  for (const way of isNeeded ? new Set([DIRECT, ...ways]) : ways) {
    const heldAgainst = way.isHeldAgainstDirect ? baseline : [];
    const verdict = judge(
      way === DIRECT ? baseline : await way.run(suite),
      expected(suite.name, way.name),
      heldAgainst,
    );
    // Scenarios wait for some things by the clock: on a busy machine one may be lost. What is lost twice is lost.
    conclude(suite, way, isGood(verdict) ? verdict : await again(suite, way, heldAgainst));
  }
}

async function again(suite: Suite, way: Way, heldAgainst: readonly Check[]): Promise<Verdict> {
  return judge(await way.run(suite), expected(suite.name, way.name), heldAgainst);
}

function conclude(suite: Suite, way: Way, verdict: Verdict): void {
  verdicts.push(verdict);
  process.stdout.write(reportOn(suite.name, way.name, verdict));
}
