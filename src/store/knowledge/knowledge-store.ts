import type { Jobs } from './jobs.ts';
import type { ChunkRow, LinesRow, NewSource, SourceRow, Space } from './rows.ts';
import type { Runs } from './runs.ts';
import type { Spaces } from './spaces.ts';
import type { KnowledgeSql } from './sql.ts';
import type { TermsIndex, Written } from './terms-index.ts';
import type { HashVector, Vectors } from './vectors.ts';

/** The index in a database, for one thread. */
export interface KnowledgeStore {
  readonly sql: KnowledgeSql;
  readonly terms: TermsIndex;
  readonly spaces: Spaces;
  readonly runs: Runs;
  readonly jobs: Jobs;
  readonly vectors: Vectors;
  sources(space: number): Promise<readonly SourceRow[]>;
  source(space: number, path: string): Promise<SourceRow | undefined>;
  /** Chunks of the same file that have any of these lines, which are near to those of the chunk. */
  chunksAround(
    chunk: Pick<ChunkRow, 'id' | 'source'>,
    firstLine: number,
    lastLine: number,
  ): Promise<readonly LinesRow[]>;
  /** One transaction: files in the place of what was at their paths, what has gone, and vectors of texts in the files. */
  write(
    space: Space,
    sources: readonly NewSource[],
    gone?: readonly number[],
    vectors?: readonly HashVector[],
  ): Promise<Written>;
  /** Notes that files are as they were, under other times or numbers. */
  touch(sources: readonly Pick<SourceRow, 'number' | 'size' | 'mtimeMs' | 'ino'>[]): Promise<void>;
  /** Gives room that is no longer used back to the disk. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
