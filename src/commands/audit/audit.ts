import type { AuditEntry } from '../../core/providers/audit-entry.ts';
import { lookBack } from '../../core/text/lookback.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { openSettings } from '../terminal/open-settings.ts';
import { printError, printJsonLine, printTable } from '../terminal/print.ts';
import { hasReader } from '../terminal/standard-output.ts';
import { type AuditFilter, AuditReader, MOST_ENTRIES } from './audit-reader.ts';

interface AuditOptions extends AuditFilter {
  readonly config?: string;
  /** The time to look back, in milliseconds. */
  readonly since?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

const HOUR_MS = 3_600_000;

/** Shows the calls in the database, and with `follow` those that come. */
export async function audit(options: AuditOptions): Promise<void> {
  const settings = await openSettings(options.config, 'error');
  const reader = new AuditReader(settings, options);
  const from = lookBack(options.since ?? HOUR_MS);
  const show = options.json === true ? showJson : showTable;
  try {
    if (options.follow === true) {
      for await (const entries of reader.follow(from)) {
        show(entries);
        if (!hasReader()) return;
      }
    }
    const entries = await reader.since(from);
    show(entries);
    if (entries.length === 0) printError(nothing(settings));
    if (entries.length === MOST_ENTRIES)
      printError(`These are the newest ${MOST_ENTRIES}; use more filters to see others.`);
  } finally {
    await reader.close();
  }
}

function showJson(entries: readonly AuditEntry[]): void {
  for (const entry of entries) printJsonLine(entry);
}

function showTable(entries: readonly AuditEntry[]): void {
  printTable(entries.map(row));
}

function row(entry: AuditEntry): string[] {
  const { at, level, outcome, code, tool, durationMs, client, principal, session } = entry;
  return [
    at.replace(/\.\d+Z$/, 'Z'),
    level,
    code === undefined ? outcome : `${outcome} ${code}`,
    `${Math.round(durationMs)} ms`,
    tool,
    principal === undefined ? (client ?? 'unknown') : `${client ?? 'unknown'} (${principal})`,
    session.slice(0, 8),
  ];
}

function nothing({ config }: Settings): string {
  if (!config.audit.enabled) return 'Nothing: audit.enabled is false in the config.';
  return 'There are no such calls in that time. Look farther back with --since 7d; what a running gateway was asked last is stored after a second.';
}
