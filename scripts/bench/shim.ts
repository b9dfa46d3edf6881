import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, pssOf } from './measure.ts';

const ROUNDS = 15;
const GATEWAY = path.resolve('dist/main.js');
const ECHO = ['-e', 'process.stdin.pipe(process.stdout)'];
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

interface Figures {
  /** From the start of the process to its first answer, in milliseconds. */
  readonly start: number;
  /** Proportional set size, in KiB. */
  readonly pss: number;
}

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => void;

/** Measures `viaduct stdio` in front of a running gateway against a bare Node.js that echoes, in turns (Linux). */
export async function shimFigures(table: Table): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-bench-'));
  const config = path.join(home, 'viaduct.yaml');
  writeFileSync(config, JSON.stringify({ schemaVersion: 1, enabledWorkflows: ['gateway'], log: { level: 'error' } }));
  const env = { ...process.env, VIADUCT_HOME: home };
  const serving = spawn(process.execPath, [GATEWAY, 'serve', '--config', config, '--port', '0'], { env });
  try {
    await once(serving.stdout, 'data');
    const [node, shim]: [Figures[], Figures[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      node.push(await figuresOf(ECHO, env));
      shim.push(await figuresOf([GATEWAY, 'stdio', '--config', config], env));
    }
    table(
      ['', 'bare node', 'viaduct stdio', 'ratio'],
      [row('start, ms', 'start', node, shim), row('PSS, KiB', 'pss', node, shim)],
    );
  } finally {
    await end(serving);
    rmSync(home, { recursive: true, force: true });
  }
}

function row(
  title: string,
  figure: keyof Figures,
  node: readonly Figures[],
  shim: readonly Figures[],
): readonly string[] {
  const [base, own] = [node, shim].map((all) => median(all.map((each) => each[figure]))) as [number, number];
  const ratio = median(shim.map((each, round) => each[figure] / node[round]![figure]));
  return [title, base.toFixed(0), own.toFixed(0), `${ratio.toFixed(2)}x`];
}

async function figuresOf(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Figures> {
  const from = performance.now();
  const child = spawn(process.execPath, [...words], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin!.write(PING);
  await once(child.stdout!, 'data');
  const start = performance.now() - from;
  const pss = (pssOf(child.pid!) ?? Number.NaN) * 1024;
  await end(child);
  return { start, pss };
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.stdin?.end();
  child.kill();
  await exit;
}
