import { type ErrorCode, GatewayError } from '../../core/errors.ts';
import type { Descriptor, EntryKind } from '../../core/providers/provider.ts';
import { cleanText, cutText } from '../../core/text/clean-text.ts';
import { LoopTurn } from '../../core/timing/loop-turn.ts';
import { WorkTurns } from '../../core/timing/work-turns.ts';
import { lastMember, membersOf, rawText, stringAt, typeOfByte } from '../../wire/lens.ts';
import type { ResponseMessage } from '../../wire/message.ts';
import type { Member, Span } from '../../wire/scanning/outline.ts';
import { type Link, requestText } from '../connection/link.ts';
import { EntryMemory, type PageEntry, type RememberedReading } from './entries/entry-memory.ts';
import { type EntryTransform, isDescriptor, type SkippedEntry } from './entries/entry-reader.ts';
import { layoutOf } from './entries/list-layout.ts';
import { LISTS } from './list-methods.ts';

/** The largest number of pages. No real server comes near: the largest list seen has 1,000 entries in 20 pages. */
const MAX_PAGES = 1_000;
const MAX_ENTRIES = 20_000;
/** The bytes of all pages of a list together. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The number of characters of a server's own words in a problem. */
const SHOWN = 300;
const METHOD_NOT_FOUND = '-32601';
/** The cost of a page before its entries are looked for: one millisecond for this many bytes. */
const RECEIVED_BYTES_PER_MS = 200_000;

/** Shared by all lists of all upstreams: at the start of a gateway many servers answer at the same time. */
export const LIST_TURN = new LoopTurn();

/** One list, read page by page. */
export interface ReadList {
  readonly entries: readonly Descriptor[];
  readonly skipped: readonly SkippedEntry[];
  /** The tools that the config's globs deny. */
  readonly filtered: readonly Descriptor[];
  /** The time for which it is valid, in milliseconds (2026-07-28, "Caching"); absent if the server has not said. */
  readonly ttlMs?: number | undefined;
  /** A fault that does not make it useless. */
  readonly remark?: string | undefined;
}

export type ListOutcome =
  | { readonly kind: 'read'; readonly list: ReadList }
  /** The server has no such list (JSON-RPC error -32601). */
  | { readonly kind: 'absent' }
  /** `partial` has the pages before the one that failed. */
  | { readonly kind: 'failed'; readonly problem: ListProblem; readonly partial?: ReadList | undefined };

export interface ListProblem {
  /** Begins with the method: "tools/list was answered with …". */
  readonly text: string;
  readonly code: ErrorCode;
  readonly retryAfterMs?: number | undefined;
}

export const NO_ENTRIES: ReadList = { entries: [], skipped: [], filtered: [] };

export interface ReadListOptions {
  readonly upstream: string;
  readonly accepts: (ownName: string) => boolean;
  readonly transform?: EntryTransform | undefined;
  /** Has the entries of the last reading of this list; without it, all are read anew. */
  readonly memory?: EntryMemory | undefined;
  /** Says why this upstream cannot offer an entry that is sound in itself; `undefined` if it can. */
  readonly unusable?: ((entry: Descriptor) => string | undefined) | undefined;
  /** True if the list is read again when its time is over. */
  readonly heedsTtl: boolean;
  /** The pages of one list together may take as long, in milliseconds. */
  readonly totalMs: number;
  /** Aborted when the response is no longer wanted: the server is told, and nothing is returned. */
  readonly signal: AbortSignal;
  /** A page has come. */
  onPage(): void;
  /** Called with each entry that is offered. Code that examines every entry does it here, where the work is spread over turns. */
  onEntry?(entry: Descriptor): void;
  /** A piece of the work is done, which took this long in milliseconds; other work gets a turn after each but the last. */
  onWork?(ms: number): void;
}

/**
 * Reads one list to its end.
 * @param link the connection to ask
 * @param kind which list
 * @param options how entries are judged, and how the reading is given up
 * @returns what came of it; `undefined` after `signal` was aborted, and when the session has expired: another connection
 *   follows then
 */
export async function readList(
  link: Link,
  kind: EntryKind,
  options: ReadListOptions,
): Promise<ListOutcome | undefined> {
  const pages = new ListPages(kind, options, link);
  const cursors = new Set<string>();
  const endsAt = performance.now() + options.totalMs;
  let cursor: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    if (page > 1 && performance.now() >= endsAt) return { ...tooSlow(kind, page, options), partial: pages.list() };
    const answer = await readPage(link, { kind, page, cursor, pages }, options);
    if (answer === undefined) return undefined;
    if ('kind' in answer) return answer.kind === 'failed' && page > 1 ? { ...answer, partial: pages.list() } : answer;
    if (options.signal.aborted) return undefined;
    options.onPage();
    await pages.add(answer);
    if (options.signal.aborted) return undefined;
    if (pages.isFull) {
      const remark = `${LISTS[kind].method} is too long (over ${MAX_ENTRIES} entries or ${MAX_BYTES} bytes); the rest was left out`;
      return { kind: 'read', list: pages.whole(remark) };
    }
    cursor = answer.nextCursor;
    if (cursor === undefined) return { kind: 'read', list: pages.whole() };
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  const remark = `${LISTS[kind].method} never ends (${cursors.size} pages read); the rest was left out`;
  return { kind: 'read', list: pages.whole(remark) };
}

function tooSlow(kind: EntryKind, page: number, { totalMs }: ReadListOptions) {
  const text = `${LISTS[kind].method} took longer than ${totalMs / 1000} s (${page - 1} pages read); the rest was left out`;
  return { kind: 'failed', problem: { text, code: 'UPSTREAM_TIMEOUT' } } as const;
}

/** The entries of the pages so far, judged one by one. */
class ListPages {
  readonly reading: RememberedReading;
  readonly turns: WorkTurns;
  readonly #kind: EntryKind;
  readonly #options: ReadListOptions;
  readonly #entries = new Map<string, Descriptor>();
  readonly #skipped: SkippedEntry[] = [];
  readonly #filtered: Descriptor[] = [];
  #ttlMs: number | undefined;
  /** Entries, and bytes of pages, that came. */
  #count = 0;
  #bytes = 0;

  constructor(kind: EntryKind, options: ReadListOptions, link: Link) {
    this.#kind = kind;
    this.#options = options;
    const { memory = new EntryMemory(kind), transform } = options;
    this.reading = memory.begin({ transform, era: link.era });
    this.turns = new WorkTurns((ms) => {
      options.onWork?.(ms);
      // A list that takes long to judge is not silent.
      options.onPage();
    }, LIST_TURN);
  }

  /** Judges the entries of a page in turns of bounded time. Stops when the list is no longer wanted. */
  async add({ text, entries, ttlMs }: Page): Promise<void> {
    const { signal } = this.#options;
    this.#bytes += text.length;
    for (const entry of entries) {
      if (++this.#count > MAX_ENTRIES) break;
      this.#judge(this.reading.read(text, entry));
      if (!this.turns.isOver) continue;
      await this.turns.pass();
      if (signal.aborted) return;
    }
    this.turns.end();
    if (ttlMs !== undefined) this.#ttlMs = Math.min(ttlMs, this.#ttlMs ?? ttlMs);
  }

  /** True if no more is read: everything read is kept as long as the server is known. */
  get isFull(): boolean {
    return this.#count > MAX_ENTRIES || this.#bytes > MAX_BYTES;
  }

  /** Returns the list, of which no more is read. */
  whole(remark?: string): ReadList {
    this.reading.keep();
    return this.list(remark);
  }

  /** Returns what was read so far. */
  list(remark?: string): ReadList {
    return {
      entries: [...this.#entries.values()],
      skipped: this.#skipped,
      filtered: this.#filtered,
      ttlMs: this.#options.heedsTtl ? this.#ttlMs : undefined,
      remark,
    };
  }

  #judge(entry: Descriptor | SkippedEntry): void {
    if (!isDescriptor(entry)) {
      this.#skip(entry.name, entry.reason);
      return;
    }
    const { ownName: name } = entry;
    const problem = this.#options.unusable?.(entry);
    if (problem !== undefined) this.#skip(name, problem);
    else if (!this.#options.accepts(name)) this.#filtered.push(entry);
    else if (this.#entries.has(name)) this.#skip(name, 'an earlier entry of the list has this name');
    else {
      this.#entries.set(name, entry);
      this.#options.onEntry?.(entry);
    }
  }

  #skip(name: string, reason: string): void {
    this.#skipped.push({ kind: this.#kind, name: cutText(name, SHOWN), reason });
  }
}

interface Page {
  readonly text: Buffer;
  readonly entries: readonly PageEntry[];
  /** The raw JSON token, so that it goes back as it came. */
  readonly nextCursor: string | undefined;
  readonly ttlMs: number | undefined;
}

interface PageRequest {
  readonly kind: EntryKind;
  /** Counted from 1. */
  readonly page: number;
  readonly cursor: string | undefined;
  /** The list so far. */
  readonly pages: ListPages;
}

async function readPage(
  link: Link,
  request: PageRequest,
  options: ReadListOptions,
): Promise<Page | Exclude<ListOutcome, { kind: 'read' }> | undefined> {
  const { method, member } = LISTS[request.kind];
  const what = request.page === 1 ? method : `page ${request.page} of ${method}`;
  const answer = await ask(link, method, request.cursor, options.signal);
  if (answer === undefined) return undefined;
  if (answer instanceof GatewayError) return { kind: 'failed', problem: problemOf(what, answer, options.upstream) };
  const { frame, result, error } = answer;
  const { text } = frame;
  const invalid = (said: string) =>
    ({ kind: 'failed', problem: { text: `${what} was answered ${said}`, code: 'UPSTREAM_INVALID_ANSWER' } }) as const;
  if (error !== undefined) {
    const { code, words } = errorIn(text, error);
    return code === METHOD_NOT_FOUND && request.page === 1 ? { kind: 'absent' } : invalid(`with an error: ${words}`);
  }
  if (result === undefined || typeOfByte(text[result.start]) !== 'object') return invalid('with no result');
  options.onWork?.(text.length / RECEIVED_BYTES_PER_MS);
  const { reading, turns } = request.pages;
  await turns.begin();
  const layout = await layoutOf({ text, result, member, maxEntries: MAX_ENTRIES + 1 }, reading, turns);
  if (layout === undefined) return invalid(`without "${member}"`);
  const { entries, rest, members } = layout;
  return { text, entries, nextCursor: cursorIn(rest, members), ttlMs: ttlIn(rest, members, link) };
}

/** An empty cursor is what servers write that have no next page. */
function cursorIn(text: Buffer, members: readonly Member[]): string | undefined {
  const next = lastMember(members, 'nextCursor');
  return (stringAt(text, next) ?? '') === '' ? undefined : rawText(text, next!);
}

function ttlIn(text: Buffer, members: readonly Member[], { era }: Link): number | undefined {
  const member = era === 'modern' ? lastMember(members, 'ttlMs') : undefined;
  const ttl = member === undefined ? Number.NaN : Number(rawText(text, member));
  return ttl >= 0 ? ttl : undefined;
}

function errorIn(text: Buffer, error: Span): { readonly code: string | undefined; readonly words: string } {
  const members = typeOfByte(text[error.start]) === 'object' ? membersOf(text, error) : [];
  const code = lastMember(members, 'code');
  const message = stringAt(text, lastMember(members, 'message'));
  const raw = code === undefined ? undefined : rawText(text, code);
  const words = message === undefined || raw === undefined ? rawText(text, error) : `${message} (${raw})`;
  return { code: raw, words: cleanText(cutText(words, SHOWN)) };
}

/** The reasons of errors begin with the upstream's key, which readers of its lists already know. */
function problemOf(what: string, { message, code, detail }: GatewayError, upstream: string): ListProblem {
  const reason = message.startsWith(`${upstream}: `) ? message.slice(upstream.length + 2) : message;
  return { text: `${what} failed: ${cleanText(reason)}`, code, retryAfterMs: detail.retryAfterMs };
}

function ask(
  link: Link,
  method: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ResponseMessage | GatewayError | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    const params = link.ownParams(cursor === undefined ? '{}' : `{"cursor":${cursor}}`);
    const settle = (answer: ResponseMessage | GatewayError | undefined) => {
      signal.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    const waiter = {
      onResponse: settle,
      // The next connection reads the list: this one only has not ended yet.
      onFailure: (error: GatewayError) => settle(link.isExpired ? undefined : error),
    };
    const id = link.send(waiter, (id) => requestText(id, method, params));
    function giveUp() {
      link.cancel(id);
      settle(undefined);
    }
    signal.addEventListener('abort', giveUp);
  });
}
