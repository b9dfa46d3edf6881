import { describe, expect, test } from 'vitest';
import { openEventStore } from '../../../../src/store/events/open-event-store.ts';
import { BEFORE_TASKS, databases, executeIn, KINDS } from '../../../support/stores/databases.ts';

const LATE = Date.UTC(2200, 0);

/** Statements that turn a database into one from before events had a machine. */
const BEFORE = {
  SQLite: ['alter table events drop column machine'],
  PostgreSQL: [
    'alter table events drop column machine',
    'drop index events_at',
    'create index events_at on events (kind, at_ms, id, type, repo, agent)',
  ],
} as const;

const INSERT = "insert into events (kind, at_ms, type, body, key) values ('audit', 5, 'before', '{\"a\":1}', 'k')";

describe.each(KINDS)('events in %s from before they had a machine', (kind) => {
  const { newPlace, open } = databases(kind);

  test('are kept, and are removed only where nobody shares the database', async ({ skip }) => {
    const place = await newPlace(skip);
    const openEvents = () => open(place, (database) => openEventStore({ database, home: place.home }));
    const first = openEvents();
    await first.store.newest({ kind: 'audit' }, 1);
    await first.store.close();
    await first.database.close();
    await executeIn(place, [...BEFORE_TASKS, ...BEFORE[kind], INSERT, 'update viaduct_schema set version = 4']);

    const { store } = openEvents();
    expect(await store.newest({ kind: 'audit' }, 10)).toMatchObject([{ type: 'before', at: 5, body: '{"a":1}' }]);
    // A key is still there once.
    expect(await store.add([{ kind: 'audit', at: 6, type: 'again', body: '{}', key: 'k' }])).toBe(0);
    expect(await store.add([{ kind: 'audit', at: 6, type: 'since', body: '{}' }])).toBe(1);
    expect(await store.prune('audit', LATE)).toBe(kind === 'SQLite' ? 2 : 1);
    const left = await store.newest({ kind: 'audit' }, 10);
    expect(left.map(({ type }) => type)).toEqual(kind === 'SQLite' ? [] : ['before']);
  });
});
