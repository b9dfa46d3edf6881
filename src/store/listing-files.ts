import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ListingCache, StoredListing } from '../core/listing-cache.ts';
import type { AskingGrade } from '../core/provider-status.ts';
import type { UpstreamEntry } from '../core/upstream-entry.ts';
import { entryFile } from './entry-file.ts';
import { writeWhole } from './write-whole.ts';

const VERSION = 1;

interface StoredFile {
  readonly listing?: StoredListing | undefined;
  /** How the upstream has asked its clients. */
  readonly asks?: AskingGrade | undefined;
}

/** Keeps the last lists of upstreams as files, one for each entry of a config as it was when the lists were read. */
export class ListingFiles implements ListingCache {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  load(entry: UpstreamEntry): StoredListing | undefined {
    return this.#read(entry).listing;
  }

  save(entry: UpstreamEntry, listing: StoredListing): void {
    this.#write(entry, { ...this.#read(entry), listing });
  }

  loadAsking(entry: UpstreamEntry): AskingGrade | undefined {
    return this.#read(entry).asks;
  }

  saveAsking(entry: UpstreamEntry, asks: AskingGrade): void {
    this.#write(entry, { ...this.#read(entry), asks });
  }

  #read(entry: UpstreamEntry): StoredFile {
    try {
      return readStored(JSON.parse(readFileSync(this.#fileOf(entry), 'utf8')) as unknown);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onError(error);
      return {};
    }
  }

  #write(entry: UpstreamEntry, stored: StoredFile): void {
    try {
      writeWhole(this.#fileOf(entry), JSON.stringify({ version: VERSION, ...stored }));
    } catch (error) {
      this.#onError(error);
    }
  }

  #fileOf(entry: UpstreamEntry): string {
    return path.join(this.#folder, entryFile(entry));
  }
}

function readStored(value: unknown): StoredFile {
  const { version, listing, asks } = (value ?? {}) as Record<string, unknown>;
  if (version !== VERSION) return {};
  return {
    ...(isListing(listing) && { listing }),
    ...((asks === 'named' || asks === 'unnamed') && { asks }),
  };
}

function isListing(value: unknown): value is StoredListing {
  const kinds = ['tool', 'prompt', 'resource', 'template'];
  const lists = value as Readonly<Record<string, unknown>> | undefined | null;
  return lists != null && kinds.every((kind) => lists[kind] === undefined || isTexts(lists[kind]));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
