import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BundleAppender, CheckpointStore, JsonObject } from '../../../../src/core/stores/checkpoint-store.ts';
import type { Database } from '../../../../src/store/database/database.ts';
import { additionTo, newDecision, newTodo } from '../../../../src/workflows/checkpoint/bundle/addition.ts';
import { appendItem, saveInto } from '../../../../src/workflows/checkpoint/bundle/change.ts';
import { stores } from '../../../support/stores/checkpoint-stores.ts';
import { BEFORE_ADDITIONS, executeIn, type Kind } from '../../../support/stores/databases.ts';

const AT = '2026-04-17T10:23:45.000Z';
const FACTS = { sourceIde: 'cursor', kind: 'save', at: AT };
const STAMP = { projectId: 'p', sourceIde: 'cursor', at: AT };

interface Counted extends BundleAppender<{ readonly id: string }> {
  /** How often the whole bundle was read. */
  readonly changes: number;
}

/** Appends as the workflow does; `isWhole` reads the whole bundle in any case. */
function appender(text: string, { isWhole = false, isTodo = false } = {}): Counted {
  const item = isTodo ? newTodo({ text }) : newDecision({ text, rationale: 'ü😀\0' });
  const counted = {
    changes: 0,
    addition: (note: JsonObject) => (isWhole ? undefined : additionTo(note, item, STAMP)),
    change: (bundle: JsonObject | undefined) => {
      counted.changes++;
      return appendItem(bundle, item, STAMP);
    },
  };
  return counted;
}

const append = async (store: CheckpointStore, text: string, how?: { isWhole?: boolean; isTodo?: boolean }) =>
  (await store.append('p', { ...FACTS, kind: 'append' }, appender(text, how))).id;

const save = (store: CheckpointStore, patch: JsonObject) =>
  store.update('p', FACTS, (bundle) => saveInto(bundle, patch, STAMP));

const textsIn = async (store: CheckpointStore, list: string) =>
  ((await store.load('p'))!.bundle[list] as { text: string }[]).map(({ text }) => text);

const additionsIn = (database: Database) =>
  database.run(({ queries }) => queries.selectFrom('checkpoint_additions').selectAll().execute());

export function additionsSuite(kind: Kind): void {
  describe(`additions to a bundle in ${kind}`, () => {
    const { newPlace, open } = stores(kind);

    test('make the revisions that changes of the whole bundle make', async ({ skip }) => {
      const added = open(await newPlace(skip), 1_000).store;
      const changed = open(await newPlace(skip), 1_000).store;
      const both = async (work: (store: CheckpointStore, isWhole: boolean) => Promise<unknown>) => {
        await work(added, false);
        await work(changed, true);
      };
      await both((store) => save(store, { plan: { summary: 'x'.repeat(2_000) }, todos: [] }));
      for (let index = 0; index < 20; index++) await both((store, isWhole) => append(store, `d${index}`, { isWhole }));
      await both((store, isWhole) => append(store, 'first', { isWhole, isTodo: true }));
      await both((store) => save(store, { decisions: [{ id: 'd20', _delete: true }], todos: null, note: 'new' }));
      for (let index = 0; index < 3; index++) await both((store, isWhole) => append(store, `e${index}`, { isWhole }));
      await both((store, isWhole) => append(store, 'second', { isWhole, isTodo: true }));
      const strip = (history: Awaited<ReturnType<CheckpointStore['history']>>) => history.map((row) => ({ ...row }));
      expect(strip(await added.history('p', 100))).toEqual(strip(await changed.history('p', 100)));
      expect(await added.load('p')).toEqual(await changed.load('p'));
      for (let revision = 1; revision <= 26; revision++)
        expect(await added.load('p', revision), `revision ${revision}`).toEqual(await changed.load('p', revision));
    });

    test('do not read the bundle, and are lost by nobody when many come from two stores', async ({ skip }) => {
      const place = await newPlace(skip);
      const both = [open(place).store, open(place).store];
      await save(both[0]!, {});
      const appenders = both.flatMap((store) => Array.from({ length: 25 }, () => ({ store, made: appender('x') })));
      const ids = await Promise.all(
        appenders.map(async ({ store, made }) => (await store.append('p', FACTS, made)).id),
      );
      expect(new Set(ids).size).toBe(50);
      expect(appenders.reduce((sum, { made }) => sum + made.changes, 0)).toBe(0);
      const { bundle, revision } = (await both[1]!.load('p'))!;
      expect([revision, bundle.bundle_id]).toEqual([51, 'bnd_51']);
      expect((bundle.decisions as { id: string }[]).map(({ id }) => id)).toEqual(
        Array.from({ length: 50 }, (_, index) => `d${index + 1}`),
      );
    });

    test('are put into the stored text when there are many, and every revision stays', async ({ skip }) => {
      const place = await newPlace(skip);
      const { store, database } = open(place, 1_000);
      await save(store, {});
      await Promise.all(Array.from({ length: 300 }, (_, index) => append(store, String(index))));
      await store.close();
      expect((await additionsIn(database)).length).toBeLessThan(256);
      const later = open(place).store;
      expect(await textsIn(later, 'decisions')).toHaveLength(300);
      for (const revision of [2, 100, 250, 254, 255, 256, 257, 258, 300])
        expect((await later.load('p', revision))?.bundle.decisions, `revision ${revision}`).toHaveLength(revision - 1);
      await append(later, 'last');
      expect((await textsIn(later, 'decisions')).at(-1)).toBe('last');
      if (kind === 'SQLite') expect(statSync(path.join(place.home, 'viaduct.db')).size).toBeLessThan(1_000_000);
    });

    test('keep no more revisions than they are told to', async ({ skip }) => {
      const { store } = open(await newPlace(skip), 3);
      await save(store, {});
      for (let index = 0; index < 6; index++) await append(store, String(index));
      expect((await store.history('p', 100)).map(({ revision }) => revision)).toEqual([7, 6, 5]);
      expect(await store.load('p', 4)).toBeUndefined();
      expect((await store.load('p', 5))?.bundle.decisions).toHaveLength(4);
      expect(await store.prune(1)).toBe(2);
      expect(await textsIn(store, 'decisions')).toHaveLength(6);
    });

    test('go with their project', async ({ skip }) => {
      const { store, database } = open(await newPlace(skip));
      await save(store, {});
      await append(store, 'gone');
      expect(await store.remove('p')).toBe(true);
      expect(await additionsIn(database)).toEqual([]);
      await append(store, 'again');
      expect(await store.load('p')).toMatchObject({
        revision: 1,
        bundle: { decisions: [{ id: 'd1', text: 'again' }] },
      });
    });

    test('make a change of the whole bundle wait only so often', async ({ skip }) => {
      const place = await newPlace(skip);
      const [one, other] = [open(place).store, open(place).store];
      await save(one, {});
      let attempts = 0;
      let late: Promise<unknown> | undefined;
      await one.update('p', FACTS, async (bundle) => {
        if (++attempts <= 3) await append(other, `before ${attempts}`);
        else late ??= append(other, 'after');
        return saveInto(bundle, { decisions: [{ id: 'mine', text: 'mine' }] }, STAMP);
      });
      await late;
      expect(attempts).toBe(4);
      expect(await textsIn(one, 'decisions')).toEqual(['before 1', 'before 2', 'before 3', 'mine', 'after']);
    });

    test('of which one is missing are reported as damage', async ({ skip }) => {
      const place = await newPlace(skip);
      const { store } = open(place);
      await save(store, {});
      for (const text of ['a', 'b']) await append(store, text);
      await executeIn(place, ['delete from checkpoint_additions where revision = 2']);
      await expect(store.load('p')).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: 'Revision 3 of p is damaged in the database: load another revision',
      });
    });

    test('go to bundles that were stored before there were any', async ({ skip }) => {
      const place = await newPlace(skip);
      const first = open(place);
      for (const text of ['a', 'b']) await save(first.store, { decisions: [{ id: text, text }] });
      await first.store.close();
      await first.database.close();
      await executeIn(place, [...BEFORE_ADDITIONS, 'update viaduct_schema set version = 8']);
      const { store } = open(place);
      expect(await textsIn(store, 'decisions')).toEqual(['a', 'b']);
      const [once, again] = [appender('c'), appender('d')];
      await store.append('p', FACTS, once);
      await store.append('p', FACTS, again);
      expect([once.changes, again.changes]).toEqual([1, 0]);
      expect(await textsIn(store, 'decisions')).toEqual(['a', 'b', 'c', 'd']);
      for (const revision of [1, 2, 3, 4])
        expect((await store.load('p', revision))?.bundle.decisions).toHaveLength(revision);
    });
  });
}
