import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { onLines } from './lines.ts';
import { endChild } from './processes.ts';
import { atEnd } from './shared.ts';

export interface FixtureProgram {
  readonly port: number;
  readonly child: ChildProcess;
  /** Ends it; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Runs a fixture that listens on a port, and gives the port; it ends with the test. */
export async function startProgram(
  name: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<FixtureProgram> {
  const program = path.resolve('dist-fixtures', `${name}.js`);
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const stop = () => endChild(child, 'SIGKILL');
  atEnd(stop);
  const port = await new Promise<number>((resolve, reject) => {
    onLines(child.stdout!, (line) => resolve(Number(/^listening on (\d+)$/.exec(line)?.[1])));
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return { port, child, stop };
}
