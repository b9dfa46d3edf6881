import { setTimeout as pause } from 'node:timers/promises';
import type { Repository, SearchAnswer, SearchQuery } from './knowledge.ts';
import { progressIn } from './progress-in.ts';
import type { RootStates } from './root-states.ts';
import type { SearchReply } from './search/searcher.ts';
import type { Thread } from './threads/thread.ts';

/** The longest that a search waits for the first look through a folder. */
const LOOK_MS = 150;
/** The longest that it waits until changed files among its results are read again. */
const UPDATE_MS = 3_000;
const MOST_TRIES = 3;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Searches, and sees to it that no answer is about text that is gone. */
export class FreshSearch {
  readonly #indexing: Thread;
  readonly #searching: Thread;
  readonly #states: RootStates;
  readonly #rootsById = new Map<string, string>();

  constructor(indexing: Thread, searching: Thread, states: RootStates) {
    this.#indexing = indexing;
    this.#searching = searching;
    this.#states = states;
  }

  async search({ signal, ...query }: SearchQuery): Promise<SearchAnswer> {
    const startedAt = performance.now();
    const looked = await this.#lookAround(await this.#roots(query.spaces), signal);
    const reply = await this.#askFresh(query, signal);
    const { results, notes } = withoutStale(reply);
    return {
      results,
      totalCount: reply.totalCount,
      latencyMs: Math.round(performance.now() - startedAt),
      mode: reply.mode,
      notes: [...notes, ...(looked ? [] : [LOOKING])],
      indexing: reply.spaces.flatMap((space) => this.#runOf(space)),
    };
  }

  /** A file that was read again for this search is as the index has it, also where its time cannot tell that yet. */
  async #askFresh(query: Omit<SearchQuery, 'signal'>, signal: AbortSignal | undefined): Promise<SearchReply> {
    const read = new Set<string>();
    for (let tries = 1; ; tries++) {
      const found = await this.#ask(query, signal);
      const reply = { ...found, stale: found.stale.filter(({ root, path }) => !read.has(`${root}\n${path}`)) };
      if (reply.stale.length === 0 || tries === MOST_TRIES || !(await this.#update(reply))) return reply;
      for (const { root, path } of reply.stale) read.add(`${root}\n${path}`);
    }
  }

  #ask(query: Omit<SearchQuery, 'signal'>, signal: AbortSignal | undefined): Promise<SearchReply> {
    return this.#searching.call('search', [query], { signal });
  }

  /** Spaces are named by their roots or ids. */
  async #roots(spaces: readonly string[]): Promise<readonly string[]> {
    const roots: string[] = [];
    for (const space of spaces) {
      if (!UUID.test(space)) roots.push(space);
      else roots.push(...(await this.#rootOf(space)));
    }
    return roots;
  }

  async #rootOf(id: string): Promise<readonly string[]> {
    const known =
      this.#rootsById.get(id) ?? (await this.#searching.call<Repository | undefined>('repository', [id]))?.root;
    if (known === undefined) return [];
    this.#rootsById.set(id, known);
    return [known];
  }

  /** Returns false where the look goes on without the search. */
  async #lookAround(named: readonly string[], signal: AbortSignal | undefined): Promise<boolean> {
    const roots = named.filter((root) => !this.#states.isFresh(root) && this.#states.run(root) === undefined);
    if (roots.length === 0) return true;
    // The indexer finds out itself what is wrong, and tells the client that asked for the indexing.
    const looks = Promise.all(roots.map((root) => this.#indexing.call('freshen', [root]))).then(
      () => true,
      () => true,
    );
    return Promise.race([looks, pause(LOOK_MS, false, { signal, ref: false })]);
  }

  /** Returns false where the files were not read in time. */
  async #update({ stale }: SearchReply): Promise<boolean> {
    const byRoot = new Map<string, string[]>();
    for (const { root, path } of stale) byRoot.set(root, [...(byRoot.get(root) ?? []), path]);
    const updates = [...byRoot].map(([root, paths]) => this.#indexing.call('update', [root, paths]));
    const done = Promise.all(updates).then(
      () => true,
      () => false,
    );
    return Promise.race([done, pause(UPDATE_MS, false, { ref: false })]);
  }

  #runOf({ root, runProgress }: SearchReply['spaces'][number]) {
    const progress = this.#states.run(root) ?? progressIn(runProgress);
    return progress === undefined ? [] : [{ root, progress }];
  }
}

const LOOKING = 'The folder is still being looked through for changes: files that are new may be missing';

function withoutStale({ results, stale, notes }: SearchReply) {
  if (stale.length === 0) return { results, notes };
  const gone = new Set(stale.map(({ repositoryId, path }) => `${repositoryId}\n${path}`));
  const left = results.filter(({ repositoryId, filePath }) => !gone.has(`${repositoryId}\n${filePath}`));
  return {
    results: left,
    notes: [...notes, `${results.length - left.length} results are left out: their files are changing`],
  };
}
