import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import spawn from 'cross-spawn';
import type { ContainerEngine } from '../../core/stores/container-records.ts';
import { signalGroup } from '../process-group.ts';

const MAX_OUTPUT = 64 * 1024;

export interface EngineAnswer {
  readonly code: number | null;
  readonly stdout: string;
  /** The last line of standard error. */
  readonly problem: string;
}

/**
 * Runs a command of a container engine to its end and returns what it says.
 * @throws Error when it cannot be started, or does not end before the signal
 */
export async function runEngine(
  { file, args, cwd, env }: ContainerEngine,
  words: readonly string[],
  signal: AbortSignal,
): Promise<EngineAnswer> {
  signal.throwIfAborted();
  const child = spawn(file, [...args, ...words], {
    // The folder of the upstream may be gone when a later gateway tidies up.
    cwd: existsSync(cwd) ? cwd : homedir(),
    env: { ...env },
    // A terminal's Ctrl-C ends the gateway in order, and not this.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  try {
    const [code] = (await once(child, 'close', { signal })) as [number | null];
    return { code, stdout: stdout(), problem: stderr().trim().split('\n').at(-1)! };
  } catch (error) {
    signalGroup(child.pid, 'SIGKILL');
    throw signal.aborted ? new Error(`"${words[0]}" of the container engine did not end in time`) : error;
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    if (text.length < MAX_OUTPUT) text += chunk.toString();
  });
  return () => text;
}
