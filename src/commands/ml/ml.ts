import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { callWorkflow, type ToolCall } from '../terminal/call-workflow.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printable, printError, printJson, printTable } from '../terminal/print.ts';
import { endProgressLine, showProgressLine } from '../terminal/progress-line.ts';
import { type Column, type ProbeList, probeTable } from './probe-table.ts';

interface MlOptions {
  readonly config?: string;
  readonly json?: boolean;
}

interface ProbeOptions extends MlOptions {
  readonly backend?: string;
  readonly compare?: readonly string[];
  readonly categories?: string;
}

/** The result of `ml_backends`. */
interface BackendList {
  readonly backends: readonly { readonly name: string; readonly available: boolean; readonly reason?: string }[];
  readonly default: string;
}

/** A backend, and what came of its run. */
type Run = Column | { readonly backend: string; readonly error: string };

/** Tests one or several backends, one after another. The exit code tells whether all probes passed. */
export async function probe(options: ProbeOptions): Promise<void> {
  const names = await namesIn(options);
  const runs: Run[] = [];
  for (const name of names) runs.push(await runOf(name, options));
  if (options.json === true) printJson(asJson(runs));
  else show(runs.filter((run) => 'results' in run));
  for (const run of runs) if ('error' in run) printError(`${printable(run.backend)}: ${printable(run.error)}`);
  const isPassed = (run: Run) => 'results' in run && run.results.every(({ passed }) => passed);
  process.exitCode = runs.every(isPassed) ? EXIT.ok : EXIT.failed;
}

async function namesIn({ backend, compare, ...options }: ProbeOptions): Promise<readonly string[]> {
  if (compare !== undefined) return [...new Set(compare)];
  if (backend !== undefined) return [backend];
  const { default: byDefault } = await list(options);
  return [byDefault];
}

/** Tests a backend. A failure must not lose the results of other backends. */
async function runOf(backend: string, options: ProbeOptions): Promise<Run> {
  try {
    return { backend, results: (await probesOf(backend, options)).results };
  } catch (error) {
    if (options.compare === undefined) throw error;
    return { backend, error: (error as Error).message };
  }
}

async function probesOf(backend: string, options: ProbeOptions): Promise<ProbeList> {
  const answer = await call(options, {
    tool: 'ml_probe',
    args: { backend, categories: options.categories },
    onProgress: ({ progress, total, message }) =>
      showProgressLine(`${printable(backend)}  ${progress} of ${total}  ${printable(message ?? '')}`),
  }).finally(endProgressLine);
  return answer as unknown as ProbeList;
}

function asJson(runs: readonly Run[]): object {
  return { backends: runs };
}

function show(columns: readonly Column[]): void {
  if (columns.length > 0) printTable(probeTable(columns));
}

/** Lists the backends. */
export async function backends(options: MlOptions): Promise<void> {
  const found = await list(options);
  if (options.json === true) printJson(found);
  else printTable(found.backends.map((one) => lineOf(one, found.default)));
  if (found.default === '' && options.json !== true)
    print('No backend is configured: add one under models.backends in the config.');
}

function lineOf({ name, available, reason = '' }: BackendList['backends'][number], byDefault: string): string[] {
  return [name === byDefault ? `${name} (default)` : name, available ? 'available' : 'not available', reason];
}

async function list(options: MlOptions): Promise<BackendList> {
  return (await call(options, { tool: 'ml_backends', args: {} })) as unknown as BackendList;
}

function call({ config }: MlOptions, what: Pick<ToolCall, 'tool' | 'args' | 'onProgress'>): Promise<JsonObject> {
  return callWorkflow('ml', config, { ...what, name: 'viaduct ml', folder: process.cwd() });
}
