import { randomUUID } from 'node:crypto';
import type { EmbeddingsOptions } from '../../../core/settings/embeddings-options.ts';
import { beNice } from '../../../core/threads/be-nice.ts';
import { type KnowledgePlace, openKnowledgeStore } from '../../../store/knowledge/open-knowledge-store.ts';
import type { Embedder } from '../../embeddings/embedder.ts';
import type { CallContext, Method } from '../threads/messages.ts';
import { collectionMethods } from './collection-writes.ts';
import { Freshness } from './freshness.ts';
import { Indexer, type RunRequest } from './indexer.ts';
import { JobRunner } from './job-runner.ts';
import { MissingVectors } from './missing-vectors.ts';
import { Parsers } from './parsers.ts';

export interface IndexWorkerData {
  readonly place: KnowledgePlace;
  readonly owner: string;
  readonly embeddings: EmbeddingsOptions | undefined;
  readonly ignore: readonly string[];
  readonly maxBytes: number;
}

/** Returns the thread that writes to the index. */
export async function indexWorker(
  { place, owner, embeddings, ignore, maxBytes }: IndexWorkerData,
  emit: (value: unknown) => void,
): Promise<Readonly<Record<string, Method>>> {
  beNice();
  const store = await openKnowledgeStore(place);
  const embedder = await embedderOf(embeddings);
  const context = { store, parsers: new Parsers(maxBytes), embedder, ignore, maxBytes, owner };
  const indexer = new Indexer(context, ({ place: root }, progress) => emit({ kind: 'run', root, progress }));
  const vectors = new MissingVectors(context, indexer);
  const freshness = new Freshness(context, indexer, vectors, emit);
  const jobs = new JobRunner(store, indexer, owner);
  await jobs.adopt();
  return {
    index: async ({ signal, progress }: CallContext, request: RunRequest) =>
      indexer.run(await indexer.space(request), request.force === true, progress, signal),
    startJob: async (_context: CallContext, request: RunRequest) => jobs.start(randomUUID(), request),
    freshen: (_context: CallContext, root: string) => freshness.freshen(root),
    update: (_context: CallContext, root: string, paths: readonly string[]) => freshness.update(root, paths),
    forget: async (_context: CallContext, id: string) => {
      const space = await store.spaces.byId(id);
      if (space?.kind !== 'repository') return false;
      freshness.forget(space.place);
      await store.spaces.remove(space);
      await store.tidy();
      return true;
    },
    ...collectionMethods(store),
    end: async () => {
      freshness.close();
      await Promise.all([vectors.close(), indexer.close()]);
      await store.close();
    },
  } as unknown as Readonly<Record<string, Method>>;
}

async function embedderOf(embeddings: EmbeddingsOptions | undefined): Promise<Embedder | undefined> {
  if (embeddings === undefined) return undefined;
  const { createEmbedder } = await import('../../embeddings/create-embedder.ts');
  return createEmbedder({ options: embeddings, env: process.env, patience: 'run' });
}
