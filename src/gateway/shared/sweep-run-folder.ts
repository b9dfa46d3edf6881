import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from '../settings/paths.ts';

/** Logs, failures and stop marks of shared gateways; their locks and records belong to processes. */
const LEFT_OVER = /^(?:shared-[\da-f]{20}(?:\.\d+)?\.(?:log|failed)|stopped-\d+)$/;
const KEPT_MS = 7 * 24 * 3_600_000;

/** Removes what shared gateways have left that have not written for a week: a key whose values have changed never comes back. */
export function sweepRunFolder(home: string, now = Date.now()): void {
  const folder = runFolder(home);
  try {
    for (const name of readdirSync(folder).filter((each) => LEFT_OVER.test(each))) {
      const file = path.join(folder, name);
      if (now - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
    }
  } catch {
    // Another gateway sweeps at the same time, or the folder cannot be read: the next start sweeps again.
  }
}
