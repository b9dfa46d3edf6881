import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import type { FoundPassage } from '../../../knowledge/passages/passage-store.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { contextText } from '../context-text.ts';
import { collectionArgument, orFailed, requireCollections, type Toolbox } from './toolbox.ts';

const DEFAULT_TOP_K = 5;
const MAX_TOP_K = 100;
/** In characters. A model for embeddings reads no more. */
const MAX_QUESTION = 8_000;

export function queryTool(toolbox: Toolbox): ToolDefinition {
  const { store, options } = toolbox;
  return defineTool({
    name: 'rag_query',
    title: 'Documents: query',
    description:
      'Finds the parts of ingested documents that answer a question, best first. context has all of them as one text for a prompt. rag_collections lists the collections.',
    input: z.strictObject({
      question: z.string().max(MAX_QUESTION).describe('The question, in plain words; must not be empty'),
      collection: collectionArgument(toolbox),
      topK: z
        .int()
        .max(MAX_TOP_K)
        .optional()
        .describe(`Maximum number of results, 1 to ${MAX_TOP_K}; ${DEFAULT_TOP_K} if missing or below 1`),
    }),
    output: z.object({
      results: z
        .array(
          z.object({
            content: z.string(),
            source: z.string().describe('The document'),
            section: z.string().optional().describe('Its heading'),
            category: z.string().optional(),
            chunkIndex: z.int().describe('Its position in the document, from 0'),
            score: z
              .number()
              .describe(
                'Cosine similarity in mode vector; in mode lexical 0 to 1, 1 being the best possible for the question',
              ),
          }),
        )
        .describe('The best first'),
      query: z.string(),
      collection: z.string(),
      context: z.string().describe('All results as one text for a prompt; empty without results'),
      mode: z
        .enum(['lexical', 'vector'])
        .describe('How texts were compared: by words (lexical) or by vectors (vector)'),
      note: z.string().optional().describe('Why no vectors were compared although they are configured'),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'info',
    run: async ({ question, collection = options.collection, topK = DEFAULT_TOP_K }, { client, signal }) => {
      requireCollections(client);
      if (question.trim() === '')
        throw new GatewayError('INVALID_ARGUMENTS', 'question cannot be empty', { effect: 'none' });
      const limit = topK <= 0 ? DEFAULT_TOP_K : topK;
      const { mode, passages, note } = await orFailed('failed to query RAG', () =>
        store.search(collection, { text: question, limit, threshold: options.threshold }, signal),
      );
      return {
        results: passages.map(resultOf),
        query: question,
        collection,
        context: contextText(passages),
        mode,
        ...(note !== undefined && { note }),
      };
    },
  });
}

function resultOf({ text, source, section, category, chunkIndex, score }: FoundPassage) {
  return {
    content: text,
    source,
    ...(section !== '' && { section }),
    ...(category !== '' && { category }),
    chunkIndex,
    score,
  };
}
