import { callWorkflow } from '../terminal/call-workflow.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printable, printError, printJson } from '../terminal/print.ts';

interface SearchOptions {
  readonly config?: string;
  readonly json?: boolean;
  readonly limit: number;
  readonly type?: string;
  readonly directory?: string;
}

/** The result of `search_code`, as far as it is shown. */
interface SearchResult {
  readonly results: readonly {
    readonly file_path: string;
    readonly content: string;
    readonly start_line: number;
    readonly end_line: number;
    readonly symbol?: string;
    readonly similarity_score: number;
  }[];
  readonly total_count: number;
  readonly notes?: readonly string[];
}

/** Searches the code of the folder that the command was started in. */
export async function search(query: string, options: SearchOptions): Promise<void> {
  const { limit, type: file_type, directory } = options;
  const args = { query, limit, file_type, directory };
  const call = { tool: 'search_code', args, name: 'viaduct search', folder: process.cwd() };
  const found = (await callWorkflow('codebase', options.config, call)) as unknown as SearchResult;
  if (options.json === true) printJson(found);
  else show(found);
  process.exitCode = found.results.length === 0 ? EXIT.failed : EXIT.ok;
}

function show({ results, total_count: total, notes = [] }: SearchResult): void {
  for (const {
    file_path: file,
    content,
    start_line: start,
    end_line: end,
    symbol,
    similarity_score: score,
  } of results) {
    const named = symbol === undefined ? '' : `  ${printable(symbol)}`;
    print(`${printable(file)}:${start}-${end}${named}  (${score.toFixed(2)})`);
    for (const line of content.split('\n')) print(`    ${line}`);
    print();
  }
  if (results.length === 0) print('Nothing was found.');
  else if (total > results.length) print(`${total} chunks match; these are the best ${results.length}.`);
  for (const note of notes) printError(note);
}
