/** Runs a suite's client scenarios with the gateway as the client. */
import { type Check, runProgram } from './run-suite.ts';
import type { Suite } from './suites.ts';

const COMMAND = `${process.execPath} --import tsx scripts/conformance/client/drive.ts`;

export async function runClientScenarios(suite: Suite): Promise<readonly Check[]> {
  const checks: Check[] = [];
  // One after the other: each has a gateway of its own.
  for (const scenario of suite.clientScenarios) checks.push(...(await runScenario(suite, scenario)));
  return checks;
}

async function runScenario({ packageName, specVersion }: Suite, scenario: string): Promise<readonly Check[]> {
  const revision = packageName === 'conformance-01' ? [] : ['--spec-version', specVersion];
  const words = ['client', '--command', COMMAND, '--scenario', scenario, ...revision];
  const { checks, complaints } = await runProgram(packageName, words);
  if (checks.some(({ status }) => status === 'SUCCESS')) return checks;
  // A client that does nothing at all fails no check of some scenarios.
  return [...checks, { name: `${scenario}/any-check`, status: 'FAILURE', message: complaints }];
}
