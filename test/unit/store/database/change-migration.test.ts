import path from 'node:path';
import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { openSqliteFile } from '../../../../src/store/database/sqlite-file.ts';
import { openChangeStore } from '../../../../src/store/workspace/open-change-store.ts';
import type { Place } from '../../../support/checkpoint-writers.ts';
import { databases, KINDS } from '../../../support/databases.ts';

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
  ],
  PostgreSQL: [
    'drop index workspace_changes_size',
    'alter table workspace_changes drop column machine, drop column host',
    'create index workspace_changes_size on workspace_changes (size)',
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

async function execute({ home, url }: Place, statements: readonly string[]): Promise<void> {
  if (url === undefined) {
    const { connection } = await openSqliteFile(path.join(home, 'viaduct.db'));
    for (const statement of statements) connection.exec(statement);
    connection.close();
    return;
  }
  const connection = postgres(url, { max: 1 });
  for (const statement of statements) await connection.unsafe(statement);
  await connection.end();
}

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
    await execute(place, [...BEFORE[kind], ...MAKE]);
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
