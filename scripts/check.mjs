// Runs every `check:…` script of package.json, as many at a time as there are cores. What one says comes in one piece, and
// all of them run, even if others fail: one run reports all faults.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

// Node.js reads all of such a file at every start, and no check uses the network.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const waiting = Object.keys(scripts).filter((name) => name.startsWith('check:'));
await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, work));

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const { code, text } = await run(scripts[name]);
    process.stdout.write(text);
    if (code === 0) continue;
    process.stderr.write(`${name} has failed\n`);
    process.exitCode = 1;
  }
}

/** The commands are found because npm has put those of the project on the path. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    child.stdout.on('data', (chunk) => said.push(chunk));
    child.stderr.on('data', (chunk) => said.push(chunk));
    child.once('close', (code) => resolve({ code, text: Buffer.concat(said) }));
  });
}
