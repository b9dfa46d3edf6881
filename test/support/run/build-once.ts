import { execFileSync } from 'node:child_process';

/** Builds the product and the fixture servers once for all tests: what is tested is what users run. */
export default function buildOnce(): void {
  for (const script of ['scripts/build.mjs', 'scripts/build-fixtures.mjs']) {
    execFileSync(process.execPath, [script], { stdio: 'inherit' });
  }
}
