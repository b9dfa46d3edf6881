import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { outerRules, rulesOf } from './git-rules.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { RuleChain } from './rule-chain.ts';
import { isMarkedFolder, isSkippedFile, isSkippedFolder } from './skipped-names.ts';
import type { Walked, WalkFailure } from './walked.ts';

export interface WalkOptions {
  /** Globs in the syntax of `.gitignore`, relative to the root; they decide over all other rules. */
  readonly ignore?: readonly string[];
  /** The largest file that is read, in bytes; 1 MiB by default. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Called with each folder before it is read: relative to the root, `''` for the root itself. */
  readonly onFolder?: ((folder: string) => void) | undefined;
}

export const DEFAULT_MAX_BYTES = 1024 * 1024;

/** Number of files that are yielded at a time. */
const BATCH = 1_000;

/** Deeper folders are reported, not entered: paths end there on most systems anyway. */
const MAX_DEPTH = 200;

/** Rules that lie in folders; the last decides. */
const RULE_FILES = ['.gitignore', '.mcpignore'];

interface Folder {
  /** Relative to the root; `''` for that. */
  readonly path: string;
  readonly rules: RuleChain;
  readonly depth: number;
}

/**
 * Yields the files below a folder that may be indexed, in batches, a folder's before those of the folders in it. Folders are
 * read synchronously, which is several times faster: it is meant for worker threads. Links are not followed: what they lead to
 * inside of the root is found where it lies, and what is outside is never looked at.
 * @param root an absolute path; it may itself be a link
 * @throws the reason of `signal` when that is aborted
 */
export async function* walkFiles(root: string, options: WalkOptions = {}): AsyncGenerator<readonly Walked[]> {
  const walker = new Walker(root, options);
  for (let batch = walker.next(); batch !== undefined; batch = walker.next()) {
    if (batch.length > 0) yield batch;
    // Ending this, or renewing a lease, needs a turn of the event loop.
    await turn();
    options.signal?.throwIfAborted();
  }
}

class Walker {
  readonly #root: string;
  readonly #maxBytes: number;
  readonly #extra: IgnoreRules | undefined;
  readonly #onFolder: ((folder: string) => void) | undefined;
  /** Folders that are still to be read, the next one last. */
  readonly #ahead: Folder[] = [];
  /** Files that were found but not yielded yet; large folders give several batches. */
  #found: Walked[] = [];

  constructor(root: string, { ignore = [], maxBytes = DEFAULT_MAX_BYTES, onFolder }: WalkOptions) {
    this.#root = root;
    this.#maxBytes = maxBytes;
    this.#onFolder = onFolder;
    this.#extra = ignore.length === 0 ? undefined : new IgnoreRules(ignore.join('\n'));
    this.#open();
  }

  #open(): void {
    try {
      this.#ahead.push({ path: '', rules: outerRules(realpathSync(this.#root)), depth: 0 });
    } catch (error) {
      this.#fail('.', error);
    }
  }

  /** Returns the next batch, which may be empty; `undefined` at the end. */
  next(): readonly Walked[] | undefined {
    while (this.#found.length < BATCH) {
      const folder = this.#ahead.pop();
      if (folder === undefined) break;
      this.#enter(folder);
    }
    const batch = this.#found.splice(0, BATCH);
    return batch.length === 0 ? undefined : batch;
  }

  #enter(folder: Folder): void {
    this.#onFolder?.(folder.path);
    try {
      this.#read(folder, readdirSync(path.join(this.#root, folder.path), { withFileTypes: true }));
    } catch (error) {
      this.#fail(folder.path === '' ? '.' : folder.path, error);
    }
  }

  #read(folder: Folder, entries: readonly Dirent[]): void {
    const names = entries.map(({ name }) => name);
    if (folder.depth > 0 && isMarkedFolder(names)) return;
    const rules = this.#rulesIn(folder, names);
    const inner: Folder[] = [];
    for (const entry of entries) {
      const place = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isFile()) this.#file(entry.name, place, rules);
      else if (entry.isDirectory() && this.#isWanted(entry.name, place, names, rules))
        inner.push({ path: place, rules, depth: folder.depth + 1 });
    }
    this.#goInto(inner);
  }

  #goInto(folders: readonly Folder[]): void {
    for (const folder of folders.toReversed()) {
      if (folder.depth <= MAX_DEPTH) this.#ahead.push(folder);
      else this.#fail(folder.path, new Error(`it lies deeper than ${MAX_DEPTH} folders`));
    }
  }

  #rulesIn({ path: folder, rules }: Folder, names: readonly string[]): RuleChain {
    let chain = rules;
    for (const file of RULE_FILES) {
      if (!names.includes(file)) continue;
      const own = rulesOf(path.join(this.#root, folder, file));
      if (own === undefined) continue;
      chain = chain.with(own, folder);
      if (own.refused > 0)
        this.#fail(joined(folder, file), new Error(`${own.refused} patterns have too many *: they are not used`));
    }
    return chain;
  }

  #isWanted(name: string, place: string, names: readonly string[], rules: RuleChain): boolean {
    return !isSkippedFolder(name, names) && !this.#isIgnored(`${place}/`, rules);
  }

  #isIgnored(place: string, rules: RuleChain): boolean {
    return this.#extra?.ask(place) ?? rules.isIgnored(place);
  }

  #file(name: string, place: string, rules: RuleChain): void {
    if (isSkippedFile(name) || this.#isIgnored(place, rules)) return;
    try {
      const stats = lstatSync(`${this.#root}/${place}`, { throwIfNoEntry: false });
      if (stats === undefined || !stats.isFile()) return;
      const { size, mtimeMs, ino } = stats;
      if (size > this.#maxBytes) this.#found.push({ kind: 'oversized', path: place, size });
      else this.#found.push({ kind: 'file', path: place, size, mtimeMs, ino });
    } catch (error) {
      this.#fail(place, error);
    }
  }

  #fail(place: string, error: unknown): void {
    const failure: WalkFailure = { kind: 'failure', path: place, reason: `${place}: ${reasonOf(error)}` };
    this.#found.push(failure);
  }
}

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Returns the reason of an error without the absolute path that Node.js adds. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'ENOTDIR') return 'it is not a folder';
  return code ?? message;
}
