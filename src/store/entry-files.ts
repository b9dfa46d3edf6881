import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { UpstreamEntry } from '../core/settings/upstream-entry.ts';
import type { Steps } from '../core/timing/steps.ts';
import { entryFile } from './entry-file.ts';
import { type LastSteps, writeWhole, writeWholeSteps } from './write-whole.ts';

/** Keeps a JSON value for each entry of a config, as the entry is then, in files of one folder. Nothing here throws. */
export class EntryFiles {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  /** `onError` is told of what cannot be read or written, but not of files that are missing. */
  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  /** Returns the value that is kept for the entry; `undefined` if there is none, or it cannot be read. */
  read(entry: UpstreamEntry): unknown {
    try {
      return JSON.parse(readFileSync(this.fileOf(entry), 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onError(error);
      return undefined;
    }
  }

  /** Keeps a value for the entry. Returns the stamp of its file; `undefined` if it could not be written. */
  write(entry: UpstreamEntry, value: unknown): string | undefined {
    return this.#attempt(() => writeWhole(this.fileOf(entry), JSON.stringify(value)));
  }

  /** Does the same with JSON text in parts, piece by piece. */
  *writeSteps(entry: UpstreamEntry, parts: Iterable<string>, last: LastSteps): Steps<string | undefined> {
    try {
      return yield* writeWholeSteps(this.fileOf(entry), parts, last);
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  remove(entry: UpstreamEntry): void {
    this.#attempt(() => rmSync(this.fileOf(entry), { force: true }));
  }

  /** Returns the path of the entry's file. */
  fileOf(entry: UpstreamEntry): string {
    return path.join(this.#folder, entryFile(entry));
  }

  #attempt<T>(change: () => T): T | undefined {
    try {
      return change();
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }
}
