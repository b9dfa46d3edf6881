import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ListingCache, StoredListing } from '../core/listing-cache.ts';
import type { UpstreamEntry } from '../core/upstream-entry.ts';
import { entryFile } from './entry-file.ts';
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

  #fileOf(entry: UpstreamEntry): string {
    return path.join(this.#folder, entryFile(entry));
  }
}

function isStored(value: unknown): value is { listing: StoredListing } {
  const { version, listing } = (value ?? {}) as { version?: unknown; listing?: Record<string, unknown> };
  const kinds = ['tool', 'prompt', 'resource', 'template'];
  return (
    version === VERSION &&
    listing != null &&
    kinds.every((kind) => listing[kind] === undefined || isTexts(listing[kind]))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
