import type { AuditEntry } from '../../core/providers/audit-entry.ts';
import type { AuditRow } from '../../core/stores/audit-store.ts';
import { escapeInvisible } from '../../core/text/clean-text.ts';

const LINE_END = 10;

/** Returns the rows of whole lines that begin at an offset of their file. A line that is no call has none: it was torn. */
export function rowsOfLines(lines: Buffer, offset: number): AuditRow[] {
  const rows: AuditRow[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(LINE_END, start);
    const row = rowOf(lines.toString('utf8', start, end), offset + start);
    if (row !== undefined) rows.push(row);
    start = end + 1;
  }
  return rows;
}

function rowOf(line: string, offset: number): AuditRow | undefined {
  const entry = entryIn(line);
  if (entry === undefined) return undefined;
  const { at, session, client, ...rest } = entry;
  const { tool, level, outcome } = rest;
  return {
    offset,
    at: Date.parse(at),
    tool,
    client,
    session,
    level,
    outcome,
    body: escapeInvisible(JSON.stringify(rest)),
  };
}

function entryIn(line: string): AuditEntry | undefined {
  let value: Partial<AuditEntry> | null;
  try {
    value = JSON.parse(line) as Partial<AuditEntry> | null;
  } catch {
    return undefined;
  }
  const { at, session, client, tool, level, outcome } = value ?? {};
  const texts = [at, session, tool, level, outcome, client ?? ''];
  const isEntry = texts.every((text) => typeof text === 'string') && Number.isFinite(Date.parse(at!));
  return isEntry ? (value as AuditEntry) : undefined;
}
