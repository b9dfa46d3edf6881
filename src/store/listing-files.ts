import { isObject } from '../core/json/as-object.ts';
import type { AskingGrade } from '../core/providers/provider-status.ts';
import type { UpstreamEntry } from '../core/settings/upstream-entry.ts';
import type { ListingCache, StoredListing } from '../core/stores/listing-cache.ts';
import { inSlices, type Steps } from '../core/timing/steps.ts';
import { EntryFiles } from './entry-files.ts';
import { FileMemory } from './file-memory.ts';
import { listingParts } from './listing-parts.ts';

const VERSION = 1;

interface StoredFile {
  readonly listing?: StoredListing | undefined;
  /** The version of the program that has read the listing: another one may read it differently. */
  readonly readBy?: string | undefined;
  /** The way in which the upstream has asked its clients. */
  readonly asks?: AskingGrade | undefined;
}

/** Keeps the last lists of upstreams as files, one for each entry of a config as it was when the lists were read. */
export class ListingFiles implements ListingCache {
  readonly #files: EntryFiles;
  readonly #program: string;
  /** What files have beside the lists: a list that changes often is not read each time that it is written. */
  readonly #beside = new FileMemory<Pick<StoredFile, 'asks'>>();

  /** `onError` is told of what cannot be read or written; `program` is the version of this program. */
  constructor(
    folder: string,
    { program, onError }: { readonly program: string; readonly onError: (error: unknown) => void },
  ) {
    this.#files = new EntryFiles(folder, onError);
    this.#program = program;
  }

  load(entry: UpstreamEntry): StoredListing | undefined {
    const { listing, readBy } = this.#read(entry);
    if (listing?.readings === undefined || readBy === this.#program) return listing;
    const { readings: _, ...texts } = listing;
    return texts;
  }

  save(entry: UpstreamEntry, listing: StoredListing): void {
    const { asks } = this.#beside.get(this.#files.fileOf(entry)) ?? this.#read(entry);
    this.#write(entry, { asks, listing, readBy: this.#program });
  }

  async saveInSlices(entry: UpstreamEntry, listing: StoredListing, isWanted: () => boolean): Promise<void> {
    await inSlices(this.#saveSteps(entry, listing, isWanted));
  }

  loadAsking(entry: UpstreamEntry): AskingGrade | undefined {
    return this.#read(entry).asks;
  }

  saveAsking(entry: UpstreamEntry, asks: AskingGrade): void {
    this.#write(entry, { ...this.#read(entry), asks });
  }

  *#saveSteps(entry: UpstreamEntry, listing: StoredListing, isWanted: () => boolean): Steps<void> {
    const head = JSON.stringify({ version: VERSION, readBy: this.#program, listing: 0 });
    let asks: AskingGrade | undefined;
    // It may become known how the upstream asks while the lists are written.
    const tail = () => {
      ({ asks } = this.#beside.get(this.#files.fileOf(entry)) ?? this.#read(entry));
      return asks === undefined ? '}' : `,"asks":${JSON.stringify(asks)}}`;
    };
    const stamp = yield* this.#files.writeSteps(entry, listingParts(head.slice(0, -2), listing), { tail, isWanted });
    if (stamp !== undefined) this.#beside.onWritten(this.#files.fileOf(entry), stamp, { asks });
  }

  #read(entry: UpstreamEntry): StoredFile {
    return readStored(this.#files.read(entry));
  }

  #write(entry: UpstreamEntry, stored: StoredFile): void {
    const stamp = this.#files.write(entry, { version: VERSION, ...stored });
    this.#beside.onWritten(this.#files.fileOf(entry), stamp, { asks: stored.asks });
  }
}

function readStored(value: unknown): StoredFile {
  const { version, listing, readBy, asks } = (value ?? {}) as Record<string, unknown>;
  if (version !== VERSION) return {};
  return {
    ...(isListing(listing) && { listing }),
    ...(typeof readBy === 'string' && { readBy }),
    ...((asks === 'named' || asks === 'unnamed') && { asks }),
  };
}

function isListing(value: unknown): value is StoredListing {
  const kinds = ['tool', 'prompt', 'resource', 'template'];
  const lists = value as Readonly<Record<string, unknown>> | undefined | null;
  if (lists == null || !kinds.every((kind) => lists[kind] === undefined || isTexts(lists[kind]))) return false;
  return lists.readings === undefined || areReadings(lists.readings);
}

function areReadings(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.lists)) return false;
  return Object.values(value.lists).every((list) => Array.isArray(list) && list.every(isObject));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
