import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stores } from '../../../support/stores/checkpoint-stores.ts';
import { writeElsewhere, writeUntilKilled } from '../../../support/stores/checkpoint-writers.ts';
import { KINDS } from '../../../support/stores/databases.ts';

const ROUNDS = 6;

describe.each(KINDS)('several processes with one %s', (kind) => {
  const { newPlace, open } = stores(kind);

  test('lose none of 20 appends of each, which all come at one time', async ({ skip }) => {
    const place = await newPlace(skip);
    const plans = ['a', 'b', 'c'].map((name) => ({ project: 'p', name, count: 20, atOnce: 20 }));
    const acknowledged = (await Promise.all(plans.map((plan) => writeElsewhere(place, plan)))).flat();
    const stored = await open(place).store.load('p');
    expect(new Set(acknowledged).size).toBe(60);
    expect([...(stored!.bundle.items as string[])].sort()).toEqual(acknowledged.sort());
  });

  test('are told of what another one writes', async ({ skip }) => {
    const place = await newPlace(skip);
    const { store } = open(place);
    const told: string[] = [];
    store.onChange((project) => told.push(project));
    await expect
      .poll(async () => {
        await writeElsewhere(place, { project: 'p', name: 'a', count: 1 });
        return told.length;
      })
      .toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set(['p']));
  });

  test(`miss nothing that was acknowledged before ${ROUNDS} kills`, async ({ skip }) => {
    const place = await newPlace(skip);
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const plan = { project: 'p', name: `r${round}`, count: 0, atOnce: 3 };
      acknowledged.push(...(await writeUntilKilled(place, plan, round * 7)));
      const { bundle } = (await open(place).store.load('p'))!;
      const items = new Set(bundle.items as string[]);
      expect(acknowledged.filter((item) => !items.has(item))).toEqual([]);
    }
  });
});

describe('a SQLite file', () => {
  const { newPlace, open } = stores('SQLite');

  test('can be read by this user only', async ({ skip }) => {
    const home = path.join((await newPlace(skip)).home, 'home');
    const { store } = open({ home });
    await store.update('p', { sourceIde: 'x', kind: 'save' }, () => ({ bundle: { a: 1 }, outcome: 1 }));
    const modes = ['', 'viaduct.db', 'viaduct.db-wal', 'viaduct.db-shm'].map((name) => statSync(path.join(home, name)));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600', '600', '600']);
  });

  test('has less than 2 MB after 1,000 small appends, all of them kept', async ({ skip }) => {
    const place = await newPlace(skip);
    const { store } = open(place, Number.POSITIVE_INFINITY);
    for (let index = 1; index <= 1_000; index++) {
      await store.update('p', { sourceIde: 'cursor', kind: 'append' }, (bundle) => {
        const decisions = (bundle?.decisions ?? []) as object[];
        const decision = { id: `d${index}`, text: `Use ${index * 7919} for what is ${index % 13}`, at: `${index}` };
        return { bundle: { updated_at: `${index}`, decisions: [...decisions, decision], todos: [] }, outcome: 1 };
      });
    }
    const sizes = ['viaduct.db', 'viaduct.db-wal'].map((name) => statSync(path.join(place.home, name)).size);
    expect(sizes[0]! + sizes[1]!).toBeLessThan(2_000_000);
    expect((await store.load('p', 500))?.bundle.decisions).toHaveLength(500);
  });
});
