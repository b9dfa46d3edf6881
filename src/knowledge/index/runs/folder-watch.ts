import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

/** Linux has a number of folders that one user may watch, for all programs together. */
const MOST_FOLDERS = 8_000;

/** A folder that is gone, or cannot be read; when that changes, the one around it says so. */
const NOTHING_TO_TELL: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/**
 * Reports changes below a folder. If the system watches whole trees well, that is done; else each folder by itself.
 * A folder that cannot be watched makes the watch incomplete, never an error.
 */
export class FolderWatch {
  readonly #root: string;
  readonly #settleMs: number;
  readonly #onChange: (paths: ReadonlySet<string>) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  /** `onChange` gets paths relative to the root, with `/`: what has changed, appeared or gone in the last `settleMs`. */
  constructor(root: string, settleMs: number, onChange: (paths: ReadonlySet<string>) => void) {
    this.#root = root;
    this.#settleMs = settleMs;
    this.#onChange = onChange;
  }

  /** True if all folders given to `follow` that can be read are watched. */
  get isComplete(): boolean {
    return !this.#hasFailed && this.#watchers.size > 0;
  }

  /** Watches a folder, given relative to the root, `''` for that. */
  follow(folder: string): void {
    if (process.platform === 'linux') this.#watch(folder === '' ? '' : `${folder}/`, false);
    else this.#watch('', true);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(folder: string, recursive: boolean): void {
    if (this.#watchers.has(folder)) return;
    if (this.#watchers.size >= MOST_FOLDERS) {
      this.#hasFailed = true;
      return;
    }
    try {
      const watcher = watch(path.join(this.#root, folder), { recursive, persistent: false }, (event, name) =>
        this.#hear(folder, event, name?.split(path.sep).join('/')),
      );
      watcher.on('error', () => this.#lose(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      if (!NOTHING_TO_TELL.has((error as NodeJS.ErrnoException).code)) this.#hasFailed = true;
    }
  }

  #hear(folder: string, event: string, name: string | undefined): void {
    const place = name === undefined ? folder : `${folder}${name}`;
    // A watch stays with the folder that it was given: what has this name now may be another one, or none.
    if (event === 'rename') this.#drop(`${place}/`);
    // So does the root's, which says its own name when the root is removed or moved.
    if (event === 'rename' && place === path.basename(this.#root)) this.#drop('');
    this.#note(place);
  }

  /** Ends the watches of a folder and of those in it; the next look begins those that are needed. */
  #drop(folder: string): void {
    if (!this.#watchers.has(folder)) return;
    for (const [watched, watcher] of this.#watchers) {
      if (!watched.startsWith(folder)) continue;
      watcher.close();
      this.#watchers.delete(watched);
    }
    this.#note(folder);
  }

  #lose(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    this.#note(folder);
  }

  #note(name: string): void {
    this.#changed.add(name);
    this.#timer ??= setTimeout(() => {
      const changed = this.#changed;
      this.#changed = new Set();
      this.#timer = undefined;
      this.#onChange(changed);
    }, this.#settleMs).unref();
  }
}
