import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CheckpointStore } from '../../../../src/core/stores/checkpoint-store.ts';
import { postgresFaults } from '../../../../src/store/database/postgres/postgres-faults.ts';
import { sqliteFaults } from '../../../../src/store/database/sqlite/sqlite-faults.ts';
import { loadSqlite } from '../../../../src/store/database/sqlite/sqlite-module.ts';
import { storeFailure } from '../../../../src/store/database/store-errors.ts';
import { stores } from '../../../support/stores/checkpoint-stores.ts';

const put = (store: CheckpointStore, bundle: Record<string, unknown>, project = 'p') =>
  store.update(project, { sourceIde: 'cursor', kind: 'save' }, () => ({ bundle, outcome: undefined }));

describe('what is wrong with a SQLite file is said, and forgotten once it is put right', () => {
  const { newPlace, open } = stores('SQLite');

  test('no file can be made', async ({ skip }) => {
    const { home } = await newPlace(skip);
    const place = { home: path.join(home, 'taken', 'home') };
    writeFileSync(path.join(home, 'taken'), '');
    const { store } = open(place);
    await expect(put(store, { a: 1 })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(`${place.home}/viaduct.db cannot be opened`),
    });
    rmSync(path.join(home, 'taken'));
    await put(store, { a: 1 });
    expect((await store.load('p'))?.bundle).toEqual({ a: 1 });
  });

  test('the file is something else', async ({ skip }) => {
    const place = await newPlace(skip);
    const file = path.join(place.home, 'viaduct.db');
    writeFileSync(file, 'no database at all, but long enough to have a head of a hundred bytes'.repeat(20));
    const { store } = open(place);
    await expect(store.load('p')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('move it aside'),
    });
    renameSync(file, `${file}.aside`);
    await put(store, { a: 1 });
    expect((await store.load('p'))?.bundle).toEqual({ a: 1 });
  });

  test('the file goes away while it is open: what comes afterwards is in the new one', async ({ skip }) => {
    const place = await newPlace(skip);
    const { store } = open(place);
    await put(store, { a: 1 });
    for (const name of ['viaduct.db', 'viaduct.db-wal', 'viaduct.db-shm']) rmSync(path.join(place.home, name));
    await put(store, { a: 2 });
    expect((await open(place).store.load('p'))?.bundle).toEqual({ a: 2 });
  });

  test('somebody else holds it: it is waited for, and everybody else goes on meanwhile', async ({ skip }) => {
    const place = await newPlace(skip);
    const { store } = open(place);
    await put(store, { a: 1 });
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(path.join(place.home, 'viaduct.db'));
    other.exec('BEGIN IMMEDIATE');
    let isDone = false;
    const writing = put(store, { a: 2 }).then(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isDone).toBe(false);
    expect((await store.load('p'))?.bundle).toEqual({ a: 1 });
    other.exec('COMMIT');
    other.close();
    await writing;
    expect((await store.load('p'))?.bundle).toEqual({ a: 2 });
  });

  test('a newer build made it', async ({ skip }) => {
    const place = await newPlace(skip);
    const { store, database } = open(place);
    await put(store, { a: 1 });
    await database.close();
    const { DatabaseSync } = await loadSqlite();
    const file = new DatabaseSync(path.join(place.home, 'viaduct.db'));
    file.exec('UPDATE viaduct_schema SET version = 99');
    file.close();
    await expect(open(place).store.load('p')).rejects.toThrow('update Viaduct');
  });

  test('the disk is full', async ({ skip }) => {
    const folder = path.join((await newPlace(skip)).home, 'small');
    if (!mountSmall(folder)) skip();
    const { store } = open({ home: folder });
    await put(store, { a: 1 });
    writeFileSync(path.join(folder, 'filler'), '');
    try {
      writeFileSync(path.join(folder, 'filler'), Buffer.alloc(4_000_000));
    } catch {
      // That is what it is for.
    }
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
    await expect(put(store, { random })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('is full'),
    });
    expect((await store.load('p'))?.bundle).toEqual({ a: 1 });
    rmSync(path.join(folder, 'filler'));
    await put(store, { random });
    expect((await store.load('p'))?.revision).toBe(2);
  });
});

/** A file system of its own of 2 MB, where this user may make one. */
function mountSmall(folder: string): boolean {
  mkdirSync(folder);
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync('/bin/umount', ['-l', folder], { stdio: 'ignore' }));
  return true;
}

describe('what is wrong with PostgreSQL is said', () => {
  const { open } = stores('SQLite');

  test('it does not run, and no password is shown', async () => {
    const { store } = open({ home: '/nonexistent', url: 'postgres://me:hunter22@127.0.0.1:1/viaduct' });
    const failure: unknown = await store.load('p').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(String(failure)).toContain('PostgreSQL at 127.0.0.1:1/viaduct cannot be reached');
    expect(String(failure)).not.toContain('hunter22');
  });

  test.each([
    ['28P01', 'STORE_UNAVAILABLE', 'refuses this user', 'none'],
    ['3D000', 'STORE_UNAVAILABLE', 'no such database', 'none'],
    ['53100', 'STORE_UNAVAILABLE', 'is full', 'none'],
    ['25006', 'STORE_UNAVAILABLE', 'read-only', 'none'],
    ['40001', 'STORE_BUSY', 'try again', 'none'],
    ['CONNECTION_CLOSED', 'STORE_UNAVAILABLE', 'was lost', 'unknown'],
  ])('%s', (code, expected, says, effect) => {
    const failure = storeFailure(Object.assign(new Error('x'), { code }), 'PostgreSQL at db/x', postgresFaults);
    expect(failure?.error).toMatchObject({
      code: expected,
      message: expect.stringContaining(says),
      detail: { effect },
    });
  });
});

test.each([
  [{ errcode: 13 }, 'is full'],
  [{ errcode: 8 | (4 << 8) }, 'cannot be written'],
  [{ errcode: 14 }, 'cannot be opened'],
  [{ errcode: 11 }, 'is damaged'],
  [{ code: 'EACCES' }, 'cannot be written'],
  [{ code: 'ENOSPC' }, 'is full'],
])('SQLite: %o', (facts, says) => {
  expect(storeFailure(Object.assign(new Error('x'), facts), '/home/viaduct.db', sqliteFaults)?.error.message).toContain(
    says,
  );
});

test('what is no failure of a database stays what it is', () => {
  expect(storeFailure(new TypeError('x'), '/home/viaduct.db', sqliteFaults)).toBeUndefined();
  expect(
    storeFailure(Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }), 'PostgreSQL', postgresFaults),
  ).toBeUndefined();
});
