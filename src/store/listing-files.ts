import type { ListingCache, StoredListing } from '../core/listing-cache.ts';
import type { AskingGrade } from '../core/provider-status.ts';
import type { UpstreamEntry } from '../core/upstream-entry.ts';
import { EntryFiles } from './entry-files.ts';

const VERSION = 1;

interface StoredFile {
  readonly listing?: StoredListing | undefined;
  /** The way in which the upstream has asked its clients. */
  readonly asks?: AskingGrade | undefined;
}

/** Keeps the last lists of upstreams as files, one for each entry of a config as it was when the lists were read. */
export class ListingFiles implements ListingCache {
  readonly #files: EntryFiles;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#files = new EntryFiles(folder, onError);
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
    return readStored(this.#files.read(entry));
  }

  #write(entry: UpstreamEntry, stored: StoredFile): void {
    this.#files.write(entry, { version: VERSION, ...stored });
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
