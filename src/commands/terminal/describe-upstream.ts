import type { UpstreamStatus, WindowStatus } from '../../core/providers/provider-status.ts';
import { isDown } from '../../core/refusals/last-words.ts';
import { schemaFaultLines } from '../../core/refusals/schema-fault-lines.ts';
import { printable } from './print.ts';

/** Tools with a faulty schema that `status` names of one upstream; `doctor` and `status --json` name more. */
const SHOWN_SCHEMAS = 10;
/** Lines of standard error that `status` shows of an upstream that is down. */
const SHOWN_STDERR = 5;

/** Returns the row of an upstream: its key, its state, and what it offers or why it offers nothing. */
export function upstreamRow(status: UpstreamStatus): string[] {
  return [
    status.key,
    status.state,
    [countsOf(status), revisionOf(status), reasonOf(status)].filter((part) => part !== '').join(' · '),
  ];
}

function countsOf({ counts }: UpstreamStatus): string {
  return Object.entries(counts)
    .filter(([kind, count]) => count > 0 || kind === 'tools')
    .map(([kind, count]) => countOf(count, kind.slice(0, -1)))
    .join(', ');
}

function countOf(count: number, kind: string): string {
  return `${count} ${count === 1 ? kind : `${kind}s`}`;
}

/** Returns the protocol that the upstream speaks, once it is known. */
function revisionOf({ protocolVersion }: UpstreamStatus): string {
  return protocolVersion === undefined ? '' : `MCP ${printable(protocolVersion)}`;
}

function reasonOf({ reason }: UpstreamStatus): string {
  return reason === undefined ? '' : printable(reason);
}

/** Returns the windows of an IDE behind it, one line each. */
export function windowLines({ windows = [] }: UpstreamStatus): string[] {
  return windows.map((window) => `window ${window.url} · ${folderOf(window)} · ${window.state}`).map(printable);
}

function folderOf({ workspace }: WindowStatus): string {
  if (workspace === null) return 'does not say its folder';
  return workspace === '' ? 'no folder open' : workspace;
}

/** Describes in one line which clients share a process, if that differs from the usual. */
export function sharingLines({ sharing, sessions }: UpstreamStatus): string[] {
  if (sharing === undefined || (!sharing.asks && sharing.share !== 'session' && sharing.share !== 'folder')) return [];
  const count = sessions === undefined ? '' : ` (${sessions} now)`;
  return [`share: ${sharing.share}: ${sharing.detail}${count}`].map(printable);
}

/** Returns problems that did not end the connection, one line each. */
export function upstreamRemarks(status: UpstreamStatus): string[] {
  const skipped = status.skipped.map(({ kind, name, reason }) => `left out ${kind} "${name}": ${reason}`);
  const hidden = status.suspicious.map((name) => `tool "${name}" has invisible characters in what it gets back`);
  const misfits = Object.values(status.misfits).map((problem) => `arguments did not fit the schema: ${problem}`);
  const noise = Number(status.faults.noise ?? 0);
  const noises = noise > 0 ? [`${noise} lines or bodies that it sent were no messages`] : [];
  const schemas = schemaFaultLines(status.schemaFaults ?? [], SHOWN_SCHEMAS);
  return [
    ...status.listErrors,
    ...pinRemarks(status),
    ...hidden,
    ...skipped,
    ...schemas,
    ...misfits,
    ...noises,
    ...stderrLines(status),
  ].map(printable);
}

/** Returns the last output of an upstream that is down. */
function stderrLines(status: UpstreamStatus): string[] {
  return isDown(status) ? status.stderr.slice(-SHOWN_STDERR).map((line) => `stderr: ${line}`) : [];
}

function pinRemarks({ key, pins }: UpstreamStatus): string[] {
  if (pins.changed + pins.new === 0) return [];
  const withheld = pins.withheld > 0 ? `, ${pins.withheld} withheld` : '';
  const counts = `${countOf(pins.changed, 'tool')} changed and ${pins.new} new since they were approved${withheld}`;
  return [`${counts}. See: viaduct pins diff ${key}`];
}
