import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shownPlace } from '../../../../src/core/addresses/shown-place.ts';
import { openCheckpointStore } from '../../../../src/store/checkpoints/open-checkpoint-store.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { postgresOptions } from '../../../../src/store/database/postgres/postgres-options.ts';
import { startPostgres, type TestPostgres } from '../../../support/stores/postgres.ts';

let server: TestPostgres | undefined;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

/** Saves in the database of a url, and returns what is there afterwards. */
async function saveIn(url: string): Promise<unknown> {
  const database = openDatabase({ home: '/nonexistent', url });
  const store = openCheckpointStore({ database });
  try {
    await store.update('p', { sourceIde: 'cursor', kind: 'save' }, () => ({ bundle: { a: 1 }, outcome: undefined }));
    return (await store.load('p'))?.bundle;
  } finally {
    await store.close();
    await database.close();
  }
}

describe('PostgreSQL is reached', () => {
  test('by its socket, with and without a user before the empty host', async ({ skip }) => {
    if (server === undefined) return skip();
    const { folder, port } = server;
    const name = new URL(await server.newDatabase()).pathname.slice(1);
    const place = `host=${encodeURIComponent(folder)}&port=${port}`;
    expect(await saveIn(`postgres://viaduct@/${name}?${place}`)).toEqual({ a: 1 });
    expect(await saveIn(`postgres:///${name}?host=${folder}&port=${port}&user=viaduct`)).toEqual({ a: 1 });
    expect(await saveIn(`postgres://viaduct@${encodeURIComponent(folder)}:${port}/${name}`)).toEqual({ a: 1 });
    expect(await saveIn(`postgres:///?dbname=${name}&user=viaduct&sslmode=require&${place}`)).toEqual({ a: 1 });
  });

  test.each([
    ['a % that encodes nothing', '100%', '100%'],
    ['a % before two letters', '%zz%', '%zz%'],
    ['characters that are encoded', 'a@b/c?d#e%f:g', encodeURIComponent('a@b/c?d#e%f:g')],
    ['characters that need not be', 'p@ss:w#rd\'"', 'p@ss:w#rd\'"'],
    ['letters of other languages', 'пароль', encodeURIComponent('пароль')],
  ])('with a password that has %s', async (user, password, written) => {
    if (server === undefined) return;
    await server.addUser(user, password);
    const address = new URL(await server.newDatabase());
    const place = `127.0.0.1:${server.port}${address.pathname}`;
    expect(await saveIn(`postgres://${encodeURIComponent(user)}:${written}@${place}`)).toEqual({ a: 1 });
    const wrong = saveIn(`postgres://${encodeURIComponent(user)}:wrong@${place}`);
    await expect(wrong).rejects.toThrow(`PostgreSQL at ${place} refuses this user`);
  });
});

test.each([
  ['postgres://db', { host: ['db'], port: [5432] }],
  ['postgres://a:1,b/v', { host: ['a', 'b'], port: [1, 5432], database: 'v' }],
  ['postgres://[::1]:6000/v', { host: ['::1'], port: [6000], database: 'v' }],
  ['postgres://db/v?sslmode=verify-full', { host: ['db'], port: [5432], database: 'v', ssl: 'verify-full' }],
  ['postgres://db/v?sslmode=disable', { host: ['db'], port: [5432], database: 'v', ssl: false }],
  ['postgres://db/v?sslrootcert=system', { host: ['db'], port: [5432], database: 'v', ssl: 'verify-full' }],
  ['postgres:///v?connect_timeout=3&prepare=false', { database: 'v', connect_timeout: 3, prepare: false }],
])('%s is connected to by its parts', (url, options) => {
  expect(postgresOptions(url)).toEqual({ connection: { application_name: 'viaduct' }, ...options });
});

test('parameters that the driver does not know go to the server', () => {
  expect(postgresOptions('postgres:///v?application_name=x&search_path=y')).toEqual({
    database: 'v',
    connection: { application_name: 'x', search_path: 'y' },
  });
});

test.each([
  ['postgres://me:hunter22@db:1/v', 'PostgreSQL at db:1/v'],
  ['postgres://me:hunter22@[::1]:1/v', 'PostgreSQL at [::1]:1/v'],
  ['postgres://me:hunter22@a:1,b/v', 'PostgreSQL at a:1,b/v'],
  ['postgres://me@/v?host=/run&password=hunter22', 'PostgreSQL at /run/v'],
  ['postgres:///v', 'PostgreSQL at the default host/v'],
  ['no url', 'PostgreSQL'],
])('messages show %s as %s', (url, shown) => {
  expect(shownPlace(url)).toBe(shown);
});
