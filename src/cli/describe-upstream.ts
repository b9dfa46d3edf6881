import type { UpstreamStatus } from '../core/provider-status.ts';
import { printable } from './print.ts';

/** One upstream as a row: its key, its state, and what it offers or why it does not. */
export function upstreamRow(status: UpstreamStatus): string[] {
  return [status.key, status.state, [countsOf(status), reasonOf(status)].filter((part) => part !== '').join(' · ')];
}

function countsOf({ counts }: UpstreamStatus): string {
  return Object.entries(counts)
    .filter(([kind, count]) => count > 0 || kind === 'tools')
    .map(([kind, count]) => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`)
    .join(', ');
}

function reasonOf({ reason }: UpstreamStatus): string {
  return reason === undefined ? '' : printable(reason);
}

/** What went wrong without ending the connection, one line each. */
export function upstreamRemarks(status: UpstreamStatus): string[] {
  const skipped = status.skipped.map(({ kind, name, reason }) => `left out ${kind} "${name}": ${reason}`);
  const misfits = Object.values(status.misfits).map((problem) => `arguments did not fit the schema: ${problem}`);
  const noise = Number(status.faults.noise ?? 0);
  const noises = noise > 0 ? [`${noise} lines on its standard output were no messages`] : [];
  return [...status.listErrors, ...skipped, ...misfits, ...noises].map(printable);
}
