import { execFile } from 'node:child_process';
import type { Environment } from '../../core/settings/environment.ts';

const LIMIT_MS = 2_000;

export type Located = { readonly path: string } | { readonly reason: string };

/** Asks `xcrun` where Apple's `mcpbridge` is. Never throws; the reason is for people. */
export async function locateBridge(env: Environment): Promise<Located> {
  const { error, stdout } = await run('xcrun', ['--find', 'mcpbridge'], env);
  const path = stdout.trim();
  if (error === undefined && path !== '') return { path };
  if (error?.code === 'ENOENT') {
    const hint = process.platform === 'darwin' ? 'install Xcode 26.3 or newer' : "Xcode's bridge exists on macOS only";
    return { reason: `xcrun was not found: ${hint}` };
  }
  if (error?.killed === true) return { reason: `xcrun --find mcpbridge did not answer within ${LIMIT_MS / 1000} s` };
  return { reason: 'xcrun cannot find mcpbridge: Xcode 26.3 or newer is needed (check with "xcode-select -p")' };
}

/** Returns true if Xcode runs, as far as `pgrep` can tell. */
export async function isXcodeRunning(env: Environment): Promise<boolean> {
  const { error, stdout } = await run('pgrep', ['-x', 'Xcode'], env);
  return error === undefined && stdout.trim() !== '';
}

interface Outcome {
  readonly error: { readonly code: string | number | undefined; readonly killed: boolean } | undefined;
  readonly stdout: string;
}

function run(command: string, args: readonly string[], env: Environment): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { env: { ...env }, timeout: LIMIT_MS, killSignal: 'SIGKILL', encoding: 'utf8' },
      (error, stdout) => {
        const failure = error as (Error & { code?: string | number; killed?: boolean }) | null;
        resolve({
          error: failure === null ? undefined : { code: failure.code, killed: failure.killed ?? false },
          stdout,
        });
      },
    );
  });
}
