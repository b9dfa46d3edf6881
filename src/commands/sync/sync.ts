import type { SyncReport } from '../../core/providers/provider-status.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printable, printError, printJson, printTable } from '../terminal/print.ts';
import { withGateway } from '../terminal/with-gateway.ts';

/** Connects upstreams that are down and reads their lists again; all of them, or one. */
export function sync(
  upstream: string | undefined,
  options: { readonly config?: string; readonly json?: boolean },
): Promise<void> {
  return withGateway({ ...options, name: 'viaduct sync' }, async ({ client }) => {
    const reports = (await client.request('viaduct/sync', upstream === undefined ? {} : { upstream })) as Record<
      string,
      SyncReport | { error: string }
    >;
    if (options.json === true) printJson(reports);
    else printTable(Object.entries(reports).map(([key, report]) => [key, describe(report)]));
    const failed = Object.values(reports).some((report) => 'error' in report);
    if (failed && options.json !== true) printError('Not every upstream could be synced. See: viaduct status');
    return failed ? EXIT.failed : EXIT.ok;
  });
}

function describe(report: SyncReport | { error: string }): string {
  if ('error' in report) return printable(report.error);
  const counts = `${report.total} tools (${report.added} added, ${report.updated} updated, ${report.removed} removed)`;
  return report.problem === undefined ? counts : `${counts} · ${printable(report.problem)}`;
}
