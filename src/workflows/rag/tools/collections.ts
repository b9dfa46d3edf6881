import { z } from 'zod';
import { CollectionError } from '../../../knowledge/passages/passage-store.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { orFailed, requireCollections, type Toolbox } from './toolbox.ts';

export function collectionsTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'rag_collections',
    title: 'Documents: collections',
    description: 'Lists the document collections that rag_query can search, optionally with their sizes.',
    input: z.strictObject({
      show_stats: z.boolean().default(false).describe('Adds points_count and status'),
    }),
    output: z.object({
      collections: z.array(
        z.object({
          name: z.string(),
          points_count: z.int().optional().describe('Number of document parts in it'),
          status: z
            .string()
            .optional()
            .describe('green if all of it can be searched; otherwise yellow, red or unknown'),
        }),
      ),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'info',
    run: async ({ show_stats: showStats }, { client, signal }) => {
      requireCollections(client);
      const names = await orFailed('failed to list collections', () => toolbox.store.list(signal));
      if (!showStats) return { collections: names.map((name) => ({ name })) };
      return { collections: await Promise.all(names.map((name) => withStats(toolbox, name, signal))) };
    },
  });
}

/** Leaves out the numbers of a collection that does not answer, and keeps those of the others. */
async function withStats({ store, log }: Toolbox, name: string, signal: AbortSignal) {
  try {
    const { points, status } = await store.stats(name, signal);
    return { name, points_count: points, status };
  } catch (error) {
    if (!(error instanceof CollectionError)) throw error;
    log.warn({ error, collection: name }, 'cannot read the size of a collection');
    return { name };
  }
}
