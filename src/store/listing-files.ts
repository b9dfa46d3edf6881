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

  #fileOf(entry: UpstreamEntry): string {
    const hash = createHash('sha256')
      .update(JSON.stringify(factsOf(entry)))
      .digest('hex')
      .slice(0, 16);
    return path.join(this.#folder, `${entry.key}-${hash}.json`);
  }
}

/** What decides the lists is part of the name: another command, folder, environment or url is another upstream. */
function factsOf(entry: UpstreamEntry): readonly unknown[] {
  if (entry.url !== undefined) return [entry.url, sorted(entry.headers)];
  return [entry.command, entry.args, entry.cwd, sorted(entry.env)];
}

function sorted(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

function isStored(value: unknown): value is { listing: StoredListing } {
  const { version, listing } = (value ?? {}) as { version?: unknown; listing?: Record<string, unknown> };
  const kinds = ['tool', 'prompt', 'resource', 'template'];
  return version === VERSION && kinds.every((kind) => isTexts(listing?.[kind]));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
