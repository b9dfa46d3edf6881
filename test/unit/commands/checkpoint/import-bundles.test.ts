import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importBundles } from '../../../../src/commands/checkpoint/import-bundles.ts';
import { openCheckpointStore } from '../../../../src/store/checkpoints/open-checkpoint-store.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { checkpointOptions } from '../../../../src/workflows/checkpoint/options.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { atEnd } from '../../../support/shared.ts';

const TIMES = ['2026-04-17T10:00:00.000Z', '2026-04-17T10:05:00.000Z', '2026-04-18T09:00:00.000Z'] as const;

function bundleAt(updated_at: string, text: string) {
  return {
    pcb_version: '0.1',
    bundle_id: '3f',
    updated_at,
    last_source_ide: text === 'third' ? 'kiro' : 'cursor',
    project: { id: 'acme' },
    conversation: { summary: text },
  };
}

const STATES = [bundleAt(TIMES[0], 'first'), bundleAt(TIMES[1], 'second'), bundleAt(TIMES[2], 'third')] as const;

/** A project of ide-bridge with these earlier states, and a store. */
function setUp({ history = STATES as readonly unknown[], keep = 200 } = {}) {
  const folder = path.join(temporaryFolder(), 'acme');
  mkdirSync(path.join(folder, 'history'), { recursive: true });
  writeFileSync(path.join(folder, 'bundle.json'), JSON.stringify(STATES[2], null, 2));
  for (const [index, state] of history.entries()) {
    const text = typeof state === 'string' ? state : JSON.stringify(state);
    writeFileSync(path.join(folder, 'history', `2026-04-17T10-0${index}-00-000Z_3f.json`), text);
  }
  const database = openDatabase({ home: temporaryFolder(), url: undefined });
  const store = openCheckpointStore({ database, keep });
  atEnd(async () => {
    await store.close();
    await database.close();
  });
  const options = { ...checkpointOptions.parse(undefined), history: { keep } };
  return { folder, open: { store, options, close: () => Promise.resolve() } };
}

describe('a project of ide-bridge', () => {
  test('is read with a byte order mark in its files', async () => {
    const { folder, open } = setUp({ history: STATES.map((state) => `\uFEFF${JSON.stringify(state)}`) });
    writeFileSync(path.join(folder, 'bundle.json'), `\uFEFF${JSON.stringify(STATES[2])}`);
    expect(await importBundles(open, folder, { replace: false })).toMatchObject([
      { project: 'acme', outcome: 'imported', remarks: ['with 2 earlier revisions'] },
    ]);
  });

  test('keeps its times and its history', async () => {
    const { folder, open } = setUp();
    expect(await importBundles(open, folder, { replace: false })).toMatchObject([
      { project: 'acme', outcome: 'imported', remarks: ['with 2 earlier revisions'] },
    ]);
    expect(await open.store.history('acme', 10)).toEqual([
      { revision: 3, updatedAt: TIMES[2], sourceIde: 'kiro', kind: 'import' },
      { revision: 2, updatedAt: TIMES[1], sourceIde: 'cursor', kind: 'import' },
      { revision: 1, updatedAt: TIMES[0], sourceIde: 'cursor', kind: 'import' },
    ]);
    const summaries = await Promise.all(
      [1, 2, 3].map(async (revision) => (await open.store.load('acme', revision))!.bundle),
    );
    expect(summaries).toMatchObject(
      STATES.map((state, index) => ({
        bundle_id: `bnd_${index + 1}`,
        updated_at: state.updated_at,
        last_source_ide: state.last_source_ide,
        conversation: state.conversation,
      })),
    );
    expect(await open.store.projects()).toMatchObject([{ projectId: 'acme', updatedAt: TIMES[2] }]);
  });

  test('without a history is one revision', async () => {
    const { folder, open } = setUp({ history: [] });
    expect(await importBundles(open, folder, { replace: false })).toMatchObject([{ outcome: 'imported', remarks: [] }]);
    expect(await open.store.history('acme', 10)).toMatchObject([{ revision: 1, updatedAt: TIMES[2] }]);
  });

  test('brings no more earlier states than the store keeps, the newest ones', async () => {
    const { folder, open } = setUp({ keep: 2 });
    await importBundles(open, folder, { replace: false });
    const history = await open.store.history('acme', 10);
    expect(history.map(({ updatedAt }) => updatedAt)).toEqual([TIMES[2], TIMES[1]]);
  });

  test('with states that cannot be read brings the others, and says so', async () => {
    const { folder, open } = setUp({ history: ['{"half', STATES[0], '[]'] });
    expect(await importBundles(open, folder, { replace: false })).toMatchObject([
      { outcome: 'imported', remarks: ['with 1 earlier revisions', '2 of 3 earlier revisions cannot be read'] },
    ]);
    expect(await open.store.history('acme', 10)).toHaveLength(2);
  });

  test('takes the time from the name of a file that has none, also where the time in it is still to come', async () => {
    const { updated_at: _time, ...timeless } = STATES[0];
    const { folder, open } = setUp({ history: [timeless, bundleAt('2999-01-01T00:00:00.000Z', 'late')] });
    await importBundles(open, folder, { replace: false });
    const [, late, first] = await open.store.history('acme', 10);
    expect(first?.updatedAt).toBe('2026-04-17T10:00:00.000Z');
    expect(late?.updatedAt).toBe('2026-04-17T10:01:00.000Z');
  });

  test('is left alone where there are checkpoints, and takes their place when it is told to', async () => {
    const { folder, open } = setUp();
    await importBundles(open, folder, { replace: false });
    expect(await importBundles(open, folder, { replace: false })).toMatchObject([{ outcome: 'left alone' }]);
    expect(await open.store.history('acme', 10)).toHaveLength(3);
    expect(await importBundles(open, folder, { replace: true })).toMatchObject([{ outcome: 'imported', remarks: [] }]);
    expect(await open.store.history('acme', 10)).toHaveLength(4);
  });
});
