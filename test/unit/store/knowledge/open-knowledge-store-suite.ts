import { describe, expect, test } from 'vitest';
import { newChunks } from '../../../../src/knowledge/index/texts/new-chunks.ts';
import { bytesOf, vectorOf } from '../../../../src/knowledge/vectors/vector-bytes.ts';
import { one } from '../../../../src/store/knowledge/sql.ts';
import { knowledgeStoresIn, sourceOf } from '../../../support/knowledge/knowledge-store.ts';
import type { Kind } from '../../../support/stores/databases.ts';

/** The tests of one kind of database: SQLite's run with all others, PostgreSQL's with the proofs. */
export const knowledgeStoreSuite = (kind: Kind) =>
  describe(`the store of the index in ${kind}`, () => {
    const stores = knowledgeStoresIn(kind);

    test('takes back what is written to a space that was removed', async ({ skip }) => {
      const [store] = await stores.open(skip);
      const { space } = await store!.spaces.make('repository', '/one', 'one');
      await store!.spaces.remove(space);
      await expect(store!.write(space, [sourceOf('a.ts', 'walrus')])).rejects.toThrow(
        '/one was removed from the index',
      );
      expect(await store!.sources(space.number)).toEqual([]);
      expect(await one(store!.sql, 'select number from knowledge_texts')).toBeUndefined();
    });

    test('tidies up between the transactions of others', async ({ skip }) => {
      const [store] = await stores.open(skip);
      const { space } = await store!.spaces.make('repository', '/one', 'one');
      let tidied: Promise<void> | undefined;
      await store!.sql.transaction(async (sql) => {
        await sql.all('update knowledge_spaces set name = ? where number = ?', 'two', space.number);
        tidied = store!.tidy();
        await sql.all('update knowledge_spaces set name = ? where number = ?', 'three', space.number);
      });
      await tidied;
      expect(await store!.spaces.byId(space.id)).toMatchObject({ name: 'three' });
    });

    test('tidies up later while another process writes', async ({ skip }) => {
      const [store, other] = await stores.open(skip, 2);
      const { space } = await store!.spaces.make('repository', '/one', 'one');
      await store!.write(space, [sourceOf('a.ts', 'walrus '.repeat(100))]);
      await other!.sql.transaction(async (sql) => {
        await sql.all('update knowledge_spaces set name = ? where number = ?', 'two', space.number);
        await store!.tidy();
      });
      expect(await store!.spaces.byId(space.id)).toMatchObject({ name: 'two' });
    });

    test('finds the chunks of very many texts', async ({ skip }) => {
      const [store] = await stores.open(skip);
      const { space } = await store!.spaces.make('repository', '/one', 'one');
      await store!.write(space, [sourceOf('a.ts', 'walrus')]);
      const [found] = await store!.vectors.chunksWith(
        space.number,
        Array.from({ length: 70_000 }, (_, at) => at + 1),
      );
      expect(await store!.terms.chunks(store!.sql, [found!.id])).toMatchObject([
        { path: 'a.ts', sourceHash: '1:walrus' },
      ]);
    });

    test('keeps names of several words apart', async ({ skip }) => {
      const [store] = await stores.open(skip);
      const { space } = await store!.spaces.make('repository', '/one', 'one');
      const defines = ['Getting started', 'next'];
      const chunk = { text: 'walrus', startLine: 1, endLine: 1, kind: 'section' as const, symbol: '', defines };
      await store!.write(space, [{ ...sourceOf('a.md', 'walrus'), chunks: newChunks([chunk]) }]);
      const [{ id }] = (await store!.sql.all('select id from knowledge_chunks')) as [{ id: number }];
      expect(await store!.terms.chunks(store!.sql, [id])).toMatchObject([{ defines }]);
    });

    test('tells by another mark that vectors were replaced by longer ones', async ({ skip }) => {
      const [store] = await stores.open(skip);
      const { space } = await store!.spaces.make('repository', '/one', 'one');
      await store!.write(space, [sourceOf('a.ts', 'walrus')]);
      const missing = (dimensions?: number) => store!.vectors.missing(space.number, { model: 'm', dimensions });
      const [text] = await missing();
      await store!.vectors.put('m', [{ text: text!, body: bytesOf(Float32Array.of(1, 2)) }]);
      expect([await missing(), await missing(2), await missing(3)]).toEqual([[], [], [text]]);
      const before = await store!.vectors.mark(space.number);
      await store!.vectors.put('m', [{ text: text!, body: bytesOf(Float32Array.of(1, 2, 3)) }]);
      expect(await store!.vectors.mark(space.number)).not.toBe(before);
      expect([await missing(2), await missing(3)]).toEqual([[text], []]);
      const [vector] = await store!.vectors.among('m', [text!]);
      expect(vectorOf(vector!.body)).toEqual(Float32Array.of(1, 2, 3));
    });

    test.runIf(kind === 'PostgreSQL')(
      'puts a text that another gateway removes as unused meanwhile',
      async ({ skip }) => {
        const [store, other, looking] = await stores.open(skip, 3);
        const { space } = await store!.spaces.make('repository', '/one', 'one');
        const { space: second } = await store!.spaces.make('repository', '/two', 'two');
        await store!.write(space, [sourceOf('a.ts', 'walrus')]);
        let written: Promise<unknown> | undefined;
        await store!.sql.transaction(async (sql) => {
          const [source] = await store!.sources(space.number);
          await store!.terms.removeSources(sql, [source!.number]);
          written = other!.write(second, [sourceOf('b.ts', 'walrus')]);
          const waiting = () => looking!.sql.all(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`);
          await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
        });
        await written;
        expect(await other!.spaces.byId(second.id)).toMatchObject({ chunks: 1 });
      },
    );
  });
