import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type {
  Knowledge,
  Repository,
  SearchAnswer,
  SearchQuery,
  SearchResult,
} from '../../../knowledge/index/knowledge.ts';
import { type Query, readQuery } from '../../../knowledge/ranking/query.ts';
import { relevantLines } from '../../../knowledge/ranking/relevant-lines.ts';
import type { CallContext, ToolDefinition } from '../../define.ts';
import { defineProjectTool, READS } from '../../define-project-tool.ts';
import { type CodeResult, fitResults } from '../fit-results.ts';
import type { CodePlace, Places } from '../places.ts';
import { isWorthIndexing } from '../worth-indexing.ts';
import { progressText } from './indexing.ts';
import type { Toolbox } from './toolbox.ts';

const MAX_TEXT = 500;
/** A longer chunk is shown by the lines that say most about the query. */
const MAX_LINES = 30;
/** The longest that a search waits for the first index of a folder: most need less. */
const FIRST_INDEX_MS = 2_000;

const resultSchema = z.object({
  chunk_id: z.string(),
  repository_id: z.string(),
  file_path: z.string().describe('Relative to the repository'),
  content: z.string(),
  start_line: z.int().describe('1-based and inclusive, like end_line'),
  end_line: z.int(),
  similarity_score: z.number().describe('0 to 1; 1 is the best possible for the query'),
  symbol: z.string().optional().describe('The function, method or class with its parents, such as Parser.parse'),
  context_before: z.string().optional(),
  context_after: z.string().optional(),
});

export function searchCode({ knowledge, places }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'search_code',
    title: 'Code: search',
    description:
      'Finds code in the repository that you work in, by a question in plain words or by the name of a symbol, best first. Prefer it to reading whole files. It indexes the repository automatically.',
    input: z.strictObject({
      query: z
        .string()
        .max(MAX_TEXT, { message: `must have at most ${MAX_TEXT} characters` })
        .refine((text) => text.trim() !== '', { message: 'must not be blank' })
        .meta({ minLength: 1 })
        .describe('Description of the code, or the name of a function, class or file'),
      repository_id: z
        .guid({ message: 'must be a uuid' })
        .optional()
        .describe('Id of another repository, from index_repository'),
      file_type: z
        .string()
        .regex(/^[a-zA-Z0-9]{1,20}$/, { message: 'must be an extension without its dot, such as "py"' })
        .optional()
        .describe('Only files with this extension, without its dot'),
      directory: z
        .string()
        .max(MAX_TEXT, { message: `must have at most ${MAX_TEXT} characters` })
        .optional()
        .describe(
          'Only files in this folder or below it: relative to the repository, or to the folder that you work in',
        ),
      limit: z.int().min(1).max(50).default(10).describe('Maximum number of results'),
      max_tokens: z
        .int()
        .min(100)
        .max(200_000)
        .optional()
        .describe('Maximum size of all results in tokens: drops the lines around them first, then the last results'),
      project_id: z.string().max(128).optional().describe('Accepted for compatibility and ignored; use repository_id'),
    }),
    output: z.object({
      results: z.array(resultSchema),
      total_count: z.int().describe('Chunks that match, before the limit'),
      latency_ms: z.int(),
      mode: z.enum(['lexical', 'hybrid']).describe('lexical: by words and symbols; hybrid: by meaning too'),
      notes: z.array(z.string()).optional().describe('Progress of an index, and other remarks'),
    }),
    annotations: READS,
    run: async (args, context) => {
      const from = performance.now();
      const where = await placesOf(args.repository_id, context, { knowledge, places });
      const began = await Promise.all(where.map(({ root }) => beginIndex(root, knowledge, context)));
      const answer = await knowledge.search(await toQuery(args, where, context));
      const readable = await readableResults(answer.results, places, knowledge);
      const hidden = answer.results.length - readable.length;
      const query = readQuery(args.query);
      const shown = readable.map((result) => toResult(result, query));
      const results = args.max_tokens === undefined ? shown : fitResults(shown, args.max_tokens);
      const cut = shown.length - results.length;
      const notes = [
        ...began.filter((note) => note !== undefined),
        ...notesOf(answer),
        ...(cut > 0 ? [`${cut} more results did not fit into max_tokens`] : []),
      ];
      return {
        results: [...results],
        total_count: answer.totalCount - hidden,
        latency_ms: Math.round(performance.now() - from),
        mode: answer.mode,
        ...(notes.length > 0 && { notes }),
      };
    },
  });
}

interface Arguments {
  readonly query: string;
  readonly file_type?: string | undefined;
  readonly directory?: string | undefined;
  readonly limit: number;
}

async function toQuery(args: Arguments, where: readonly CodePlace[], { signal }: CallContext): Promise<SearchQuery> {
  const only = where.length === 1 ? where[0] : undefined;
  return {
    query: args.query,
    spaces: where.map(({ root }) => root),
    fileType: args.file_type,
    directory: only === undefined ? folderIn(args.directory) : await directoryOf(args.directory, only),
    limit: args.limit,
    signal,
  };
}

/** Returns the folder of the repository that is searched. Clients read paths of the repository, and of where they work. */
async function directoryOf(
  named: string | undefined,
  { root, directory: own }: CodePlace,
): Promise<string | undefined> {
  const folder = folderIn(named);
  if (folder === undefined || own === undefined) return folder ?? own;
  if (folder === own || folder.startsWith(`${own}/`)) return folder;
  const inOwn = path.posix.join(own, folder);
  return folder.startsWith('..') || (await isFolder(path.join(root, inOwn))) ? inOwn : folder;
}

/** Returns a path without dots and without a slash at its end; `undefined` for all of the repository. */
function folderIn(named = ''): string | undefined {
  const folder = path.posix.normalize(named).replace(/\/$/, '');
  return folder === '.' || folder === '' ? undefined : folder;
}

async function isFolder(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  return found?.isDirectory() === true;
}

/** Returns where a call searches: nowhere for a repository that the client may not use. */
async function placesOf(
  id: string | undefined,
  context: CallContext,
  { knowledge, places }: Pick<Toolbox, 'knowledge' | 'places'>,
): Promise<readonly CodePlace[]> {
  if (id === undefined) return places.ofCall(context);
  const repository = await knowledge.repository(id);
  if (repository === undefined || !(await places.mayUse(repository.root, context))) return [];
  return [{ root: repository.root, directory: undefined }];
}

/** Indexes a folder that has no index. Returns a note for the caller if the index is not complete. */
async function beginIndex(root: string, knowledge: Knowledge, { signal }: CallContext): Promise<string | undefined> {
  const repository = await knowledge.repository(root);
  if (repository?.indexedAt !== undefined) return undefined;
  if (repository === undefined && !(await isWorthIndexing(root)))
    return `${root} is neither under version control nor a project, so it is not indexed automatically: call index_repository`;
  const time = AbortSignal.timeout(FIRST_INDEX_MS);
  try {
    const { status, errors } = await knowledge.index(root, { signal: AbortSignal.any([signal, time]) });
    return status === 'failed' ? `This repository could not be indexed: ${errors[0]}` : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!time.aborted) throw error;
    return 'This repository is still being indexed: search again later for complete results';
  }
}

function notesOf({ notes, indexing }: SearchAnswer): readonly string[] {
  return [...notes, ...indexing.map(({ progress }) => `Indexing: ${progressText(progress)}`)];
}

/** Returns the results without files that tools may not read and links that lead out of the repository. */
async function readableResults(results: readonly SearchResult[], places: Places, knowledge: Knowledge) {
  const checks = new Map<string, Promise<(file: string) => Promise<boolean>>>();
  const checkOf = (id: string) => {
    const check = checks.get(id) ?? knowledge.repository(id).then((found) => readableIn(found, places));
    checks.set(id, check);
    return check;
  };
  const isShown = await Promise.all(
    results.map(async ({ repositoryId, filePath }) => (await checkOf(repositoryId))(filePath)),
  );
  return results.filter((_, index) => isShown[index]);
}

/** Returns nothing of a repository that was removed from the index meanwhile. */
async function readableIn(
  repository: Repository | undefined,
  places: Places,
): Promise<(file: string) => Promise<boolean>> {
  return repository === undefined ? async () => false : places.readable(repository.root);
}

function toResult(result: SearchResult, query: Query): CodeResult {
  const { contextBefore: before, contextAfter: after, symbol } = result;
  const { text, startLine, endLine } = relevantLines({ ...result, text: result.content }, query, MAX_LINES);
  const isWhole = text.length === result.content.length;
  return {
    chunk_id: result.chunkId,
    repository_id: result.repositoryId,
    file_path: result.filePath,
    content: text,
    start_line: startLine,
    end_line: endLine,
    similarity_score: result.score,
    ...(symbol !== '' && { symbol }),
    // The lines around the lines that are shown are in the chunk.
    ...(isWhole && before !== '' && { context_before: before }),
    ...(isWhole && after !== '' && { context_after: after }),
  };
}
