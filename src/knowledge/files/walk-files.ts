import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Walked } from './walked.ts';

export interface WalkOptions {
  /** Globs in the syntax of `.gitignore`, relative to the root. */
  readonly ignore?: readonly string[];
  /** Larger files are left out; 1 MiB by default. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * Yields the files below a folder that may be indexed, a folder's files at a time, as one batch.
 * @throws the reason of `signal` when that is aborted
 */
export async function* walkFiles(root: string, options: WalkOptions = {}): AsyncGenerator<readonly Walked[]> {
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    options.signal?.throwIfAborted();
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const { size, mtimeMs, ino } = await stat(file);
    yield [{ kind: 'file', path: path.relative(root, file), size, mtimeMs, ino }];
  }
}
