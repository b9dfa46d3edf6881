/** Runs a suite against a URL and reads what it found. */
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

export async function runSuite(suite: Suite, url: string): Promise<readonly Check[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-conformance-out-'));
  try {
    const words = [programOf(suite.packageName), 'server', '--url', url, ...suite.words, '--output-dir', folder];
    const child = spawn(NODE_24, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    child.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    // Its exit code says only what the checks say, too.
    await once(child, 'close');
    const checks = readdirSync(folder).flatMap((name) => checksIn(path.join(folder, name)));
    if (checks.length === 0) throw new Error(`suite ${suite.name} made no checks: ${complaints.slice(-2000)}`);
    return checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface WrittenCheck {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** A folder is named after its scenario and the time. */
function checksIn(folder: string): Check[] {
  const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[^/]*$/.exec(path.basename(folder))?.[1];
  if (scenario === undefined) throw new Error(`no name of a scenario: ${folder}`);
  const written = JSON.parse(readFileSync(path.join(folder, 'checks.json'), 'utf8')) as WrittenCheck[];
  return written.map(({ id, status, errorMessage }) => ({ name: `${scenario}/${id}`, status, message: errorMessage }));
}
