import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { checkDatabase } from '../../../../../src/commands/doctor/checks/database-check.ts';
import { openDatabase } from '../../../../../src/store/database/database.ts';
import { temporaryFolder } from '../../../../support/gateway.ts';
import { startPostgres } from '../../../../support/stores/postgres.ts';

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
});

test('a PostgreSQL database is looked at, and nothing is made in it', async () => {
  const server = await startPostgres();
  if (server === undefined) return;
  onTestFinished(() => server.stop());
  const url = await server.newDatabase();
  const tables = async () => {
    const db = postgres(url, { max: 1 });
    const rows = await db`select 1 from pg_tables where schemaname = 'public'`;
    await db.end();
    return rows.length;
  };
  expect(await checkDatabase('/nowhere', url)).toMatchObject({
    mark: 'ok',
    text: expect.stringContaining('127.0.0.1'),
  });
  expect(await tables()).toBe(0);

  const database = openDatabase({ home: '/nowhere', url });
  await database.run(({ queries }) => sql`update viaduct_schema set version = version + 1`.execute(queries));
  await database.close();
  const newer = await checkDatabase('/nowhere', url);
  expect(newer).toMatchObject({ mark: 'fail', text: expect.stringContaining('made by a newer Viaduct') });
  expect(newer.fix).toContain('"database" in the config');
});

test('a PostgreSQL server that is not there fails, without the password of its url', async () => {
  const port = await closedPort();
  const check = await checkDatabase('/nowhere', `postgres://me:hush@127.0.0.1:${port}/db`);
  expect(check).toMatchObject({ mark: 'fail', text: expect.stringContaining(`127.0.0.1:${port}`) });
  expect(JSON.stringify(check)).not.toContain('hush');
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
