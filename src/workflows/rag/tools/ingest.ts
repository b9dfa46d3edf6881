import { z } from 'zod';
import { DOCUMENT_ENDINGS } from '../../../knowledge/documents/document-kind.ts';
import { failed, fileFailure } from '../../../workspace/failures.ts';
import { sandboxOf } from '../../../workspace/sandbox.ts';
import { type CallContext, defineTool, type ToolDefinition } from '../../define.ts';
import { type Documents, findDocuments } from '../ingest/find-documents.ts';
import { type IngestReport, ingestDocuments } from '../ingest/ingest-documents.ts';
import { collectionArgument, knowledgeFailure, orFailed, requireCollections, type Toolbox } from './toolbox.ts';

/** The number of errors that are listed. */
const MAX_ERRORS = 100;

interface Wanted {
  readonly path: string;
  readonly collection: string;
  readonly recreate: boolean;
}

export function ingestTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'rag_ingest',
    title: 'Documents: ingest',
    description: `Adds a document of the workspace to a collection for rag_query: any text file, HTML, Word or PDF. For a directory, adds all documents in and below it (${DOCUMENT_ENDINGS.join(' ')}). Replaces documents that are already there.`,
    input: z.strictObject({
      path: z.string().describe('Path to the file or directory, relative to the workspace'),
      collection: collectionArgument(toolbox),
      recreate: z.boolean().default(false).describe('Empties the collection first'),
    }),
    output: z.object({
      success: z.boolean(),
      path: z.string(),
      collection: z.string(),
      chunks: z.int().describe('Number of parts stored for a file; 0 for a directory'),
      message: z.string().optional(),
      errors: z
        .array(z.string())
        .optional()
        .describe('Documents that could not be ingested, with the reason; absent if there are no errors'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    audit: 'security',
    run: async ({ path, collection = toolbox.options.collection, recreate }, context) => {
      requireCollections(context.client);
      return orFailed('failed to ingest', () => ingest(toolbox, { path, collection, recreate }, context));
    },
  });
}

async function ingest(toolbox: Toolbox, wanted: Wanted, context: CallContext) {
  const { store, reader } = toolbox;
  const { signal } = context;
  const { path, collection, recreate } = wanted;
  const sandbox = await sandboxOf(context, toolbox.workspace, toolbox.guard());
  const documents = await inWords(path, () => findDocuments(sandbox, path, signal));
  const { isFolder, paths } = documents;
  if (paths.length === 0) throw failed(path, `it contains no documents (${DOCUMENT_ENDINGS.join(' ')})`);
  await store.prepare(collection, { recreate }, signal);
  const onDone = (count: number, done: string) =>
    context.progress({ progress: count, total: paths.length, message: done });
  const report = await ingestDocuments(paths, { sandbox, reader, store, collection, signal, onDone });
  return resultOf(wanted, documents, { ...report, chunks: isFolder ? 0 : report.chunks });
}

/** @throws GatewayError when no document at all was stored */
function resultOf({ path, collection }: Wanted, { isFolder, paths, errors: found }: Documents, report: IngestReport) {
  const { chunks, stored } = report;
  const all = [...found, ...report.errors];
  if (stored === 0) throw knowledgeFailure(`failed to ingest ${path}: ${all[0]}${more(all.length - 1)}`);
  const what = isFolder ? `directory ${path}` : `file ${path} (${chunks} chunks)`;
  const left = paths.length - stored;
  const message = `Successfully ingested ${what} into collection ${collection}`;
  return {
    success: true,
    path,
    collection,
    chunks,
    message: left === 0 ? message : `${message}; ${left} of ${paths.length} documents could not be ingested`,
    ...(all.length > 0 && { errors: shortened(all) }),
  };
}

function more(count: number): string {
  return count === 0 ? '' : ` (and ${count} more)`;
}

function shortened(errors: readonly string[]): string[] {
  if (errors.length <= MAX_ERRORS) return [...errors];
  return [...errors.slice(0, MAX_ERRORS), `… and ${errors.length - MAX_ERRORS} more`];
}

async function inWords<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileFailure(path, error);
  }
}
