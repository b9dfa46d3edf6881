import { appendFileSync, existsSync, readFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AuditIndexer } from '../../../../src/audit/index/audit-indexer.ts';
import { openAuditStore } from '../../../../src/store/events/open-audit-store.ts';
import { openEventStore } from '../../../../src/store/events/open-event-store.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { databases, type Kind } from '../../../support/stores/databases.ts';

const AT = Date.UTC(2026, 10, 28);

const lineOf = (tool: string, more: object = {}) =>
  `${JSON.stringify({ at: new Date(AT).toISOString(), session: 's', method: 'tools/call', tool, level: 'info', outcome: 'ok', durationMs: 1, ...more })}\n`;

const linesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, number) => lineOf(`${prefix}${number}`)).join('');

export function auditIndexerSuite(kind: Kind): void {
  describe(`lines in an index in ${kind}`, () => {
    const { newPlace, open } = databases(kind);

    async function opened(skip: () => never, files = 5) {
      const place = await newPlace(skip);
      const file = path.join(temporaryFolder(), 'audit.jsonl');
      const { store, database } = open(place, (one) => openEventStore({ database: one, home: place.home }));
      const newIndexer = () => {
        const { database: own } = open(place, (one) => openEventStore({ database: one, home: place.home }));
        return new AuditIndexer({ index: openAuditStore({ database: own, home: place.home }), file, files });
      };
      const tools = async () => (await store.oldest({ kind: 'audit' }, 100_000)).map(({ type }) => type);
      const calls = openAuditStore({ database, home: place.home });
      return { file, store, calls, indexer: newIndexer(), newIndexer, tools };
    }

    test('are there once, however often and however many at once index them', async ({ skip }) => {
      const { file, indexer, newIndexer, tools } = await opened(skip);
      writeFileSync(file, linesOf('a', 5_000));
      await Promise.all([indexer.run(), newIndexer().run(), newIndexer().run()]);
      appendFileSync(file, linesOf('b', 3));
      await Promise.all([indexer.run(), newIndexer().run()]);
      await indexer.run();
      const found = await tools();
      expect(found).toHaveLength(5_003);
      expect(new Set(found).size).toBe(5_003);
    });

    test('are found by every filter, a page at a time, as the file has them', async ({ skip }) => {
      const { file, store, calls, indexer } = await opened(skip);
      const strange = lineOf('b\t"x', { client: 'c\u{e9} "q"', outcome: 'error', level: 'security' });
      writeFileSync(file, lineOf('a') + strange + lineOf('c', { session: 't' }));
      await indexer.run();
      await store.add([{ kind: 'audit', at: AT - 1, type: 'old', session: 's', body: '{"level":"info"}' }]);
      const find = async (filter: object) =>
        (await calls.find({ since: 0, ...filter }, 10)).lines.map((line) => JSON.parse(line));
      expect((await find({})).map(({ tool }) => tool)).toEqual(['c', 'b\t"x', 'a', 'old']);
      for (const filter of [
        { tools: ['b\t"x', 'z'] },
        { clients: ['c\u{e9} "q"'] },
        { failed: true },
        { level: 'security' },
      ])
        expect(await find(filter)).toEqual([JSON.parse(strange)]);
      expect(await find({ session: 't' })).toMatchObject([{ tool: 'c' }]);
      expect(await find({ since: AT + 1 })).toEqual([]);
      expect(await calls.names('client', 0)).toEqual(['c\u{e9} "q"']);
      const { lines, last } = await calls.find({ since: 0 }, 2);
      expect(lines).toHaveLength(2);
      expect((await calls.find({ since: 0 }, 2, last)).lines.map((line) => JSON.parse(line).tool)).toEqual([
        'a',
        'old',
      ]);
    });

    test('are known by their file, whatever its name is now', async ({ skip }) => {
      const { file, indexer, tools } = await opened(skip);
      writeFileSync(file, lineOf('one'));
      await indexer.run();
      appendFileSync(file, lineOf('two'));
      renameSync(file, file.replace('.jsonl', '.1.jsonl'));
      writeFileSync(file, lineOf('three'));
      await indexer.run();
      expect(await tools()).toEqual(['one', 'two', 'three']);
    });

    test('are taken when they are whole; a torn one is left out', async ({ skip }) => {
      const { file, indexer, tools } = await opened(skip);
      const line = lineOf('whole');
      writeFileSync(file, line.slice(0, 20));
      await indexer.run();
      expect(await tools()).toEqual([]);
      writeFileSync(file, `${line}{"at":"torn`);
      await indexer.run();
      expect(await tools()).toEqual(['whole']);
      appendFileSync(file, `\n${lineOf('next')}null\n{"at":"never","session":"s"}\n${lineOf('last')}`);
      await indexer.run();
      expect(await tools()).toEqual(['whole', 'next', 'last']);
    });

    test('are not lost when the file has lost its end', async ({ skip }) => {
      const { file, indexer, tools } = await opened(skip);
      writeFileSync(file, lineOf('one') + lineOf('two'));
      await indexer.run();
      truncateSync(file, lineOf('one').length);
      await indexer.run();
      appendFileSync(file, lineOf('six') + lineOf('ten'));
      await indexer.run();
      expect(await tools()).toEqual(['one', 'two', 'six', 'ten']);
    });

    test('leave out what an earlier version has stored by itself', async ({ skip }) => {
      const { file, store, indexer, tools } = await opened(skip);
      await store.add([{ kind: 'audit', at: AT + 1, type: 'old', session: 's', body: '{}' }]);
      const later = { at: new Date(AT + 2).toISOString() };
      writeFileSync(file, lineOf('old') + lineOf('new', later));
      await indexer.run();
      expect(await tools()).toEqual(['old', 'new']);
    });

    test('let files go that are too many, once they are indexed and nobody writes to them', async ({ skip }) => {
      const { file, indexer, tools } = await opened(skip, 2);
      const names = [0, 1, 2, 3].map((number) => (number === 0 ? file : file.replace('.jsonl', `.${number}.jsonl`)));
      for (const name of names) writeFileSync(name, lineOf(path.basename(name)));
      const before = new Date(Date.now() - 60_000);
      const after = new Date(Date.now() + 60_000);
      utimesSync(names[3]!, before, before);
      utimesSync(names[2]!, after, after);
      await indexer.run();
      expect(names.map((name) => existsSync(name))).toEqual([true, true, true, false]);
      appendFileSync(names[2]!, '{"half');
      utimesSync(names[2]!, before, before);
      await indexer.run();
      expect(readFileSync(names[2]!, 'utf8')).toContain('half');
      expect(await tools()).toHaveLength(4);
    });
  });
}
