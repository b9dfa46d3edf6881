import type { AuditEntry } from '../../core/providers/audit-entry.ts';
import type { PlacedEvent } from '../../core/stores/event-store.ts';
import { escapeInvisible } from '../../core/text/clean-text.ts';

type StoredBody = Omit<AuditEntry, 'at' | 'session' | 'client'>;

/** Returns the members of a call in the order of the file. */
export function entryOf(event: PlacedEvent): AuditEntry {
  const { at, agent, session = '', body } = event;
  return { at: new Date(at).toISOString(), session, client: agent, ...bodyOf(event, body) };
}

function bodyOf({ type }: PlacedEvent, body: string): StoredBody {
  const { principal, method, tool, ...rest } = JSON.parse(body) as StoredBody;
  // Calls that were stored before files were indexed do not repeat their tool.
  return { principal, method, tool: tool ?? type, ...rest };
}

/** A body with its tool. The name of a member in a text has a backslash before its quote. */
const TOOL = '"tool":';

/** Returns the calls as lines of the file. Nothing of them is parsed: there may be 200,000. */
export function linesOf(events: readonly PlacedEvent[]): string {
  const clients = new Map<string, string>();
  let lines = '';
  for (const event of events) {
    const { at, agent, session = '', body } = event;
    if (!body.includes(TOOL)) {
      lines += `${jsonOf(entryOf(event))}\n`;
      continue;
    }
    const who = `${session} ${agent ?? ''}`;
    let client = clients.get(who);
    if (client === undefined) {
      client = jsonOf({ session, client: agent }).slice(1, -1);
      clients.set(who, client);
    }
    lines += `{"at":"${new Date(at).toISOString()}",${client},${body.slice(1)}\n`;
  }
  return lines;
}

const jsonOf = (value: object) => escapeInvisible(JSON.stringify(value));
