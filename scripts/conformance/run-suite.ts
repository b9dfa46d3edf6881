/** Runs a suite's program and reads what it found. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NODE_24, programOf } from './packages.ts';
import type { Suite } from './suites.ts';

/** One check that was made. The same check may be made several times in a scenario. */
export interface Check {
  /** Scenario and check: `tools-list/tools-name-format`. */
  readonly name: string;
  readonly status: string;
  readonly message: string | undefined;
}

interface WrittenCheck {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

export interface Findings {
  readonly checks: readonly Check[];
  /** The end of what the program wrote about its work. */
  readonly complaints: string;
}

/** The server scenarios of a suite against what listens at the URL. */
export async function runSuite({ packageName, words }: Suite, url: string): Promise<readonly Check[]> {
  const { checks, complaints } = await runProgram(packageName, ['server', '--url', url, ...words]);
  if (checks.length === 0) throw new Error(`${packageName} ${words.join(' ')} made no checks: ${complaints}`);
  return checks;
}

export async function runProgram(packageName: string, words: readonly string[]): Promise<Findings> {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-conformance-out-'));
  try {
    const child = spawn(NODE_24, [programOf(packageName), ...words, '--output-dir', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaints = '';
    child.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    // Its exit code says only what the checks say, too.
    await once(child, 'close');
    const checks = readdirSync(folder).flatMap((name) => checksIn(path.join(folder, name)));
    return { checks, complaints: complaints.slice(-2000) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder is named after its scenario and the time. */
function checksIn(folder: string): Check[] {
  const scenario = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT[^/]*$/.exec(path.basename(folder))?.[1];
  if (scenario === undefined) throw new Error(`no name of a scenario: ${folder}`);
  const written = JSON.parse(readFileSync(path.join(folder, 'checks.json'), 'utf8')) as WrittenCheck[];
  return written.map(({ id, status, errorMessage }) => ({ name: `${scenario}/${id}`, status, message: errorMessage }));
}
