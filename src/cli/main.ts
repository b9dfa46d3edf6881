#!/usr/bin/env node
import module from 'node:module';
import { nodeProblem } from './node-version.ts';

// An old Node.js cannot even read the rest of the program.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

// If Node.js has it (22.1 and newer): what was compiled once is kept, and every later start is a third faster. It must
// be on before anything else is loaded.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

const { runCommandLine } = await import('./program.ts');
await runCommandLine();
