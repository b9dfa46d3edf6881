import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { hasExited, signalGroup } from './process-group.ts';

const MARK = '__viaduct_path__';
const TIMEOUT_MS = 5_000;
/** Start files that print more than this before the PATH are not read further. */
const MAX_OUTPUT = 1024 * 1024;
const SYSTEM_FOLDERS = new Set(['/usr/bin', '/bin', '/usr/sbin', '/sbin']);

/** Returns true if a PATH is the one that a desktop gives to programs it starts: system folders only, none of the user's. */
export function isShortPath(path: string | undefined): boolean {
  return (path ?? '').split(':').every((folder) => folder === '' || SYSTEM_FOLDERS.has(folder));
}

/** Asks the user's login shell for its PATH, once: shells read their start files only at a login. */
export class LoginPath {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #timeoutMs: number;
  #answer: Promise<string | undefined> | undefined;

  constructor(env: Readonly<Record<string, string | undefined>>, timeoutMs = TIMEOUT_MS) {
    this.#env = env;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns the login shell's PATH, or `undefined` when there is no shell or it does not answer in time. Never throws. */
  ask(): Promise<string | undefined> {
    this.#answer ??= askShell(this.#env, this.#timeoutMs);
    return this.#answer;
  }
}

async function askShell(env: Readonly<Record<string, string | undefined>>, ms: number): Promise<string | undefined> {
  const shell = env.SHELL;
  if (shell === undefined || shell === '' || process.platform === 'win32') return undefined;
  const script = `printf '%s%s%s' '${MARK}' "$PATH" '${MARK}'`;
  // A session of its own: an interactive shell would take the foreground of our terminal, and if it is killed then, Ctrl-C no
  // longer reaches us.
  const child = spawn(shell, ['-ilc', script], { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const output = await outputOf(child, ms);
  // Programs that start files left running may keep the pipe open.
  child.stdout.destroy();
  child.unref();
  return output.split(MARK)[1] || undefined;
}

/**
 * Returns what the shell prints until the second mark, or until it ends: it may complain or fail after that. A shell that runs
 * longer than `ms` is killed.
 */
function outputOf(child: ChildProcessByStdio<null, Readable, null>, ms: number): Promise<string> {
  return new Promise((resolve) => {
    const decoder = new StringDecoder('utf8');
    let output = '';
    const timer = setTimeout(() => {
      if (!hasExited(child)) signalGroup(child.pid, 'SIGKILL');
      resolve(output);
    }, ms);
    const onEnded = () => {
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      output += decoder.write(chunk);
      if (output.split(MARK).length <= 2 && output.length <= MAX_OUTPUT) return;
      timer.unref();
      resolve(output);
    });
    child.on('error', onEnded);
    child.on('close', onEnded);
  });
}

/** Returns two PATHs as one, with the first one's folders first. */
export function joinPaths(first: string | undefined, second: string | undefined): string {
  const folders = [...(first ?? '').split(':'), ...(second ?? '').split(':')];
  return [...new Set(folders.filter((folder) => folder !== ''))].join(':');
}
