import type { AuditEntry } from '../../core/providers/audit-entry.ts';
import type { PlacedEvent } from '../../core/stores/event-store.ts';
import { escapeInvisible } from '../../core/text/clean-text.ts';

/** Returns the line of a stored call. */
export function lineOf({ at, type: tool, agent: client, session = '', body }: PlacedEvent): string {
  const entry = { at: new Date(at).toISOString(), session, client, tool, ...(JSON.parse(body) as object) };
  return escapeInvisible(JSON.stringify(entry));
}

export function entryIn(line: string): AuditEntry {
  return JSON.parse(line) as AuditEntry;
}
