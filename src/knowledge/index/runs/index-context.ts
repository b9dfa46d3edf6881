import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { Embedder } from '../../embeddings/embedder.ts';
import type { Parsers } from './parsers.ts';

/** Services that all runs of this thread share. */
export interface IndexContext {
  readonly store: KnowledgeStore;
  readonly parsers: Parsers;
  readonly embedder: Embedder | undefined;
  readonly ignore: readonly string[];
  readonly maxBytes: number;
  /** The id of this gateway; the same after a worker was started again. */
  readonly owner: string;
}
