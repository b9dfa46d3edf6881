import path from 'node:path';
import type { Progress } from '../../gateway/client/local-client.ts';
import { callWorkflow } from '../terminal/call-workflow.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printable, printError, printJson } from '../terminal/print.ts';
import { endProgressLine, showProgressLine } from '../terminal/progress-line.ts';
import { progressBar } from './progress-bar.ts';

interface IndexOptions {
  readonly config?: string;
  readonly json?: boolean;
  readonly name?: string;
  readonly force?: boolean;
}

/** The result of `index_repository`. */
interface IndexResult {
  readonly files_indexed: number;
  readonly chunks_created: number;
  readonly duration_seconds: number;
  readonly status: 'success' | 'partial' | 'failed';
  readonly errors: readonly string[];
}

/** Indexes a folder and shows the progress. */
export async function indexFolder(place: string | undefined, options: IndexOptions): Promise<void> {
  const folder = path.resolve(place ?? '.');
  const args = { path: folder, name: options.name ?? (path.basename(folder) || folder), force_reindex: options.force };
  const onProgress = progressShower();
  const call = { tool: 'index_repository', args, name: 'viaduct index', folder, onProgress };
  const result = (await callWorkflow('codebase', options.config, call).finally(
    endProgressLine,
  )) as unknown as IndexResult;
  if (options.json === true) printJson(result);
  else report(folder, result);
  process.exitCode = result.status === 'failed' ? EXIT.failed : EXIT.ok;
}

function progressShower(): (progress: Progress) => void {
  const from = performance.now();
  return (progress) => showProgressLine(progressBar(progress, (performance.now() - from) / 1_000));
}

function report(folder: string, { files_indexed: files, chunks_created: chunks, ...rest }: IndexResult): void {
  const rate = rest.duration_seconds > 0 ? `, ${Math.round(files / rest.duration_seconds)} files a second` : '';
  const read = files === 0 && rest.status === 'success' ? 'nothing has changed' : `${files} files, ${chunks} chunks`;
  if (rest.status !== 'failed') print(`${printable(folder)}: ${read} (${rest.duration_seconds.toFixed(1)} s${rate})`);
  for (const error of rest.errors) printError(error);
}
