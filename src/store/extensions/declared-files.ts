import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../../core/as-object.ts';
import type { DeclaredCache } from '../../core/extensions/declared-cache.ts';
import type { UpstreamEntry } from '../../core/upstream-entry.ts';
import { entryFile } from '../entry-file.ts';
import { writeWhole } from '../write-whole.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** Keeps what servers declared as files, one for each entry of a config as it was then. */
export class DeclaredFiles implements DeclaredCache {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  load(entry: UpstreamEntry): Capabilities | undefined {
    try {
      const declared: unknown = JSON.parse(readFileSync(this.#fileOf(entry), 'utf8'));
      return isObject(declared) ? declared : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onError(error);
      return undefined;
    }
  }

  save(entry: UpstreamEntry, declared: Capabilities): void {
    try {
      writeWhole(this.#fileOf(entry), JSON.stringify(declared));
    } catch (error) {
      this.#onError(error);
    }
  }

  #fileOf(entry: UpstreamEntry): string {
    return path.join(this.#folder, entryFile(entry));
  }
}
