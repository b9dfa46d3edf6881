import { homedir } from 'node:os';
import path from 'node:path';
import { lookBack } from '../../core/text/lookback.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { openSettings } from '../terminal/open-settings.ts';
import { print, printable, printError, printJson, printTable } from '../terminal/print.ts';
import { type ImportReport, importMetrics } from './import-metrics.ts';
import { type OpenMetrics, openMetrics } from './open-metrics.ts';

interface MetricsOptions {
  readonly config?: string;
  readonly json?: boolean;
  /** Milliseconds. */
  readonly since?: number;
}

const WEEK_MS = 7 * 86_400_000;

/** Prints what metrics_query tells agents. */
export function showMetrics(options: MetricsOptions): Promise<void> {
  return withMetrics(options, async (open) => {
    const summary = await open.summarise(lookBack(options.since ?? WEEK_MS));
    if (options.json === true) printJson(summary);
    else if (summary.total === 0) print('Nothing was recorded in this period.');
    else {
      print(counted(summary.total, 'event'));
      printCounts('By type', summary.by_type);
      printCounts('By repository', summary.by_repo);
      printCounts('By agent', summary.by_agent);
      print('\nThe newest');
      printTable(
        summary.events.map(({ timestamp, type, repo = '', agent_id = '' }) => [timestamp, type, repo, agent_id]),
        '  ',
      );
    }
    return EXIT.ok;
  });
}

/** Imports events of go-ai. */
export function importEvents(folder: string | undefined, options: MetricsOptions): Promise<void> {
  return withMetrics(options, async ({ store }) => {
    const report = await importMetrics(store, path.resolve(folder ?? defaultFolder()));
    if (options.json === true) printJson(report);
    else if (report.files === 0) printError(`There are no files such as 2026-02-20.jsonl in ${report.folder}.`);
    else printImport(report);
    return report.files === 0 ? EXIT.failed : EXIT.ok;
  });
}

/** Writes events as go-ai has them. */
export function exportEvents(folder: string | undefined, options: MetricsOptions): Promise<void> {
  return withMetrics(options, async (open) => {
    const since = options.since === undefined ? undefined : lookBack(options.since);
    const report = await open.exportTo(path.resolve(folder ?? defaultFolder()), since);
    if (options.json === true) printJson(report);
    else {
      const where = `${counted(report.files, 'file')} in ${report.folder}`;
      print(`${counted(report.exported, 'event')} written to ${where}; ${report.known} were there already.`);
    }
    return EXIT.ok;
  });
}

async function withMetrics(options: MetricsOptions, work: (open: OpenMetrics) => Promise<number>): Promise<void> {
  const open = openMetrics(await openSettings(options.config, 'error'));
  try {
    process.exitCode = await work(open);
  } finally {
    await open.close();
  }
}

function printImport({ imported, files, known, malformed, malformedLines }: ImportReport): void {
  print(`${counted(imported, 'event')} imported from ${counted(files, 'file')}; ${known} were imported before.`);
  if (malformed === 0) return;
  const more = malformed > malformedLines.length ? ', …' : '';
  print(`${counted(malformed, 'malformed line')} left out: ${malformedLines.join(', ')}${more}`);
}

function printCounts(title: string, counts: readonly { readonly key: string; readonly count: number }[]): void {
  if (counts.length === 0) return;
  print(`\n${title}`);
  printTable(
    counts.map(({ key, count }) => [printable(key), String(count)]),
    '  ',
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Returns the folder in which go-ai keeps its events. */
function defaultFolder(): string {
  return path.join(process.env.CORE_HOME || process.env.HOME || homedir(), '.core', 'ai', 'metrics');
}
