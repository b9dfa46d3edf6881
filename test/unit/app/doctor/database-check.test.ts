import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkDatabase } from '../../../../src/app/doctor/database-check.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

/** A home whose database says that it has another shape. */
async function homeOfShape(change: (known: number) => number): Promise<string> {
  const home = temporaryFolder();
  const database = openDatabase({ home });
  await database.run(async ({ queries }) => {
    const { rows } = await sql<{ version: number }>`select version from viaduct_schema`.execute(queries);
    await sql`update viaduct_schema set version = ${sql.lit(change(rows[0]!.version))}`.execute(queries);
  });
  await database.close();
  return home;
}

test('a database of this build, or of an older one, is well', async () => {
  for (const less of [0, 1]) {
    const home = await homeOfShape((known) => known - less);
    const before = readFileSync(path.join(home, 'viaduct.db'));
    expect(await checkDatabase(home, undefined)).toMatchObject({ mark: 'ok', text: path.join(home, 'viaduct.db') });
    expect(readFileSync(path.join(home, 'viaduct.db'))).toEqual(before);
  }
});

test('a database of a newer build fails, and it is said to update', async () => {
  const home = await homeOfShape((known) => known + 1);
  const check = await checkDatabase(home, undefined);
  expect(check).toMatchObject({ mark: 'fail', text: expect.stringContaining('made by a newer Viaduct') });
  expect(check.text).toContain('update Viaduct');
});

test('one that is damaged fails; one that is not there is not made', async () => {
  const home = temporaryFolder();
  expect(await checkDatabase(home, undefined)).toMatchObject({ mark: 'ok', text: expect.stringContaining('none yet') });
  expect(readdirSync(home)).toEqual([]);
  writeFileSync(path.join(home, 'viaduct.db'), 'no database'.repeat(100));
  expect(await checkDatabase(home, undefined)).toMatchObject({
    mark: 'fail',
    text: expect.stringContaining('damaged'),
  });
  expect(await checkDatabase(home, 'postgres://host/db')).toMatchObject({ mark: 'skipped' });
});
