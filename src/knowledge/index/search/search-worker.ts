import type { EmbeddingsOptions } from '../../../core/settings/embeddings-options.ts';
import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import { type KnowledgePlace, openKnowledgeStore } from '../../../store/knowledge/open-knowledge-store.ts';
import type { Space } from '../../../store/knowledge/rows.ts';
import type { Repository } from '../knowledge.ts';
import { progressIn } from '../progress-in.ts';
import type { CallContext, Method } from '../threads/messages.ts';
import { collectionReads } from './collection-reads.ts';
import { outlineOf } from './outline.ts';
import { repositoryAt, Searcher, type SearchRequest } from './searcher.ts';

export interface SearchWorkerData {
  readonly place: KnowledgePlace;
  readonly embeddings: EmbeddingsOptions | undefined;
  readonly ignore: readonly string[];
  readonly maxBytes: number;
}

/** The thread that only reads the index. */
export async function searchWorker({
  place,
  embeddings,
  ignore,
  maxBytes,
}: SearchWorkerData): Promise<Readonly<Record<string, Method>>> {
  const store = await openKnowledgeStore(place);
  const searcher = new Searcher(store, await hybridOf(store, embeddings));
  return {
    search: ({ signal }: CallContext, request: SearchRequest) => searcher.search(request, signal),
    outline: ({ signal }: CallContext, root: string, at: string, maxFiles: number) =>
      outlineOf(root, at, { maxFiles, ignore, maxBytes, signal }),
    job: (_context: CallContext, id: string) => store.jobs.find(id),
    repositories: async () => (await store.spaces.list('repository')).map(repositoryOf),
    repository: async (_context: CallContext, rootOrId: string) => {
      const space = await repositoryAt(store, rootOrId);
      return space && repositoryOf(space);
    },
    ...collectionReads(store),
    end: () => store.close(),
  } as unknown as Readonly<Record<string, Method>>;
}

async function hybridOf(store: KnowledgeStore, embeddings: EmbeddingsOptions | undefined) {
  if (embeddings === undefined) return undefined;
  const { createEmbedder } = await import('../../embeddings/create-embedder.ts');
  const { Hybrid } = await import('./hybrid.ts');
  return new Hybrid(store, createEmbedder({ options: embeddings, env: process.env, patience: 'question' }));
}

function repositoryOf(space: Space): Repository {
  return {
    repositoryId: space.id,
    root: space.place,
    name: space.name,
    files: space.files,
    chunks: space.chunks,
    indexedAt: space.indexedAt,
    progress: space.runOwner === undefined ? undefined : progressIn(space.runProgress),
  };
}
