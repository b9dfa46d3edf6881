import { rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventQuery, NewEvent } from '../../../../src/core/stores/event-store.ts';
import { openEventStore } from '../../../../src/store/events/open-event-store.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import type { Place } from '../../../support/stores/checkpoint-writers.ts';
import { databases, type Kind } from '../../../support/stores/databases.ts';

const LATE = Date.UTC(2200, 0);

function metric(type: string, at: number, more: Partial<NewEvent> = {}): NewEvent {
  return { kind: 'metric', type, at, body: '{}', ...more };
}

/** The tests of one kind of database: SQLite's run with all others, PostgreSQL's with the proofs. */
export const eventStoreSuite = (kind: Kind) =>
  describe(`events in ${kind}`, () => {
    const { newPlace, open } = databases(kind);
    const openEvents = (place: Place) =>
      open(place, (database) => openEventStore({ database, home: place.home })).store;

    test('are there for the next process, with all that was said of them', async ({ skip }) => {
      const place = await newPlace(skip);
      const event: NewEvent = {
        kind: 'audit',
        at: LATE,
        type: 'file_write',
        agent: 'claude',
        repo: 'viaduct',
        session: 's1',
        body: '{"text":"ü😀\\u0000\\ud800","deep":[1, null,{"a":true}],"large":9007199254740993}',
      };
      expect(await openEvents(place).add([event])).toBe(1);
      expect(await openEvents(place).newest({ kind: 'audit' }, 10)).toEqual([{ ...event, id: expect.any(Number) }]);
    });

    test('of one kind are none of the other', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      await store.add([metric('a', 1), { kind: 'audit', type: 'b', at: 1, body: '{}' }]);
      expect(await store.countBy('type', { kind: 'metric' })).toEqual([{ key: 'a', count: 1 }]);
      expect(await store.countBy('type', { kind: 'audit' })).toEqual([{ key: 'b', count: 1 }]);
    });

    test('are none where nothing was added', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      expect(await store.add([])).toBe(0);
      expect(await store.countBy('agent', { kind: 'metric' })).toEqual([]);
      expect(await store.newest({ kind: 'metric' }, 10)).toEqual([]);
      expect(await store.prune('metric', LATE)).toBe(0);
    });

    test('with a key that is known are left out, also within one batch', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      const batch = [metric('a', 1, { key: 'k1' }), metric('b', 2, { key: 'k1' }), metric('c', 3), metric('c', 3)];
      expect(await store.add(batch)).toBe(3);
      expect(await store.add([metric('d', 4, { key: 'k1' }), metric('e', 5, { key: 'k2' })])).toBe(1);
      expect((await store.newest({ kind: 'metric' }, 10)).map(({ type }) => type)).toEqual(['e', 'c', 'c', 'a']);
    });

    test('are counted the most frequent first, equals by their keys', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      const types = ['b', 'a', 'B', 'c', 'c', 'é', 'a b'];
      await store.add(types.map((type) => metric(type, 1, type === 'c' ? { repo: 'r' } : {})));
      expect(await store.countBy('type', { kind: 'metric' })).toEqual(
        ['c', 'B', 'a', 'a b', 'b', 'é'].map((key) => ({ key, count: key === 'c' ? 2 : 1 })),
      );
      expect(await store.countBy('repo', { kind: 'metric' })).toEqual([{ key: 'r', count: 2 }]);
    });

    test('keep texts that no database could hold, but for the characters in question', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      await store.add([metric('a\0b', 1, { agent: '\ud800', repo: '', session: '\0' })]);
      expect(await store.newest({ kind: 'metric' }, 1)).toMatchObject([
        { type: 'a\u{FFFD}b', agent: '\u{FFFD}', repo: '', session: '\u{FFFD}' },
      ]);
    });

    test('come in pages, those of one time in the order in which they were added', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      await store.add(Array.from({ length: 1_000 }, (_, index) => metric(String(index), index % 3)));
      const seen: string[] = [];
      let page = await store.newest({ kind: 'metric' }, 300);
      while (page.length > 0) {
        seen.push(...page.map(({ type }) => type));
        page = await store.newest({ kind: 'metric' }, 300, page.at(-1));
      }
      const expected = Array.from({ length: 1_000 }, (_, index) => index).sort((a, b) => (b % 3) - (a % 3) || b - a);
      expect(seen).toEqual(expected.map(String));
      const pages = [await store.oldest({ kind: 'metric' }, 400)];
      pages.push(await store.oldest({ kind: 'metric' }, 1_000, pages[0]!.at(-1)));
      expect(pages.flat().map(({ type }) => type)).toEqual(seen.toReversed());
    });

    test('are counted and found among more than are read at once', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      // Many have the same time, also where one part ends and the next begins.
      const typeOf = (index: number) => (index % 4_000 === 7 ? 'rare' : `t${index % 3}`);
      const events = Array.from({ length: 12_010 }, (_, index) => metric(typeOf(index), 1 + Math.floor(index / 900)));
      await store.add(events);
      const query: EventQuery = { kind: 'metric', since: 2, until: 13 };
      const counted = events.filter(({ at }) => at >= 2 && at < 13);
      const countOf = (key: string) => ({ key, count: counted.filter(({ type }) => type === key).length });
      const counts = await store.countBy('type', query);
      expect(counts.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(['rare', 't0', 't1', 't2'].map(countOf));
      const rare = { kind: 'metric', types: ['rare'] } as const;
      const atOf = (found: readonly { readonly at: number }[]) => found.map(({ at }) => at);
      expect(atOf(await store.oldest(rare, 10))).toEqual([1, 5, 9, 14]);
      const [newest] = await store.newest(rare, 1);
      expect(atOf(await store.newest(rare, 2, newest))).toEqual([9, 5]);
    });

    test('that are old can be removed, those of the other kind stay', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      const old = Array.from({ length: 4_500 }, (_, index) => metric('old', index % 100));
      await store.add([...old, metric('kept', 100), { kind: 'audit', type: 'kept', at: 0, body: '{}' }]);
      expect(await store.prune('metric', 100)).toBe(4_500);
      expect((await store.newest({ kind: 'metric' }, 10)).map(({ type }) => type)).toEqual(['kept']);
      expect(await store.newest({ kind: 'audit' }, 10)).toHaveLength(1);
    });

    test('expire only by a clock that has been right for a day', async ({ skip }) => {
      const day = 86_400_000;
      const now = Date.UTC(2026, 0);
      const store = openEvents(await newPlace(skip));
      await store.add([metric('old', now - 20 * day), metric('new', now)]);
      expect(await store.expire('metric', 10 * day, now)).toBe(0);
      expect(await store.expire('metric', 10 * day, now + day)).toBe(1);
      expect(await store.expire('metric', 10 * day, now + 400 * day)).toBe(0);
      expect((await store.newest({ kind: 'metric' }, 10)).map(({ type }) => type)).toEqual(['new']);
    });

    test('of other machines stay, however old they are', async ({ skip }) => {
      const one = await newPlace(skip);
      const other = kind === 'SQLite' ? await newPlace(skip) : { ...one, home: temporaryFolder() };
      for (const audit of ['audit', 'metric'] as const) {
        await openEvents(one).add([{ kind: audit, type: 'ours', at: 1, body: '{}' }]);
        await openEvents(other).add(
          Array.from({ length: 600 }, () => ({ kind: audit, type: 'theirs', at: 0, body: '{}' })),
        );
        expect(await openEvents(one).prune(audit, LATE)).toBe(1);
        const [left, ...none] = await openEvents(other).countBy('type', { kind: audit });
        expect([left, none]).toEqual([{ key: 'theirs', count: 600 }, []]);
        expect(await openEvents(other).prune(audit, LATE)).toBe(600);
      }
    });

    test('of a home that was on another machine before are removed in its SQLite file only', async ({ skip }) => {
      const place = await newPlace(skip);
      await openEvents(place).add([metric('before', 0)]);
      rmSync(path.join(place.home, 'machine-id'));
      const moved = openEvents(place);
      await moved.add([metric('since', 1)]);
      expect(await moved.prune('metric', LATE)).toBe(kind === 'SQLite' ? 2 : 1);
    });

    test('are added whatever the length of their texts', async ({ skip }) => {
      const place = await newPlace(skip);
      const store = openEvents(place);
      // Texts that cannot be compressed, three bytes a character.
      const text = (seed: number) =>
        Array.from({ length: 1_000 }, (_, index) =>
          String.fromCharCode(0x4e00 + ((index * 7_919 + seed * 104_729) ** 2 % 20_000)),
        ).join('');
      const long = metric(text(1), 1, { agent: text(2), repo: text(3), session: text(4) });
      expect(await store.add([long, metric('short', 2)])).toBe(2);
      expect(await store.countBy('repo', { kind: 'metric' })).toEqual([{ key: long.repo, count: 1 }]);
    });

    test('that are old stay where the store is closed before their turn', async ({ skip }) => {
      const place = await newPlace(skip);
      const store = openEvents(place);
      await store.add(Array.from({ length: 4_500 }, (_, index) => metric('old', index)));
      const pruning = store.prune('metric', LATE);
      await store.close();
      const removed = await pruning;
      expect(removed).toBeLessThan(4_500);
      const [left] = await openEvents(place).countBy('type', { kind: 'metric' });
      expect(left?.count).toBe(4_500 - removed);
    });

    test('are all there where many are added at once, by two processes', async ({ skip }) => {
      const place = await newPlace(skip);
      const writers = [openEvents(place), openEvents(place)];
      // In contrary order, so that each has what the other one waits for.
      const keyed = Array.from({ length: 700 }, (_, index) => metric('a', index, { key: `k${index}` }));
      const added = await Promise.all([writers[0]!.add(keyed), writers[1]!.add(keyed.toReversed())]);
      expect(added[0]! + added[1]!).toBe(700);
      expect(await writers[0]!.countBy('type', { kind: 'metric' })).toEqual([{ key: 'a', count: 700 }]);
    });

    test('are given in the order in which they were stored, whenever they happened', async ({ skip }) => {
      const store = openEvents(await newPlace(skip));
      await store.add([metric('late', 9), { kind: 'audit', type: 'call', at: 5, body: '{}' }, metric('early', 1)]);
      const [first, second, ...none] = await store.after('metric', 0, 10);
      expect([first?.type, second?.type, none]).toEqual(['late', 'early', []]);
      expect((await store.after('metric', first!.id, 10)).map(({ type }) => type)).toEqual(['early']);
      expect(await store.after('metric', 0, 1)).toHaveLength(1);
      expect(await store.after('audit', second!.id, 10)).toEqual([]);
    });

    test('are found as in a list of them', async ({ skip }) => {
      const text = fc.constantFrom('', 'a', 'B', 'ü', 'z');
      const event = fc.record(
        { type: text, at: fc.nat(9), agent: text, repo: text, session: text },
        { requiredKeys: ['type', 'at'] },
      );
      const query = fc.record({ since: fc.nat(10), until: fc.nat(10) }, { requiredKeys: [] });
      const place = await newPlace(skip);
      const store = openEvents(place);
      await fc.assert(
        fc.asyncProperty(fc.array(event, { maxLength: 40 }), query, fc.nat(20), async (events, partial, limit) => {
          await store.prune('metric', LATE);
          await store.add(events.map(({ type, at, ...more }) => metric(type, at, more)));
          const wanted: EventQuery = { kind: 'metric', ...partial };
          const found = events
            .filter(({ at }) => at >= (partial.since ?? 0) && at < (partial.until ?? LATE))
            .map((one, index) => ({ ...one, index }))
            .sort((a, b) => b.at - a.at || b.index - a.index);
          const types = await store.countBy('type', wanted);
          expect(types.reduce((sum, { count }) => sum + count, 0)).toBe(found.length);
          const newest = await store.newest(wanted, limit);
          expect(newest.map(({ type, at, agent }) => [type, at, agent])).toEqual(
            found.slice(0, limit).map(({ type, at, agent }) => [type, at, agent]),
          );
          const counts = await store.countBy('agent', wanted);
          const agents = found.flatMap(({ agent }) => (agent === undefined ? [] : [agent]));
          expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(agents.length);
          for (const { key, count } of counts) expect(agents.filter((agent) => agent === key).length).toBe(count);
        }),
        { numRuns: 40 },
      );
    });
  });
