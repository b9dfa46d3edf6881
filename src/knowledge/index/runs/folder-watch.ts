import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

/** Linux has a number of folders that one user may watch, for all programs together. */
const MOST_FOLDERS = 8_000;

/**
 * Tells of changes below a folder. Where the system watches whole trees well, that is done; else each folder by itself.
 * What could not be watched makes it incomplete, never an error.
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

  /** All folders that `follow` was told of are watched. */
  get isComplete(): boolean {
    return !this.#hasFailed && this.#watchers.size > 0;
  }

  /** Watches these folders and those above them, relative to the root and with `/` at the end. */
  follow(folders: ReadonlySet<string>): void {
    if (process.platform !== 'linux') {
      this.#watch('', true);
      return;
    }
    for (const folder of ['', ...folders])
      for (let above = folder; ; above = above.slice(0, above.lastIndexOf('/', above.length - 2) + 1)) {
        this.#watch(above, false);
        if (above === '') break;
      }
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
      const watcher = watch(path.join(this.#root, folder), { recursive, persistent: false }, (_event, name) =>
        this.#note(name === null ? folder : `${folder}${name.split(path.sep).join('/')}`),
      );
      watcher.on('error', () => this.#lose(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      // A folder that is gone has nothing to tell.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#hasFailed = true;
    }
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
