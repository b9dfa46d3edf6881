import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { NewChange } from '../../../../src/core/stores/change-store.ts';
import { openSqliteFile } from '../../../../src/store/database/sqlite/sqlite-file.ts';
import { openChangeStore } from '../../../../src/store/workspace/open-change-store.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import type { Place } from '../../../support/stores/checkpoint-writers.ts';
import { databases, type Kind } from '../../../support/stores/databases.ts';

const LIMITS = { changes: 5, megabytes: 1, fileMegabytes: 1 };

const change = (more: Partial<NewChange> = {}): NewChange => ({
  session: 's1',
  tool: 'file_write',
  roots: ['/w'],
  parts: [
    {
      kind: 'put',
      path: '/w/ü😀',
      before: { kind: 'missing' },
      after: { kind: 'file', mode: 0o644, size: 3, hash: 'abc' },
    },
  ],
  ...more,
});

/** As a gateway that has stopped within a change. */
async function holdLock({ home, url }: Place): Promise<{ isAwaited(): Promise<boolean>; release(): Promise<void> }> {
  if (url === undefined) {
    const { connection } = await openSqliteFile(path.join(home, 'viaduct.db'));
    connection.exec('BEGIN IMMEDIATE');
    return { isAwaited: async () => false, release: async () => connection.close() };
  }
  const connection = postgres(url, { max: 1 });
  await connection`select pg_advisory_lock(715311416)`;
  return {
    isAwaited: async () =>
      (await connection`select 1 from pg_locks where locktype = 'advisory' and not granted`).length > 0,
    release: () => connection.end(),
  };
}

/** A way to a server that can be cut as one is when the server ends: in order, and in the middle of everything. */
async function breakable(url: string): Promise<{ readonly url: string; readonly cut: () => void }> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    for (const end of [socket, onward]) sockets.add(end.on('error', () => undefined));
    socket.pipe(onward).pipe(socket);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    cut();
  });
  const here = new URL(url);
  here.port = String((server.address() as AddressInfo).port);
  return { url: here.href, cut };
}

/** The tests of one kind of database: SQLite's run with all others, PostgreSQL's with the proofs. */
export const changeStoreSuite = (kind: Kind) =>
  describe(`changes in ${kind}`, () => {
    const { newPlace, open } = databases(kind);
    const openChanges = (place: Place, home = place.home) =>
      open(place, (database) => openChangeStore({ database, limits: LIMITS, home })).store;

    test('are there for the next process, with what was in the file', async ({ skip }) => {
      const place = await newPlace(skip);
      const bytes = Buffer.from([0, 255, 10, 13, ...randomBytes(1_000)]);
      const first = openChanges(place);
      const id = await first.add(change({ client: 'claude', bytes }));
      expect(await openChanges(place).get(id)).toEqual({
        ...change({ client: 'claude' }),
        id,
        at: expect.any(Number),
        state: 'begun',
        undoes: undefined,
      });
      expect(Buffer.from((await openChanges(place).bytesOf(id))!)).toEqual(bytes);
      await first.settle(id);
      expect(await openChanges(place).get(id)).toMatchObject({ state: 'done' });
    });

    test('are kept whatever the client calls itself', async ({ skip }) => {
      const store = openChanges(await newPlace(skip));
      const id = await store.add(change({ client: 'a\0b\ud800' }));
      expect((await store.get(id))?.client).toBe('a\ufffdb\ufffd');
    });

    test('are made alone: work runs once, its failure passes, and others wait', async ({ skip }) => {
      const place = await newPlace(skip);
      const [first, second] = [openChanges(place), openChanges(place)];
      const steps: string[] = [];
      await Promise.all([first.alone(() => steps.push('a')), second.alone(() => steps.push('b'))]);
      expect(steps.sort()).toEqual(['a', 'b']);
      const busy = Object.assign(new Error('busy'), { code: 'EBUSY' });
      await expect(
        first.alone(() => {
          steps.push('c');
          throw busy;
        }),
      ).rejects.toBe(busy);
      expect(steps).toEqual(['a', 'b', 'c']);
      await second.alone(() => steps.push('d'));
      expect(steps).toHaveLength(4);
    });

    test('are not waited with for ever where another process keeps all others out', async ({ skip }) => {
      const place = await newPlace(skip);
      const store = openChanges(place);
      await store.list({ limit: 1 });
      const other = await holdLock(place);
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      let isDone = false;
      const alone = store.alone(() => {
        isDone = true;
      });
      vi.advanceTimersByTime(60_000);
      await expect(alone).rejects.toMatchObject({ code: 'STORE_BUSY', detail: { effect: 'none' } });
      await other.release();
      expect(isDone).toBe(false);
      await store.alone(() => {
        isDone = true;
      });
      expect(isDone).toBe(true);
    });

    test('end with an error where the connection is lost meanwhile, and the next are made', async ({ skip }) => {
      const place = await newPlace(skip);
      if (place.url === undefined) return skip();
      const { url, cut } = await breakable(place.url);
      const store = openChanges({ ...place, url });
      await store.list({ limit: 1 });
      const other = await holdLock(place);
      const alone = store.alone(() => undefined).catch((error: unknown) => error);
      await expect.poll(() => other.isAwaited(), { timeout: 10_000 }).toBe(true);
      cut();
      expect(await alone).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await other.release();
      await store.alone(() => undefined);
    });

    test('that are not there are nothing, and no error', async ({ skip }) => {
      const store = openChanges(await newPlace(skip));
      expect(await store.get(7)).toBeUndefined();
      expect(await store.bytesOf(7)).toBeUndefined();
      expect(await store.list({ limit: 10 })).toEqual([]);
      await store.settle(7);
      await store.drop(7);
      const id = await store.add(change());
      expect(await store.bytesOf(id)).toBeUndefined();
      await store.drop(id);
      expect(await store.get(id)).toBeUndefined();
    });

    test('are undone, and done again when the undo is undone', async ({ skip }) => {
      const store = openChanges(await newPlace(skip));
      const first = await store.add(change());
      await store.settle(first);
      const undo = await store.add(change({ tool: 'undo', undoes: first }));
      expect((await store.get(first))?.state).toBe('done');
      await store.settle(undo);
      expect((await store.get(first))?.state).toBe('undone');
      const redo = await store.add(change({ tool: 'undo', undoes: undo }));
      await store.settle(redo);
      expect((await store.list({ limit: 10 })).map(({ id, state }) => [id, state])).toEqual([
        [redo, 'done'],
        [undo, 'undone'],
        [first, 'done'],
      ]);
      const again = await store.add(change({ tool: 'undo', undoes: redo }));
      await store.settle(again);
      expect((await store.list({ limit: 10 })).map(({ state }) => state)).toEqual(['done', 'undone', 'done', 'undone']);
    });

    test('are listed by session, the newest first, and only open ones where that is asked', async ({ skip }) => {
      const store = openChanges(await newPlace(skip));
      const one = await store.add(change());
      const two = await store.add(change({ session: 's2' }));
      const three = await store.add(change());
      const undo = await store.add(change({ tool: 'undo', undoes: three }));
      await store.settle(undo);
      const ids = async (query: object) => (await store.list({ limit: 10, ...query })).map(({ id }) => id);
      expect(await ids({})).toEqual([undo, three, two, one]);
      expect(await ids({ session: 's1' })).toEqual([undo, three, one]);
      expect(await ids({ session: 's1', isOpen: true })).toEqual([one]);
      expect(await ids({ limit: 2 })).toEqual([undo, three]);
    });

    test('are not more than the limit, the oldest going first; their numbers are never used again', async ({
      skip,
    }) => {
      const store = openChanges(await newPlace(skip));
      const ids: number[] = [];
      for (let count = 0; count < 8; count++) ids.push(await store.add(change()));
      expect((await store.list({ limit: 100 })).map(({ id }) => id)).toEqual(ids.slice(3).reverse());
      for (const id of ids) await store.drop(id);
      expect(await store.add(change())).toBeGreaterThan(ids.at(-1)!);
    });

    test('that were undone go before older ones that can still be undone', async ({ skip }) => {
      const store = openChanges(await newPlace(skip));
      const ids: number[] = [];
      for (let count = 0; count < 5; count++) ids.push(await store.add(change()));
      const open = async () => (await store.list({ isOpen: true, limit: 10 })).map(({ id }) => id);
      for (const left of [4, 3, 2, 1]) {
        const undo = await store.add(change({ tool: 'undo', undoes: ids[left]! }));
        expect(await store.get(ids[left]!)).toBeDefined();
        await store.settle(undo);
        // The first undo finds none that goes before: what it undoes has to stay until it is done.
        expect(await open()).toEqual(ids.slice(1, left).reverse());
      }
    });

    test('that are being undone stay, however old they are, also where they are undos themselves', async ({ skip }) => {
      const store = openChanges(await newPlace(skip));
      const first = await store.add(change());
      const undo = await store.add(change({ tool: 'undo', undoes: first }));
      await store.settle(undo);
      // Otherwise it would go first, because it is older and undone.
      await store.drop(first);
      for (let count = 0; count < 4; count++) await store.add(change());
      await store.add(change({ tool: 'undo', undoes: undo }));
      expect(await store.get(undo)).toBeDefined();
      const oldest = (await store.list({ isOpen: true, limit: 10 })).at(-1)!.id;
      await store.add(change({ tool: 'undo', undoes: oldest }));
      expect(await store.get(oldest)).toBeDefined();
    });

    test('take no more room than the limit, but for the newest', async ({ skip }) => {
      const store = openChanges(await newPlace(skip));
      const bytes = randomBytes(400 * 1024);
      const ids: number[] = [];
      for (let count = 0; count < 4; count++) ids.push(await store.add(change({ bytes })));
      expect((await store.list({ limit: 100 })).map(({ id }) => id)).toEqual([ids[3], ids[2]]);
      const large = await store.add(change({ bytes: randomBytes(2 * 1024 ** 2) }));
      expect((await store.list({ limit: 100 })).map(({ id }) => id)).toEqual([large]);
    });

    test('of another machine are not listed unless they are asked for, and say where they were made', async ({
      skip,
    }) => {
      const place = await newPlace(skip);
      const [here, there] = [openChanges(place), openChanges(place, temporaryFolder())];
      const ours = await here.add(change());
      const theirs = await there.add(change());
      const ids = async (machines?: 'this' | 'others' | 'all') =>
        (await here.list({ limit: 10, ...(machines && { machines }) })).map(({ id }) => id);
      expect(await ids()).toEqual([ours]);
      expect(await ids('this')).toEqual([ours]);
      expect(await ids('others')).toEqual([theirs]);
      expect(await ids('all')).toEqual([theirs, ours]);
      expect(await here.get(ours)).not.toHaveProperty('elsewhere');
      expect(await here.get(theirs)).toMatchObject({ id: theirs, elsewhere: hostname() });
      expect(await there.get(theirs)).not.toHaveProperty('elsewhere');
      expect((await there.list({ isBegun: true, limit: 10 })).map(({ id }) => id)).toEqual([theirs]);
    });

    test('of another machine are not dropped for those of this one', async ({ skip }) => {
      const place = await newPlace(skip);
      const [here, there] = [openChanges(place), openChanges(place, temporaryFolder())];
      const theirs = await there.add(change());
      for (let count = 0; count < 8; count++) await here.add(change());
      expect(await here.list({ limit: 100 })).toHaveLength(5);
      expect((await there.list({ limit: 100 })).map(({ id }) => id)).toEqual([theirs]);
    });
  });
