import { z } from 'zod';
import { CollectionError } from '../../../knowledge/passages/passage-store.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { type Desk, orFailed, requireCollections } from './desk.ts';

export function collectionsTool(desk: Desk): ToolDefinition {
  return defineTool({
    name: 'rag_collections',
    title: 'Documents: collections',
    description: 'Lists the collections of documents that rag_query can search, with their sizes if asked for.',
    input: z.strictObject({
      show_stats: z.boolean().default(false).describe('Adds points_count and status'),
    }),
    output: z.object({
      collections: z.array(
        z.object({
          name: z.string(),
          points_count: z.int().optional().describe('Parts of documents in it'),
          status: z.string().optional().describe('green where it can be searched in full; else yellow, red or unknown'),
        }),
      ),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'info',
    run: async ({ show_stats: showStats }, { client, signal }) => {
      requireCollections(client);
      const names = await orFailed('failed to list collections', () => desk.store.list(signal));
      if (!showStats) return { collections: names.map((name) => ({ name })) };
      return { collections: await Promise.all(names.map((name) => withStats(desk, name, signal))) };
    },
  });
}

/** Without the numbers where they cannot be had: others have theirs. */
async function withStats({ store, log }: Desk, name: string, signal: AbortSignal) {
  try {
    const { points, status } = await store.stats(name, signal);
    return { name, points_count: points, status };
  } catch (error) {
    if (!(error instanceof CollectionError)) throw error;
    log.warn({ error, collection: name }, 'a collection of documents does not say how large it is');
    return { name };
  }
}
