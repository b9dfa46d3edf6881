/**
 * Makes every fault of the list and says which were survived: `npm run faults [-- [--quick] [text …]]`, where a text is a
 * part of the ids that are wanted, and `--quick` takes the quick half. A run of all of them writes docs/TRUST.md. Exit code
 * 1 if any was not survived, 2 if no fault is wanted.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Outcome } from './fault.ts';
import { FAULTS } from './rows/index.ts';
import { runFaults } from './run.ts';
import { searchForSecret } from './secret-search.ts';
import { summaryOf, trustPage } from './trust-page.ts';

const AT_A_TIME = 2;

// A fault that was not survived may leave calls open, which fail when its scene closes: its own failure says more.
process.on('unhandledRejection', () => undefined);

const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true });
const chosen = FAULTS.filter(
  ({ id, quick }) =>
    (values.quick !== true || quick === true) &&
    (positionals.length === 0 || positionals.some((text) => id.includes(text))),
);
if (chosen.length === 0) {
  process.stderr.write(`no fault has ${positionals.join(' or ')} in its id\n`);
  process.exit(2);
}

const started = performance.now();
const outcomes = await runFaults(chosen, { atATime: AT_A_TIME, onOutcome: print });
const folders = outcomes.flatMap(({ folder }) => folder ?? []);
const secrets = secretOutcome();
print(secrets);
const all = [...outcomes, secrets];
report(all);
const failed = all.some(({ failure }) => failure !== undefined);
if (chosen.length === FAULTS.length) writeFileSync('docs/TRUST.md', trustPage(all));
if (secrets.failure === undefined) {
  for (const { folder, failure } of outcomes) {
    if (folder !== undefined && failure === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
process.exit(failed ? 1 : 0);

function print({ fault, ms, failure }: Outcome): void {
  const verdict = failure === undefined ? 'ok  ' : 'FAIL';
  process.stdout.write(`${verdict} ${fault.id.padEnd(32)} ${String(ms).padStart(6)} ms  ${failure ?? ''}\n`);
}

/** After everything else: no trace of the secret that was planted in every scene. */
function secretOutcome(): Outcome {
  const from = performance.now();
  const { files, bytes, finds } = searchForSecret(folders);
  const failure = finds.length === 0 ? undefined : `found in ${finds.length} places: ${finds.slice(0, 5).join(', ')}`;
  return {
    fault: {
      id: 'L-marker',
      what: 'A secret is in the environment and the arguments of everything above',
      holds: `No log, status output or file of a gateway contains it in any form (${files} files, ${Math.ceil(bytes / 1024)} KiB searched)`,
    },
    ms: Math.round(performance.now() - from),
    ...(failure !== undefined && { failure }),
  };
}

function report(results: readonly Outcome[]): void {
  const failures = results.filter(({ failure }) => failure !== undefined);
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`\n${summaryOf(results)} (${seconds} s)\n`);
  for (const { fault, failure, folder } of failures) {
    process.stdout.write(`  ${fault.id}: ${fault.what}\n    ${failure}\n`);
    if (folder !== undefined) process.stdout.write(`    what the gateways wrote is in ${folder}\n`);
  }
}
