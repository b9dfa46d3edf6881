import { cleanText, cutText } from '../../../core/text/clean-text.ts';
import type { Row } from './influx.ts';

/** The tables that training and generation write, and how many of their newest rows are read. */
export const STATUS_QUERIES = {
  training: 'SELECT * FROM training_status ORDER BY time DESC LIMIT 10',
  losses: "SELECT * FROM training_loss WHERE loss_type = 'train' ORDER BY time DESC LIMIT 10",
  golden: 'SELECT * FROM golden_gen_progress ORDER BY time DESC LIMIT 5',
  expansion: 'SELECT * FROM expansion_progress ORDER BY time DESC LIMIT 5',
} as const;

/** The rows of each query, the newest first. */
export type StatusRows = { readonly [Name in keyof typeof STATUS_QUERIES]: readonly Row[] };

const NO_DATA = '  (no data)';
/** The largest number of characters of a name. */
const LONGEST = 200;

/** Returns what the rows say as text: the newest row of each model, then that of each worker. */
export function statusText({ training, losses, golden, expansion }: StatusRows): string {
  const lossOf = new Map(newest(losses, 'model').map((row) => [row.model, row.loss]));
  const models = newest(training, 'model').map((row) => trainingLine(row, lossOf.get(row.model)));
  const workers = [...generationLines('golden', golden), ...generationLines('expansion', expansion)];
  return ['Training:', ...orNoData(models), '', 'Generation:', ...orNoData(workers)].join('\n');
}

const orNoData = (lines: readonly string[]) => (lines.length === 0 ? [NO_DATA] : lines);

/** Returns the first row of each value of a column, in the order of the values. */
function newest(rows: readonly Row[], column: string): Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) if (!first.has(textOf(row[column]))) first.set(textOf(row[column]), row);
  return [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function trainingLine(row: Row, loss: unknown): string {
  const shown = loss === undefined || loss === null ? '' : `  loss=${decimals(loss, 3)}`;
  const steps = `${textOf(row.iteration)}/${textOf(row.total_iters)}`;
  return `  ${textOf(row.model)}  ${textOf(row.status)}  ${steps}  ${decimals(row.pct, 1)}%${shown}`;
}

function generationLines(name: string, rows: readonly Row[]): string[] {
  return newest(rows, 'worker').map((row) => {
    const done = `${textOf(row.completed)}/${textOf(row.target)}`;
    return `  ${name}  ${done}  ${decimals(row.pct, 1)}%  (${textOf(row.worker)})`;
  });
}

/** Returns a text on one line: a writer to the database must not be able to add lines. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : '?';
  return cutText(
    cleanText(value.slice(0, 4 * LONGEST))
      .replaceAll(/\s+/g, ' ')
      .trim(),
    LONGEST,
  );
}

function decimals(value: unknown, digits: number): string {
  return typeof value === 'number' ? value.toFixed(digits) : textOf(value);
}
