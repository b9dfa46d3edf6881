import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { EraCache, EraVerdict } from '../core/era-cache.ts';
import type { Era } from '../core/provider.ts';
import type { UpstreamEntry } from '../core/upstream-entry.ts';
import { entryFile } from './entry-file.ts';
import { writeWhole } from './write-whole.ts';

/** Keeps verdicts as files, one for each entry of a config as it was when the upstream was asked. */
export class EraFiles implements EraCache {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  load(entry: UpstreamEntry): EraVerdict | undefined {
    try {
      return verdictIn(JSON.parse(readFileSync(this.#fileOf(entry), 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onError(error);
      return undefined;
    }
  }

  save(entry: UpstreamEntry, era: Era): void {
    this.#attempt(() => writeWhole(this.#fileOf(entry), JSON.stringify({ era, at: new Date().toISOString() })));
  }

  forget(entry: UpstreamEntry): void {
    this.#attempt(() => rmSync(this.#fileOf(entry), { force: true }));
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#onError(error);
    }
  }

  #fileOf(entry: UpstreamEntry): string {
    return path.join(this.#folder, entryFile(entry));
  }
}

function verdictIn(stored: unknown): EraVerdict | undefined {
  const { era, at } = (stored ?? {}) as { era?: unknown; at?: unknown };
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return (era === 'legacy' || era === 'modern') && !Number.isNaN(time) ? { era, at: time } : undefined;
}
