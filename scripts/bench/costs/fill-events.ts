import { sql } from 'kysely';
import type { EventKind } from '../../../src/core/stores/event-store.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { openEventStore } from '../../../src/store/events/open-event-store.ts';

/** Puts `count` events of one kind, of the last 1,000 hours, into the database of a home. */
export async function fillEvents(home: string, kind: EventKind, count: number): Promise<void> {
  const database = openDatabase({ home, url: undefined });
  try {
    // The first event makes the tables.
    await openEventStore({ database, home }).add([
      { kind, at: Date.now(), type: 'tool_0', agent: 'bench', session: 's', body: bodyOf(kind) },
    ]);
    const step = Math.floor((1_000 * 3_600_000) / count);
    await database.run(({ queries }) =>
      sql`
        insert into events (kind, at_ms, type, agent, repo, session, body)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        select ${kind}, ${Date.now()} - i * ${step}, 'tool_' || (i % 50), 'agent-' || (i % 7), 'repo-' || (i % 5), 's', ${bodyOf(kind)}
        from n
      `.execute(queries),
    );
  } finally {
    await database.close();
  }
}

function bodyOf(kind: EventKind): string {
  if (kind !== 'audit') return '{}';
  return JSON.stringify({ method: 'tools/call', level: 'info', upstream: 'up', outcome: 'ok', durationMs: 1.5 });
}
