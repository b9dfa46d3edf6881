import { DocumentReader } from '../../knowledge/documents/document-reader.ts';
import { createEmbedder } from '../../knowledge/embeddings/create-embedder.ts';
import { openKnowledge } from '../../knowledge/index/open-knowledge.ts';
import { OwnPassages } from '../../knowledge/passages/own-passages.ts';
import type { PassageStore } from '../../knowledge/passages/passage-store.ts';
import { QdrantPassages } from '../../knowledge/passages/qdrant-passages.ts';
import { Qdrant } from '../../knowledge/qdrant/qdrant.ts';
import type { CreateWorkflow, WorkflowContext } from '../define.ts';
import type { RagOptions } from './options.ts';
import { collectionsTool } from './tools/collections.ts';
import { ingestTool } from './tools/ingest.ts';
import { queryTool } from './tools/query.ts';
import type { Toolbox } from './tools/toolbox.ts';

const TOOLS = [queryTool, ingestTool, collectionsTool];

export const createRag: CreateWorkflow<RagOptions> = (context) => {
  const { options, workspace, guard, log } = context;
  const store = passagesOf(context);
  const reader = new DocumentReader();
  const toolbox: Toolbox = { store, reader, options, workspace, guard, log };
  const tools = TOOLS.map((tool) => tool(toolbox));
  let stopped: Promise<unknown> | undefined;
  return {
    tools: () => tools,
    start: () => undefined,
    stop: async () => {
      stopped ??= Promise.all([reader.close(), store.close()]);
      await stopped;
    },
  };
};

function passagesOf({ options, env, home, databaseUrl }: WorkflowContext<RagOptions>): PassageStore {
  const { embeddings, qdrant } = options;
  const embedders = embeddings && {
    questions: createEmbedder({ options: embeddings, env, patience: 'question' }),
    texts: createEmbedder({ options: embeddings, env, patience: 'run' }),
  };
  // The options see to it that Qdrant has embeddings.
  if (qdrant !== undefined) return new QdrantPassages({ qdrant: new Qdrant(qdrant), ...embedders! });
  const knowledge = openKnowledge({ home, url: databaseUrl });
  return new OwnPassages({ collections: knowledge.collections, embedders, close: () => knowledge.close() });
}
