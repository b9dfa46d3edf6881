import type { KeepsAlive } from '../../core/providers/keeps-alive.ts';
import type { EmbeddingsOptions } from '../../core/settings/embeddings-options.ts';
import type { ChunkKind } from '../chunks/chunk.ts';
import type { Collections } from './collections.ts';

export interface KnowledgeOptions {
  /** The gateway's own folder: SQLite keeps the index in its `knowledge.db`. */
  readonly home: string;
  /** `postgres://…`: the index is in tables `knowledge_*` of this database. */
  readonly url?: string | undefined;
  /** The options for embeddings; if absent, searches are lexical. */
  readonly embeddings?: EmbeddingsOptions | undefined;
  /** The largest file that is read, in bytes; 1 MiB by default. */
  readonly maxFileBytes?: number | undefined;
  /** Globs in the syntax of `.gitignore` that are left out of every repository. */
  readonly ignore?: readonly string[] | undefined;
}

/**
 * The index of repositories and collections. All methods answer from worker threads, which start at the first use.
 * They throw GatewayError: `STORE_UNAVAILABLE` and `STORE_BUSY` for what the database refuses, `FILE_FAILED` for a root that
 * is no folder, `CALL_CANCELLED` when a worker ended during the call; and the reason of a signal that is aborted.
 */
export interface Knowledge extends KeepsAlive {
  /**
   * Indexes a folder, or only what has changed in it since the last time. A second call for a root that is being indexed, by
   * this or another gateway, waits for that run.
   * When `signal` is aborted the call ends, and the run goes on.
   */
  index(root: string, options: IndexOptions): Promise<IndexOutcome>;
  /** Begins to index and returns at once. Of a root that is being indexed, returns the job that runs. */
  startJob(root: string, options: JobOptions): Promise<IndexJob>;
  /** Returns a job of any gateway of this database; `undefined` if no job has this id. */
  job(jobId: string): Promise<IndexJob | undefined>;
  /** Returns chunks of the spaces that are named, best first. Spaces without an index have none. */
  search(query: SearchQuery): Promise<SearchAnswer>;
  /** Returns the symbols of a file, or of the files below a folder, as they are on the disk now. */
  outline(root: string, place: string, options?: OutlineOptions): Promise<Outline>;
  /** Returns the repositories that this machine has indexed, by root. */
  repositories(): Promise<readonly Repository[]>;
  /** Returns one of them by its root or id. */
  repository(rootOrId: string): Promise<Repository | undefined>;
  /** Removes a repository from the index, not from the disk. Returns whether there was one. */
  forget(rootOrId: string): Promise<boolean>;
  readonly collections: Collections;
  /** Ends the worker threads. A run that is under way goes on where it was at the next start. */
  close(): Promise<void>;
}

export interface JobOptions {
  /** For people; `undefined` keeps what it is called, or takes the name of the folder. */
  readonly name?: string | undefined;
  /** Reads and chunks all files again, those that have not changed too. */
  readonly force?: boolean | undefined;
}

export interface IndexOptions extends JobOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
}

export interface IndexProgress {
  /** Files that are done, those that had not changed included. */
  readonly filesDone: number;
  /** Files found so far; all of them once `isCounted`. */
  readonly filesFound: number;
  readonly isCounted: boolean;
  readonly chunksCreated: number;
  /** The rate of the last seconds; files that had not changed count too. */
  readonly filesPerSecond: number;
  /** `embedding`: all chunks can be found, and get their vectors now. */
  readonly phase: 'reading' | 'embedding';
}

export interface IndexOutcome {
  readonly repositoryId: string;
  /** Files that were read and chunked: those that had changed. */
  readonly filesIndexed: number;
  readonly chunksCreated: number;
  readonly durationSeconds: number;
  /** `partial` where some files could not be read, `failed` where nothing could be done. */
  readonly status: 'success' | 'partial' | 'failed';
  /** For people; at most 100. */
  readonly errors: readonly string[];
}

export interface IndexJob {
  readonly jobId: string;
  readonly repositoryId: string;
  readonly root: string;
  readonly state: 'pending' | 'running' | 'completed' | 'failed';
  readonly force: boolean;
  readonly filesIndexed: number;
  readonly chunksCreated: number;
  /** The reason why it failed, or the files that could not be read. */
  readonly error: string | undefined;
  /** RFC 3339 in UTC, as the other times. */
  readonly createdAt: string;
  readonly startedAt: string | undefined;
  readonly completedAt: string | undefined;
}

export interface SearchQuery {
  readonly query: string;
  /** Roots or ids of repositories: nothing of any other space is ever in the answer. */
  readonly spaces: readonly string[];
  /** An extension without its dot; case does not matter. */
  readonly fileType?: string | undefined;
  /** Relative to the root, with `/`: only what is in this folder or below it. */
  readonly directory?: string | undefined;
  /** 1 to 50. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SearchResult {
  /** A UUID; stays the same while the text of the chunk stays in its file. */
  readonly chunkId: string;
  readonly repositoryId: string;
  /** Relative to the root, with `/`. */
  readonly filePath: string;
  readonly content: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** 0 to 1: of what the best possible answer to the query would have. */
  readonly score: number;
  /** At most ten lines. */
  readonly contextBefore: string;
  readonly contextAfter: string;
  readonly symbol: string;
  readonly kind: ChunkKind;
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** Chunks that have a word of the query, after the filters and before the limit. */
  readonly totalCount: number;
  readonly latencyMs: number;
  readonly mode: 'lexical' | 'hybrid';
  /** For people, such as that the embedding service is not reached, or that the folder is still being looked through. */
  readonly notes: readonly string[];
  /** The jobs of runs under way in the spaces, by this or another gateway. */
  readonly indexing: readonly { readonly root: string; readonly progress: IndexProgress }[];
}

export interface OutlineOptions {
  readonly signal?: AbortSignal | undefined;
  /** The limit for a folder; 500 by default. */
  readonly maxFiles?: number | undefined;
}

export interface Outline {
  readonly files: readonly OutlineFile[];
  /** True if there are more files than `maxFiles`. */
  readonly isCut: boolean;
}

export interface OutlineFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly symbols: readonly OutlineSymbol[];
}

export interface OutlineSymbol {
  /** Its path, outermost first, such as `Parser.parse`. */
  readonly symbol: string;
  readonly kind: ChunkKind;
  readonly startLine: number;
  readonly endLine: number;
  /** The first line of its head, such as `export function parse(text: string): Tree {`. */
  readonly head: string;
}

export interface Repository {
  readonly repositoryId: string;
  readonly root: string;
  readonly name: string;
  readonly files: number;
  readonly chunks: number;
  /** The time at which the last complete run ended; `undefined` before the first. RFC 3339 in UTC. */
  readonly indexedAt: string | undefined;
  /** A run that is under way, by this or another gateway. */
  readonly progress: IndexProgress | undefined;
}
