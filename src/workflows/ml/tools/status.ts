import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../define.ts';
import type { Influx } from '../influx/influx.ts';
import { STATUS_QUERIES, type StatusRows, statusText } from '../influx/status-text.ts';
import { ASKS, orFailed, orMissing, refused, type Toolbox } from './toolbox.ts';

export function statusTool({ influx }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ml_status',
    title: 'Models: status of training',
    description: 'Reads from InfluxDB how far the training of models and the generation of data are.',
    input: z.strictObject({
      influx_url: z.string().max(2_000).optional().describe(`Only ${influx.url}, the configured address, is allowed`),
      influx_db: z.string().max(200).optional().describe('Database; the configured one if missing'),
    }),
    output: z.object({ status: z.string().describe('A line for each model and each worker, for people') }),
    annotations: { ...ASKS, idempotentHint: true },
    audit: 'info',
    run: async ({ influx_url: url, influx_db: database }, { signal }) => {
      requireConfigured(influx, orMissing(url));
      const rows = await orFailed('status', () => rowsOf(influx, orMissing(database), signal));
      return { status: statusText(rows) };
    },
  });
}

/** The token goes to no other host, and no client decides where requests go. */
function requireConfigured({ url: configured }: Influx, url: string | undefined): void {
  if (url === undefined || sameUrl(url, configured)) return;
  throw refused(
    `influx_url may only be ${configured}, the address in the config: to read from another server, change "url" of workflows.ml.influx`,
  );
}

function sameUrl(a: string, b: string): boolean {
  const normal = (url: string) => (URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : url);
  return normal(a) === normal(b);
}

async function rowsOf(influx: Influx, database: string | undefined, signal: AbortSignal): Promise<StatusRows> {
  const queries = Object.entries(STATUS_QUERIES);
  const answers = queries.map(async ([name, sql]) => [name, await influx.query(sql, database, signal)] as const);
  return Object.fromEntries(await Promise.all(answers)) as StatusRows;
}
