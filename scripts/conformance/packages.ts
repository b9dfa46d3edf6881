/** The suites' packages, and the Node.js that they need. They are installed when they are first wanted. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve('test/conformance');

/** Suites do not run with the Node.js that the gateway has to run with. */
export const NODE_24 = path.join(FOLDER, 'node_modules/node24/bin/node');

export function ensurePackages(): void {
  if (!existsSync(NODE_24)) execFileSync('npm', ['ci', '--prefix', FOLDER], { stdio: 'inherit' });
}

/** The program of a suite. */
export function programOf(packageName: string): string {
  return path.join(FOLDER, 'node_modules', packageName, 'dist/index.js');
}
