import { lookBack } from '../../core/text/lookback.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { openSettings } from '../terminal/open-settings.ts';
import { printError, printTable } from '../terminal/print.ts';
import { hasReader, writeOutput } from '../terminal/standard-output.ts';
import { entryIn } from './audit-lines.ts';
import { AuditReader } from './audit-reader.ts';
import { type AuditFilter, MOST_ENTRIES } from './filtered-calls.ts';

interface AuditOptions extends AuditFilter {
  readonly config?: string;
  /** The time to look back, in milliseconds. */
  readonly since?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

const HOUR_MS = 3_600_000;

/** Shows the calls in the audit, and with `follow` those that come. */
export async function audit(options: AuditOptions): Promise<void> {
  const settings = await openSettings(options.config, 'error');
  const reader = new AuditReader(settings, options, tellOnce());
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

/** Returns what tells why the newest calls are missing: once, for a follower tries again and again. */
function tellOnce(): (error: unknown) => void {
  let told = '';
  return (error) => {
    const { message } = error as Error;
    if (message !== told) printError(`viaduct: the newest calls are missing: ${message}`);
    told = message;
  };
}

/** Lines that are written at once. */
const LINES = 2_000;

function showJson(calls: readonly string[]): void {
  for (let from = 0; from < calls.length; from += LINES) writeOutput(`${calls.slice(from, from + LINES).join('\n')}\n`);
}

function showTable(calls: readonly string[]): void {
  printTable(calls.map(row));
}

function row(line: string): string[] {
  const { at, level, outcome, code, tool, durationMs, client, principal, session } = entryIn(line);
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
  return 'There are no such calls in that time. Look farther back with --since 7d.';
}
