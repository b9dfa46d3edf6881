import { type BigIntStats, type FSWatcher, statSync, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';

export interface ConfigWatch {
  /** Afterwards `onText` is not called any more. Closing twice is harmless. */
  close(): Promise<void>;
}

export interface WatchTimes {
  /** Quiet after a change before it is reported: editors write in several steps. */
  readonly debounceMs: number;
  /** `fs.watch` misses events on network folders, and those above the folder everywhere. */
  readonly pollMs: number;
}

/**
 * Calls `onText` after the config file may have changed: written, replaced, removed, created again. The call says
 * nothing about the file being whole or even there; `loadConfig` does. Start watching before you load, and no change
 * falls in between. Does not keep the process alive.
 */
export function watchConfig(
  path: string,
  onText: () => void,
  times: WatchTimes = { debounceMs: 200, pollMs: 2000 },
): ConfigWatch {
  return new ConfigWatcher(resolve(path), onText, times);
}

interface WatchedFolder {
  /** Tells a folder from another that took its place. */
  readonly identity: string;
  readonly watcher: FSWatcher;
}

class ConfigWatcher implements ConfigWatch {
  readonly #path: string;
  readonly #onText: () => void;
  readonly #times: WatchTimes;
  /** The folder of the path and, if the file is a symbolic link, the folder of its target. */
  readonly #folders = new Map<string, WatchedFolder>();
  /** The file as it was when it was last reported. */
  #seen: string;
  /** An event named the file: it is reported even if it looks as before. */
  #named = false;
  #debounce: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(path: string, onText: () => void, times: WatchTimes) {
    this.#path = path;
    this.#onText = onText;
    this.#times = times;
    // At once, so that nothing is missed that happens after the constructor returns.
    this.#watchFolder(dirname(path), stateNow(dirname(path), folderState));
    this.#seen = stateNow(path, fileState);
    void this.#pollForever();
  }

  close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#debounce);
    clearTimeout(this.#poll);
    for (const folder of this.#folders.keys()) this.#unwatchFolder(folder);
    return Promise.resolve();
  }

  async #pollForever(): Promise<void> {
    const state = await this.#look();
    if (state !== undefined && state !== this.#seen) this.#reportSoon();
    if (!this.#closed) this.#poll = setTimeout(() => void this.#pollForever(), this.#times.pollMs).unref();
  }

  #onEvent(filename: string | null): void {
    if (this.#closed) return;
    const named = filename === basename(this.#path);
    this.#named ||= named;
    // Only the file itself has to be quiet: its folder may never be.
    if (named) this.#forgetReport();
    this.#reportSoon();
  }

  #forgetReport(): void {
    clearTimeout(this.#debounce);
    this.#debounce = undefined;
  }

  #reportSoon(): void {
    this.#debounce ??= setTimeout(() => void this.#report(), this.#times.debounceMs).unref();
  }

  async #report(): Promise<void> {
    const named = this.#named;
    this.#named = false;
    this.#debounce = undefined;
    const state = await this.#look();
    if (state === undefined || (!named && state === this.#seen)) return;
    this.#seen = state;
    this.#onText();
  }

  /** Returns the current state of the file; `undefined` after `close`. */
  async #look(): Promise<string | undefined> {
    const { file, folders } = await lookAt(this.#path);
    if (this.#closed) return undefined;
    // Changes before a folder was watched made no event.
    if (this.#watchExactly(folders)) this.#reportSoon();
    return file;
  }

  /** Watches these folders and no others. Returns whether it began to watch one. */
  #watchExactly(folders: ReadonlyMap<string, string>): boolean {
    const stale = [...this.#folders].filter(([folder, { identity }]) => folders.get(folder) !== identity);
    for (const [folder] of stale) this.#unwatchFolder(folder);
    const added = [...folders].filter(([folder]) => !this.#folders.has(folder));
    for (const [folder, identity] of added) this.#watchFolder(folder, identity);
    return added.some(([folder]) => this.#folders.has(folder));
  }

  #watchFolder(folder: string, identity: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, filename) => this.#onEvent(filename));
      watcher.on('error', () => this.#unwatchFolder(folder));
      this.#folders.set(folder, { identity, watcher });
    } catch {
      // The folder is gone, or the system has no watches left: polling goes on.
    }
  }

  #unwatchFolder(folder: string): void {
    this.#folders.get(folder)?.watcher.close();
    this.#folders.delete(folder);
  }
}

interface Look {
  readonly file: string;
  /** Folder → its identity. */
  readonly folders: ReadonlyMap<string, string>;
}

/** Reads the state of a file and its folders. It is asynchronous because a network folder may hang. */
async function lookAt(path: string): Promise<Look> {
  const file = await stateOf(path, fileState);
  const target = await realpath(path).catch(() => path);
  const folders = [...new Set([dirname(path), dirname(target)])];
  const identities = await Promise.all(folders.map((folder) => stateOf(folder, folderState)));
  const present = folders.map((folder, index) => [folder, identities[index] ?? ABSENT] as const);
  return { file, folders: new Map(present.filter(([, identity]) => identity !== ABSENT)) };
}

const ABSENT = 'absent';

const fileState = ({ dev, ino, size, mtimeNs }: BigIntStats): string => `${dev}:${ino}:${size}:${mtimeNs}`;

/** Inode numbers are used again at once on some file systems. */
const folderState = ({ dev, ino, birthtimeNs }: BigIntStats): string => `${dev}:${ino}:${birthtimeNs}`;

async function stateOf(path: string, describe: (stats: BigIntStats) => string): Promise<string> {
  return stat(path, { bigint: true }).then(describe, () => ABSENT);
}

function stateNow(path: string, describe: (stats: BigIntStats) => string): string {
  try {
    return describe(statSync(path, { bigint: true }));
  } catch {
    return ABSENT;
  }
}
