import path from 'node:path';
import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { callWorkflow, type ToolCall } from '../terminal/call-workflow.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printable, printError, printJson, printTable } from '../terminal/print.ts';
import { endProgressLine, showProgressLine } from '../terminal/progress-line.ts';

interface RagOptions {
  readonly config?: string;
  readonly json?: boolean;
}

interface CollectionOptions extends RagOptions {
  readonly collection?: string;
}

/** The result of `rag_ingest`, as far as it is shown. */
interface Ingested {
  readonly message: string;
  readonly errors?: readonly string[];
}

/** The result of `rag_query`, as far as it is shown. */
interface Answer {
  readonly results: readonly {
    readonly content: string;
    readonly source: string;
    readonly section?: string;
    readonly score: number;
  }[];
  readonly note?: string;
}

/** The result of `rag_collections`. */
interface CollectionList {
  readonly collections: readonly { readonly name: string; readonly points_count?: number; readonly status?: string }[];
}

/** Adds documents to a collection. The exit code tells whether all of them could be read. */
export async function ingest(
  place: string,
  options: CollectionOptions & { readonly recreate?: boolean },
): Promise<void> {
  const { collection, recreate } = options;
  const result = (await call(options, {
    tool: 'rag_ingest',
    // A shell completes paths from where the command is started.
    args: { path: path.resolve(place), collection, recreate },
    onProgress: ({ progress, total, message }) =>
      showProgressLine(`${progress} of ${total}  ${printable(message ?? '')}`),
  }).finally(endProgressLine)) as unknown as Ingested;
  if (options.json === true) printJson(result);
  else print(printable(result.message));
  for (const error of result.errors ?? []) printError(printable(error));
  process.exitCode = result.errors === undefined ? EXIT.ok : EXIT.failed;
}

/** Finds what answers a question. */
export async function query(question: string, options: CollectionOptions & { readonly limit: number }): Promise<void> {
  const { collection, limit } = options;
  const args = { question, collection, topK: limit };
  const answer = (await call(options, { tool: 'rag_query', args })) as unknown as Answer;
  if (options.json === true) printJson(answer);
  else show(answer);
  process.exitCode = answer.results.length === 0 ? EXIT.failed : EXIT.ok;
}

function show({ results, note }: Answer): void {
  for (const { content, source, section, score } of results) {
    print(`${printable(source)}${section === undefined ? '' : `  ${printable(section)}`}  (${score.toFixed(2)})`);
    for (const line of content.split('\n')) print(`    ${printable(line)}`);
    print();
  }
  if (results.length === 0) print('Nothing was found.');
  if (note !== undefined) printError(printable(note));
}

/** Lists the collections. */
export async function collections(options: RagOptions & { readonly stats?: boolean }): Promise<void> {
  const args = { show_stats: options.stats };
  const list = (await call(options, { tool: 'rag_collections', args })) as unknown as CollectionList;
  if (options.json === true) printJson(list);
  else if (list.collections.length === 0) print('There are no collections yet.');
  else printTable(list.collections.map(lineOf));
}

function lineOf({ name, points_count: points, status }: CollectionList['collections'][number]): string[] {
  return points === undefined ? [name] : [name, `${points} parts`, status ?? ''];
}

function call({ config }: RagOptions, what: Pick<ToolCall, 'tool' | 'args' | 'onProgress'>): Promise<JsonObject> {
  return callWorkflow('rag', config, { ...what, name: 'viaduct rag', folder: process.cwd() });
}
