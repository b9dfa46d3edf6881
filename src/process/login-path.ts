import { execFile } from 'node:child_process';

const MARK = '__viaduct_path__';
const TIMEOUT_MS = 5_000;
const SYSTEM_FOLDERS = new Set(['/usr/bin', '/bin', '/usr/sbin', '/sbin']);

/** Whether a PATH is the one that a desktop gives to programs started with the mouse: system folders, nothing of the user's. */
export function isShortPath(path: string | undefined): boolean {
  return (path ?? '').split(':').every((folder) => folder === '' || SYSTEM_FOLDERS.has(folder));
}

/** Asks the user's login shell for its PATH, once: shells read their start files only when somebody logs in. */
export class LoginPath {
  readonly #env: Readonly<Record<string, string | undefined>>;
  #answer: Promise<string | undefined> | undefined;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** The login shell's PATH, or `undefined` when there is no shell or it does not answer in time. Never throws. */
  ask(): Promise<string | undefined> {
    this.#answer ??= askShell(this.#env);
    return this.#answer;
  }
}

function askShell(env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  const shell = env.SHELL;
  if (shell === undefined || shell === '' || process.platform === 'win32') return Promise.resolve(undefined);
  const script = `printf '%s%s%s' '${MARK}' "$PATH" '${MARK}'`;
  return new Promise((resolve) => {
    const child = execFile(
      shell,
      ['-ilc', script],
      { env: { ...env }, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', encoding: 'utf8' },
      // An interactive shell may complain or fail after it has printed what we asked for.
      (_error, stdout) => resolve(stdout.split(MARK)[1] || undefined),
    );
    child.stdin?.end();
  });
}

/** Both PATHs as one, the first one's folders first. */
export function joinPaths(first: string | undefined, second: string | undefined): string {
  const folders = [...(first ?? '').split(':'), ...(second ?? '').split(':')];
  return [...new Set(folders.filter((folder) => folder !== ''))].join(':');
}
