import { isObject } from '../../core/json/as-object.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { DeclaredCache } from '../../core/stores/declared-cache.ts';
import { EntryFiles } from '../entry-files.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** Keeps what servers declared as files, one for each entry of a config as it was then. */
export class DeclaredFiles implements DeclaredCache {
  readonly #files: EntryFiles;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#files = new EntryFiles(folder, onError);
  }

  load(entry: UpstreamEntry): Capabilities | undefined {
    const declared = this.#files.read(entry);
    return isObject(declared) ? declared : undefined;
  }

  save(entry: UpstreamEntry, declared: Capabilities): void {
    this.#files.write(entry, declared);
  }
}
