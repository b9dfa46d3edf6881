import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ListingCache, StoredListing } from '../core/listing-cache.ts';
import type { UpstreamEntry } from '../core/upstream-entry.ts';
import { writeWhole } from './write-whole.ts';

const VERSION = 1;

/** Keeps the last lists of upstreams as files, one for each entry of a config as it was when the lists were read. */
export class ListingFiles implements ListingCache {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  load(entry: UpstreamEntry): StoredListing | undefined {
    try {
      const stored = JSON.parse(readFileSync(this.#fileOf(entry), 'utf8')) as unknown;
      return isStored(stored) ? stored.listing : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onError(error);
      return undefined;
    }
  }

  save(entry: UpstreamEntry, listing: StoredListing): void {
    try {
      writeWhole(this.#fileOf(entry), JSON.stringify({ version: VERSION, listing }));
    } catch (error) {
      this.#onError(error);
    }
  }

  /** What decides the lists is part of the name: another command, folder or environment is another upstream. */
  #fileOf({ key, command, args, cwd, env }: UpstreamEntry): string {
    const facts = JSON.stringify([command, args, cwd, Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))]);
    const hash = createHash('sha256').update(facts).digest('hex').slice(0, 16);
    return path.join(this.#folder, `${key}-${hash}.json`);
  }
}

function isStored(value: unknown): value is { listing: StoredListing } {
  const { version, listing } = (value ?? {}) as { version?: unknown; listing?: Record<string, unknown> };
  const kinds = ['tool', 'prompt', 'resource', 'template'];
  return version === VERSION && kinds.every((kind) => isTexts(listing?.[kind]));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
