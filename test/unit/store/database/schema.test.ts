import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { loadSqlite } from '../../../../src/store/database/sqlite/sqlite-module.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

/** The whole schema of a new file: a migration that is left out, or one that changes by mistake, is seen here. */
test('a new database has these tables and indexes', async () => {
  const home = temporaryFolder();
  const database = openDatabase({ home });
  await database.run(async () => undefined);
  await database.close();
  const { DatabaseSync } = await loadSqlite();
  const connection = new DatabaseSync(path.join(home, 'viaduct.db'));
  onTestFinished(() => connection.close());
  const rows = connection.prepare('select sql from sqlite_master where sql is not null order by type, name').all();
  expect(rows.map(({ sql }) => sql as string)).toMatchSnapshot();
});
