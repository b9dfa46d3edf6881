/** A repository of one machine, or a collection. */
export interface Space {
  readonly number: number;
  readonly id: string;
  readonly kind: SpaceKind;
  /** The root of a repository, the name of a collection. */
  readonly place: string;
  readonly name: string;
  /** The version of reading and chunking: if the reader's differs, all is read again. */
  readonly form: number;
  readonly files: number;
  readonly chunks: number;
  /** Terms of all chunks together. */
  readonly terms: number;
  readonly indexedAt: string | undefined;
  /** The process that indexes it now, and the time of its last sign of life. */
  readonly runOwner: string | undefined;
  readonly runAtMs: number;
  readonly runProgress: string | undefined;
}

export type SpaceKind = 'repository' | 'collection';

/** A file as the index knows it. */
export interface SourceRow {
  readonly number: number;
  readonly path: string;
  /** The hash of the bytes that were read, and of the way in which they were read. */
  readonly hash: string;
  readonly size: number;
  /** Negative where the file may have changed unseen since it was read. */
  readonly mtimeMs: number;
  readonly ino: number;
}

/** A file as it is put into the index. */
export interface NewSource extends Omit<SourceRow, 'number'> {
  /** Terms that all of its chunks have besides their own: the folders and the extension. */
  readonly tags: readonly string[];
  readonly chunks: readonly NewChunk[];
}

export interface NewChunk {
  /** The hash of the text: equal texts are kept once. */
  readonly textHash: Uint8Array;
  readonly isPacked: boolean;
  readonly body: Uint8Array;
  /** The number of times each term is in the text; see `profile.ts`. */
  readonly profile: Uint8Array;
  /** Terms in the text, equal ones included. */
  readonly length: number;
  /** The terms of the text, each once, and of the definitions: for the index, with spaces between them. */
  readonly terms: string;
  /** The number of these. */
  readonly entries: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol: string;
  readonly defines: readonly string[];
  /** The number of chunks before it in its file that have the same text. */
  readonly twin: number;
  /** JSON; of collections. */
  readonly details?: string | undefined;
}

/** A chunk as a search reads it. */
export interface ChunkRow {
  readonly id: number;
  readonly space: number;
  readonly source: number;
  /** The hash of the file when the chunk was read from it. */
  readonly sourceHash: string;
  readonly path: string;
  readonly text: number;
  readonly textHash: Uint8Array;
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol: string;
  readonly defines: readonly string[];
  readonly twin: number;
  readonly length: number;
  readonly profile: Uint8Array;
  readonly isPacked: boolean;
  readonly body: Uint8Array;
  readonly details: string | undefined;
}

export interface JobRow {
  readonly id: string;
  readonly space: string;
  readonly root: string;
  readonly state: 'pending' | 'running' | 'completed' | 'failed';
  readonly isForced: boolean;
  readonly files: number;
  readonly chunks: number;
  readonly error: string | undefined;
  readonly createdAt: string;
  readonly startedAt: string | undefined;
  readonly completedAt: string | undefined;
  /** The process that runs it. */
  readonly owner: string;
}

/** The lines of a chunk. */
export type LinesRow = Pick<ChunkRow, 'startLine' | 'endLine' | 'isPacked' | 'body'>;
