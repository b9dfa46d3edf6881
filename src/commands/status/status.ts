import { escaped } from '../../core/text/escaped.ts';
import type { GatewayStatus } from '../../gateway/gateway-status.ts';
import { type ConfigNotice, noticeLine } from '../../gateway/trust/notices.ts';
import { sharingLines, upstreamRemarks, upstreamRow, windowLines } from '../terminal/describe-upstream.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printError, printJson, printTable } from '../terminal/print.ts';
import { lifetimeLines, otherGateways, splitLines } from '../terminal/shared-lines.ts';
import { withGateway } from '../terminal/with-gateway.ts';
import { awaitSettled } from './await-settled.ts';

/** Shows upstreams and clients of the gateway that runs; without one, tries the upstreams once. */
export function status(options: { readonly config?: string; readonly json?: boolean }): Promise<void> {
  return withGateway(
    { ...options, name: 'viaduct status' },
    async ({ client, daemon }, { notices, config, home, configPath }) => {
      const ask = async () => (await client.request('viaduct/status')) as GatewayStatus;
      if (daemon === undefined) {
        await client.request('viaduct/tools');
        await awaitSettled({ ask: async () => (await ask()).upstreams, entries: config?.upstreams ?? [], tell });
      }
      const found = await ask();
      const others = otherGateways(home, configPath, daemon?.pid);
      const report = {
        running: daemon !== undefined,
        ...(daemon?.url !== undefined && { url: daemon.url }),
        ...(daemon?.tcp !== undefined && { tcp: daemon.tcp }),
        ...found,
        ...(others.length > 0 && {
          otherGateways: others.map(({ pid, shared }) => ({ pid, variables: shared.variables })),
        }),
        configNotices: joined(notices.all(), found.configNotices),
      };
      if (options.json === true) printJson(report);
      else show(report, splitLines(daemon, others));
      return EXIT.ok;
    },
  );
}

/** Prints a note for people that the report takes long; programs that read the report do not get it. */
function tell(line: string): void {
  if (process.stderr.isTTY) printError(line);
}

/** Joins the notices of this command's folder and those of the gateway that was asked. */
function joined(ours: readonly ConfigNotice[], theirs: readonly ConfigNotice[] = []): readonly ConfigNotice[] {
  const notices = [...ours, ...theirs];
  return [...new Map(notices.map((notice) => [noticeLine(notice), notice])).values()];
}

function show(
  report: GatewayStatus & { readonly running: boolean; readonly url?: string; readonly tcp?: string },
  split: readonly string[],
): void {
  print(firstLine(report));
  if (report.shared !== undefined) for (const line of lifetimeLines(report.shared)) print(line);
  for (const line of split) print(line);
  if (report.tcp !== undefined) print(`JSON-RPC in lines: ${report.tcp}`);
  print(`config: ${report.config}`);
  for (const notice of report.configNotices) print(`note: ${escaped(noticeLine(notice))}`);
  print();
  printTable(report.upstreams.map(upstreamRow));
  for (const key of report.disabled) print(`${key}  disabled`);
  for (const upstream of report.upstreams) {
    const lines = [...windowLines(upstream), ...sharingLines(upstream), ...upstreamRemarks(upstream)];
    for (const line of lines) print(`  ${upstream.key}: ${line}`);
  }
  if (!report.running) return;
  print();
  print(report.sessions.length === 0 ? 'no clients' : 'clients');
  printTable(
    report.sessions.map(({ client, transport, profile, principal, since, openCalls }) => [
      client,
      [
        transport,
        ...(profile === undefined ? [] : [`(${profile})`]),
        ...(principal === undefined ? [] : [`as ${principal}`]),
      ].join(' '),
      `since ${since}`,
      `${openCalls} open calls`,
    ]),
    '  ',
  );
}

function firstLine({ running, version, url, pid, shared }: Parameters<typeof show>[0]): string {
  if (!running) return 'Viaduct does not run; its upstreams were tried for this report';
  const where = shared === undefined ? `on ${url}` : 'as a shared gateway';
  return `Viaduct ${version} runs ${where} (pid ${pid})`;
}
