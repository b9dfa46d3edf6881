import type { Era } from '../core/providers/provider.ts';
import type { UpstreamEntry } from '../core/settings/upstream-entry.ts';
import type { EraCache, EraVerdict } from '../core/stores/era-cache.ts';
import { EntryFiles } from './entry-files.ts';

/** Keeps verdicts as files, one for each entry of a config as it was when the upstream was asked. */
export class EraFiles implements EraCache {
  readonly #files: EntryFiles;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#files = new EntryFiles(folder, onError);
  }

  load(entry: UpstreamEntry): EraVerdict | undefined {
    return verdictIn(this.#files.read(entry));
  }

  save(entry: UpstreamEntry, era: Era): void {
    this.#files.write(entry, { era, at: new Date().toISOString() });
  }

  forget(entry: UpstreamEntry): void {
    this.#files.remove(entry);
  }
}

function verdictIn(stored: unknown): EraVerdict | undefined {
  const { era, at } = (stored ?? {}) as { era?: unknown; at?: unknown };
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return (era === 'legacy' || era === 'modern') && !Number.isNaN(time) ? { era, at: time } : undefined;
}
