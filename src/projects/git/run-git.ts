import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Environment } from '../../core/settings/environment.ts';

export interface GitOutput {
  readonly bytes: Buffer;
  /** True if there was more than was asked for. */
  readonly isCut: boolean;
}

/** Runs git in one repository. `undefined` if git is not there, fails, or does not end in time; never throws. */
export type Git = (args: readonly string[], maxBytes: number) => Promise<GitOutput | undefined>;

/** Settings with which a repository's own config could make git run programs. */
const NOTHING_OF_ITS_OWN = ['-c', 'core.fsmonitor=', '-c', `core.hooksPath=${devNull}`];

/** Variables that tell the user's git where its own parts and config are. All other GIT_ variables are about another run of git. */
const KEPT = new Set(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_EXEC_PATH']);

export function gitIn(folder: string, env: Environment, signal: AbortSignal): Git {
  const options = {
    // Not the repository: Windows would look for the program there first.
    cwd: path.dirname(process.execPath),
    env: gitEnvironment(env),
    stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    signal,
    killSignal: 'SIGKILL' as const,
  };
  return async (args, maxBytes) => {
    try {
      const child = spawn('git', ['-C', folder, '--no-pager', ...NOTHING_OF_ITS_OWN, ...args], options);
      return await outputOf(child, maxBytes);
    } catch {
      return undefined;
    }
  };
}

function outputOf(child: ChildProcessByStdio<null, Readable, null>, maxBytes: number): Promise<GitOutput | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (piece: Buffer) => {
      if (size > maxBytes) return;
      pieces.push(piece);
      size += piece.length;
      if (size > maxBytes) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const isCut = size > maxBytes;
      const bytes = Buffer.concat(pieces).subarray(0, maxBytes);
      resolve(isCut || code === 0 ? { bytes, isCut } : undefined);
    });
  });
}

/** No prompts, no locks, nothing from the network. */
function gitEnvironment(env: Environment): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (!name.toUpperCase().startsWith('GIT_') || KEPT.has(name))) result[name] = value;
  }
  return {
    ...result,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // In a partial clone a diff would fetch what it lacks.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}
