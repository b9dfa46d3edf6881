import { cutText } from '../core/clean-text.ts';
import type { Descriptor, EntryKind, Listing } from '../core/provider.ts';
import { elementsOf, lastMember, membersOf, rawText, typeOfByte } from '../wire/lens.ts';
import type { ResponseMessage } from '../wire/message.ts';
import type { Member } from '../wire/scanner.ts';
import { type EntryTransform, isDescriptor, readEntry, type SkippedEntry } from './entry-reader.ts';
import { type Link, requestText } from './link.ts';

/** How each kind is listed, and which capability says that there is a list at all. */
const LISTS: Readonly<Record<EntryKind, { method: string; member: string; capability: string }>> = {
  tool: { method: 'tools/list', member: 'tools', capability: 'tools' },
  prompt: { method: 'prompts/list', member: 'prompts', capability: 'prompts' },
  resource: { method: 'resources/list', member: 'resources', capability: 'resources' },
  template: { method: 'resources/templates/list', member: 'resourceTemplates', capability: 'resources' },
};

export const ENTRY_KINDS = Object.keys(LISTS) as EntryKind[];

/** No real server comes near: the largest list seen has 1,000 entries in 20 pages. */
const MAX_PAGES = 1_000;

export interface SyncResult {
  readonly listing: Listing;
  readonly skipped: readonly SkippedEntry[];
  /** The tools that the config's globs deny. */
  readonly filtered: readonly Descriptor[];
  /** Kinds whose list was not answered: what was known of them before still stands. */
  readonly unread: readonly EntryKind[];
  /** For how long those lists are good whose changes the upstream does not announce; absent where it has not said. */
  readonly ttlMs?: number;
  /** What went wrong with a list, for status. */
  readonly errors: readonly string[];
}

export interface SyncOptions {
  readonly upstream: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly accepts: (kind: EntryKind, ownName: string) => boolean;
  readonly transform?: EntryTransform | undefined;
  /** Why an entry cannot be offered by this upstream, though it is sound in itself. */
  readonly unusable?: (entry: Descriptor) => string | undefined;
}

/**
 * Reads all lists of an upstream to their ends. A list that is answered with an error is empty and reported.
 * @throws GatewayError when the connection ends.
 */
export async function readLists(link: Link, options: SyncOptions): Promise<SyncResult> {
  const offered = ENTRY_KINDS.filter((kind) => isOffered(kind, options.capabilities));
  const lists = await Promise.all(offered.map((kind) => readList(link, kind, options)));
  const listing: Record<EntryKind, readonly Descriptor[]> = { tool: [], prompt: [], resource: [], template: [] };
  for (const [index, kind] of offered.entries()) listing[kind] = lists[index]!.entries;
  return {
    listing,
    skipped: lists.flatMap((list) => list.skipped),
    filtered: lists.flatMap((list) => list.filtered),
    unread: offered.filter((_kind, index) => lists[index]!.unread),
    errors: lists.flatMap((list) => (list.error === undefined ? [] : [list.error])),
    ...shortestTtl(offered, lists, options.capabilities),
  };
}

function shortestTtl(
  kinds: readonly EntryKind[],
  lists: readonly ListResult[],
  capabilities: SyncOptions['capabilities'],
): { ttlMs?: number } {
  const isAnnounced = (kind: EntryKind) =>
    (capabilities[LISTS[kind].capability] as { listChanged?: unknown } | undefined)?.listChanged === true;
  const times = lists.flatMap(({ ttlMs }, index) => (ttlMs === undefined || isAnnounced(kinds[index]!) ? [] : [ttlMs]));
  return times.length === 0 ? {} : { ttlMs: Math.min(...times) };
}

/** Some servers declare nothing and have tools all the same. */
function isOffered(kind: EntryKind, capabilities: Readonly<Record<string, unknown>>): boolean {
  return LISTS[kind].capability in capabilities || (kind === 'tool' && Object.keys(capabilities).length === 0);
}

interface ListResult {
  readonly entries: readonly Descriptor[];
  readonly skipped: readonly SkippedEntry[];
  readonly filtered: readonly Descriptor[];
  readonly unread: boolean;
  readonly ttlMs?: number | undefined;
  readonly error?: string;
}

async function readList(link: Link, kind: EntryKind, options: SyncOptions): Promise<ListResult> {
  const entries = new Map<string, Descriptor>();
  const skipped: SkippedEntry[] = [];
  const filtered: Descriptor[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let ttlMs: number | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await readPage(link, kind, cursor);
    if ('error' in answer)
      return { entries: [...entries.values()], skipped, filtered, unread: page === 0, error: answer.error };
    for (const span of answer.entries) {
      const entry = readEntry(kind, answer.text, span, { transform: options.transform, era: link.era });
      const problem = isDescriptor(entry) ? options.unusable?.(entry) : undefined;
      if (!isDescriptor(entry)) skipped.push(entry);
      else if (problem !== undefined) skipped.push({ kind, name: entry.ownName, reason: problem });
      else if (options.accepts(kind, entry.ownName)) addOnce(entries, entry, skipped);
      else filtered.push(entry);
    }
    if (answer.ttlMs !== undefined) ttlMs = Math.min(answer.ttlMs, ttlMs ?? answer.ttlMs);
    cursor = answer.nextCursor;
    if (cursor === undefined) return { entries: [...entries.values()], skipped, filtered, unread: false, ttlMs };
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  const error = `${LISTS[kind].method} never ends (${cursors.size} pages read); the rest was left out`;
  return { entries: [...entries.values()], skipped, filtered, unread: false, error };
}

function addOnce(entries: Map<string, Descriptor>, entry: Descriptor, skipped: SkippedEntry[]): void {
  if (!entries.has(entry.ownName)) entries.set(entry.ownName, entry);
  else skipped.push({ kind: entry.kind, name: entry.ownName, reason: 'an earlier entry of the list has this name' });
}

interface Page {
  readonly text: Buffer;
  readonly entries: readonly { start: number; end: number }[];
  /** The raw JSON token, so that it goes back as it came. */
  readonly nextCursor: string | undefined;
  /** For how long the page is good (2026-07-28, "Caching"). */
  readonly ttlMs: number | undefined;
}

async function readPage(link: Link, kind: EntryKind, cursor: string | undefined): Promise<Page | { error: string }> {
  const { method, member } = LISTS[kind];
  const { frame, result, error } = await ask(link, method, cursor);
  const { text } = frame;
  if (result === undefined || typeOfByte(text[result.start]) !== 'object') {
    const said = error === undefined ? 'no result' : cutText(text.toString('utf8', error.start, error.end), 500);
    return { error: `${method} was answered with ${said}` };
  }
  const members = membersOf(text, result);
  const list = lastMember(members, member);
  if (list === undefined || typeOfByte(text[list.start]) !== 'array') {
    return { error: `${method} was answered without "${member}"` };
  }
  const next = lastMember(members, 'nextCursor');
  const nextCursor = next !== undefined && typeOfByte(text[next.start]) === 'string' ? rawText(text, next) : undefined;
  return { text, entries: elementsOf(text, list), nextCursor, ttlMs: ttlIn(text, members, link) };
}

function ttlIn(text: Buffer, members: readonly Member[], { era }: Link): number | undefined {
  const member = era === 'modern' ? lastMember(members, 'ttlMs') : undefined;
  const ttl = member === undefined ? Number.NaN : Number(rawText(text, member));
  return ttl >= 0 ? ttl : undefined;
}

function ask(link: Link, method: string, cursor: string | undefined) {
  return new Promise<ResponseMessage>((onResponse, onFailure) => {
    const params = link.ownParams(cursor === undefined ? '{}' : `{"cursor":${cursor}}`);
    link.send({ onResponse, onFailure }, (id) => requestText(id, method, params));
  });
}

export interface ListingDifference {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}

/** What a client would notice between two lists of one kind. */
export function differenceOf(before: readonly Descriptor[], after: readonly Descriptor[]): ListingDifference {
  const old = new Map(before.map((entry) => [entry.ownName, entry.fingerprint]));
  let added = 0;
  let updated = 0;
  for (const entry of after) {
    const fingerprint = old.get(entry.ownName);
    if (fingerprint === undefined) added++;
    else if (fingerprint !== entry.fingerprint) updated++;
    old.delete(entry.ownName);
  }
  return { added, updated, removed: old.size };
}
