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
      { kind, at: Date.now(), type: 'tool_0', agent: 'bench', session: 's', body: '{}' },
    ]);
    const step = Math.floor((1_000 * 3_600_000) / count);
    const isCall = kind === 'audit' ? 1 : 0;
    // One call in a hundred fails, one in two only reads: as the index has them after it has read the audit's files.
    await database.run(({ queries }) =>
      sql`
        insert into events (kind, at_ms, type, agent, repo, session, level, outcome, key, body)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}),
          calls as (select i, 'tool_' || (i % 50) as tool, case i % 2 when 0 then 'info' else 'security' end as level,
            case i % 100 when 0 then 'error' else 'ok' end as outcome from n)
        select ${kind}, ${Date.now()} - i * ${step}, tool, 'agent-' || (i % 7), 'repo-' || (i % 5), 's',
          case when ${isCall} then level end, case when ${isCall} then outcome end, ${kind} || ' ' || i,
          case when ${isCall} then json_object('method', 'tools/call', 'tool', tool, 'provider', 'up', 'level', level,
            'arguments', 'e7b995efa755c5ff', 'outcome', outcome, 'durationMs', 1.5) else '{}' end
        from calls
      `.execute(queries),
    );
  } finally {
    await database.close();
  }
}
