#!/usr/bin/env node
import path from 'node:path';
import { nodeProblem } from './node-version.ts';

// An old Node.js cannot even read the rest of the program.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

void start();

async function start(): Promise<void> {
  const { keepCompiledCode } = await import('./keep-compiled-code.ts');
  keepCompiledCode(process.argv[2], process.env, path.join(import.meta.dirname, 'chunks'));
  const { runCommandLine } = await import('./program.ts');
  await runCommandLine();
}
