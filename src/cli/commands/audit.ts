import { type AuditFilter, AuditReader } from '../../app/audit/audit-reader.ts';
import { loadSettings, type Settings } from '../../app/load-settings.ts';
import type { AuditEntry } from '../../core/audit-entry.ts';
import { periodMs } from '../../core/period.ts';
import { printError, printJsonLine, printTable } from '../print.ts';

interface AuditOptions extends AuditFilter {
  readonly config?: string;
  /** As `periodMs` reads it. */
  readonly since: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** Shows the calls in the database, and with `follow` those that come. */
export async function audit(options: AuditOptions): Promise<void> {
  const settings = await loadSettings(options.config, process.env, 'error');
  const reader = new AuditReader(settings, options);
  const from = Date.now() - periodMs(options.since)!;
  const show = options.json === true ? showJson : showTable;
  try {
    if (options.follow === true) for await (const entries of reader.follow(from)) show(entries);
    const entries = await reader.since(from);
    show(entries);
    if (entries.length === 0) printError(nothing(options, settings));
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

function nothing({ since }: AuditOptions, { config }: Settings): string {
  if (!config.audit.enabled) return 'Nothing: audit.enabled is false in the config.';
  return `No such calls in the last ${since}. Look farther back with --since 7d; what a running gateway was asked last is stored after a second.`;
}
