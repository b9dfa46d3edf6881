import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { ownerName } from '../../core/processes/owner.ts';
import { identityOfFile } from '../../store/database/sqlite/sqlite-file.ts';
import { KNOWLEDGE_FILE } from '../../store/knowledge/knowledge-file.ts';
import type { JobRow } from '../../store/knowledge/rows.ts';
import { thisMachine } from '../../store/this-machine.ts';
import type { CollectionAnswer, CollectionInfo, Collections } from './collections.ts';
import { FreshSearch } from './fresh-search.ts';
import type {
  IndexJob,
  IndexOptions,
  IndexOutcome,
  IndexProgress,
  JobOptions,
  Knowledge,
  KnowledgeOptions,
  Outline,
  OutlineOptions,
  Repository,
  SearchAnswer,
  SearchQuery,
} from './knowledge.ts';
import { RootStates } from './root-states.ts';
import { Thread } from './threads/thread.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const IDLE_MS = 600_000;
/** An index of a large repository; a search needs much less. */
const INDEX_MEGABYTES = 1_024;
const SEARCH_MEGABYTES = 1_024;
/** Searches leave much garbage. Keeping the 48 MiB of it that Node.js allows makes searches only a tenth faster. */
const SEARCH_YOUNG_MEGABYTES = 4;

/** Opens the index. Nothing is started or loaded until the first use. */
export function openKnowledge(options: KnowledgeOptions): Knowledge {
  return new ThreadedKnowledge(options);
}

class ThreadedKnowledge implements Knowledge {
  readonly collections: Collections;
  readonly #states = new RootStates();
  readonly #indexing: Thread;
  readonly #searching: Thread;
  readonly #fresh: FreshSearch;

  constructor({ home, url, embeddings, maxFileBytes = MAX_FILE_BYTES, ignore = [] }: KnowledgeOptions) {
    const data = () => ({
      place: { home, url, machine: thisMachine(home).id },
      owner: this.#owner,
      embeddings,
      ignore,
      maxBytes: maxFileBytes,
    });
    const file = path.join(home, KNOWLEDGE_FILE);
    const mark = () => (url === undefined ? identityOfFile(file) : undefined);
    this.#indexing = new Thread({
      role: 'index',
      data,
      mark,
      maxMegabytes: INDEX_MEGABYTES,
      idleMs: IDLE_MS,
      onEvent: (event) => this.#states.note(event),
      onEnd: () => this.#states.clear(),
    });
    this.#searching = new Thread({
      role: 'search',
      data,
      mark,
      maxMegabytes: SEARCH_MEGABYTES,
      youngMegabytes: SEARCH_YOUNG_MEGABYTES,
      idleMs: IDLE_MS,
    });
    this.collections = collectionsOf(this.#indexing, this.#searching);
    this.#fresh = new FreshSearch(this.#indexing, this.#searching, this.#states);
  }

  /** The same for each worker that this gateway starts: a new one goes on where the last one was. */
  readonly #owner = ownerName(randomUUID());

  index(root: string, { signal, onProgress, name, force }: IndexOptions): Promise<IndexOutcome> {
    return this.#indexing.call('index', [{ root, name, force }], {
      signal,
      onProgress: onProgress as ((progress: IndexProgress) => void) | undefined,
    });
  }

  async startJob(root: string, { name, force }: JobOptions): Promise<IndexJob> {
    return jobOf(await this.#indexing.call<JobRow>('startJob', [{ root, name, force }]));
  }

  async job(jobId: string): Promise<IndexJob | undefined> {
    const row = await this.#searching.call<JobRow | undefined>('job', [jobId]);
    return row && jobOf(row);
  }

  search(query: SearchQuery): Promise<SearchAnswer> {
    return this.#fresh.search(query);
  }

  outline(root: string, place: string, { signal, maxFiles = 500 }: OutlineOptions = {}): Promise<Outline> {
    return this.#searching.call('outline', [root, place, maxFiles], { signal });
  }

  repositories(): Promise<readonly Repository[]> {
    return this.#searching.call('repositories', []);
  }

  repository(rootOrId: string): Promise<Repository | undefined> {
    return this.#searching.call('repository', [rootOrId]);
  }

  async forget(rootOrId: string): Promise<boolean> {
    const known = await this.repository(rootOrId);
    return known === undefined ? false : this.#indexing.call('forget', [known.repositoryId]);
  }

  work(): readonly string[] {
    return this.#states.running().map((root) => `index of ${root}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#indexing.close(), this.#searching.close()]);
  }
}

function collectionsOf(indexing: Thread, searching: Thread): Collections {
  return {
    create: (name) => indexing.call('createCollection', [name]),
    drop: (name) => indexing.call('dropCollection', [name]),
    list: () => searching.call<readonly CollectionInfo[]>('listCollections', []),
    get: (name) => searching.call<CollectionInfo | undefined>('collection', [name]),
    replaceSource: (name, source, chunks) => indexing.call('replaceSource', [name, source, chunks]),
    search: (name, question) => searching.call<CollectionAnswer>('searchCollection', [name, question]),
  };
}

function jobOf({ id, space, ...row }: JobRow): IndexJob {
  return {
    jobId: id,
    repositoryId: space,
    root: row.root,
    state: row.state,
    force: row.isForced,
    filesIndexed: row.files,
    chunksCreated: row.chunks,
    error: row.error,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    completedAt: row.completedAt,
  };
}
