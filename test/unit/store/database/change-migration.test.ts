import { describe, expect, test } from 'vitest';
import { openChangeStore } from '../../../../src/store/workspace/open-change-store.ts';
import { BEFORE_TASKS, databases, executeIn, KINDS } from '../../../support/stores/databases.ts';

const LIMITS = { changes: 100, megabytes: 1, fileMegabytes: 1 };

/** Statements that make of a database what it was before changes had a machine, with changes in it. */
const BEFORE = {
  SQLite: [
    'drop table workspace_changes',
    `create table workspace_changes (id integer primary key autoincrement, at_ms bigint not null, state text not null,
      session text not null, client text, tool text not null, roots text not null, parts text not null, undoes bigint,
      size integer not null, bytes blob)`,
    'create index workspace_changes_size on workspace_changes (size)',
    'delete from sqlite_sequence',
    'alter table events drop column machine',
  ],
  PostgreSQL: [
    'drop index workspace_changes_size',
    'alter table workspace_changes drop column machine, drop column host',
    'create index workspace_changes_size on workspace_changes (size)',
    'alter table events drop column machine',
  ],
} as const;

const INSERT = `insert into workspace_changes (at_ms, state, session, tool, roots, parts, size)
  values (1, 'done', 's', 'file_write', '["/w"]', '[]', 0)`;
const MAKE = [
  INSERT,
  INSERT,
  INSERT,
  'delete from workspace_changes where id = 3',
  'update viaduct_schema set version = 3',
];

describe.each(KINDS)('changes in %s from before they had a machine', (kind) => {
  const { newPlace, open } = databases(kind);

  test('are kept: here where nobody shares the database, else as those of another machine', async ({ skip }) => {
    const place = await newPlace(skip);
    const openChanges = () =>
      open(place, (database) => openChangeStore({ database, limits: LIMITS, home: place.home }));
    const first = openChanges();
    await first.store.list({ limit: 1 });
    await first.store.close();
    await first.database.close();
    await executeIn(place, [...BEFORE_TASKS, ...BEFORE[kind], ...MAKE]);
    const { store } = openChanges();
    const ids = async (machines: 'this' | 'others') => (await store.list({ machines, limit: 10 })).map(({ id }) => id);
    expect(await ids('this')).toEqual(kind === 'SQLite' ? [2, 1] : []);
    expect(await ids('others')).toEqual(kind === 'SQLite' ? [] : [2, 1]);
    expect(await store.get(1)).toMatchObject({
      session: 's',
      roots: ['/w'],
      ...(kind === 'PostgreSQL' && { elsewhere: 'a machine that was not noted' }),
    });
    const added = await store.add({ session: 's', tool: 't', roots: [], parts: [] });
    expect(added).toBe(4);
    expect(await ids('this')).toEqual(kind === 'SQLite' ? [4, 2, 1] : [4]);
  });
});
