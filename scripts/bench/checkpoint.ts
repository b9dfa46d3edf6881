import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CheckpointStore, JsonObject } from '../../src/core/stores/checkpoint-store.ts';
import { openCheckpointStore } from '../../src/store/checkpoints/open-checkpoint-store.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { startPostgres } from '../../test/support/stores/postgres.ts';
import { percentile } from './measure.ts';

const APPENDS = 1_000;
const LARGE = 300;
const LARGE_BYTES = 100 * 1024;
const FACTS = { sourceIde: 'bench', kind: 'append' };

/** The times of a store of one kind, one call after the other, in milliseconds. */
export interface CheckpointFigures {
  readonly name: string;
  /** To a list that grows from nothing. */
  readonly append: readonly number[];
  /** The time to add one more item to a list of a bundle of 100 KB. */
  readonly largeAppend: readonly number[];
  readonly save: readonly number[];
  readonly load: readonly number[];
}

/** Measures each kind of database on this machine; PostgreSQL with its default durability, every write on disk. */
export async function checkpointFigures(): Promise<CheckpointFigures[]> {
  const figures = [await figuresOf('SQLite', undefined)];
  const server = await startPostgres({ durable: true });
  if (server === undefined) return figures;
  try {
    figures.push(await figuresOf('PostgreSQL', await server.newDatabase()));
  } finally {
    await server.stop();
  }
  return figures;
}

/** `name: p50 p99` and so on, for people. */
export function figureRow({ name, append, largeAppend, save, load }: CheckpointFigures): string[] {
  const pair = (times: readonly number[]) => {
    const sorted = [...times].sort((a, b) => a - b);
    return `${percentile(sorted, 0.5).toFixed(2)} / ${percentile(sorted, 0.99).toFixed(2)}`;
  };
  const perSecond = (1_000 * append.length) / append.reduce((sum, time) => sum + time, 0);
  return [name, perSecond.toFixed(0), pair(append), pair(largeAppend), pair(save), pair(load)];
}

async function figuresOf(name: string, url: string | undefined): Promise<CheckpointFigures> {
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-bench-'));
  const database = openDatabase({ home, url });
  const store = openCheckpointStore({ database });
  try {
    await appends(store, 'warm', 100);
    const append = await appends(store, 'small', APPENDS);
    const save = await times(LARGE, (round) => put(store, largeBundle(round)));
    const load = await times(LARGE, () => store.load('large'));
    const largeAppend = await appends(store, 'large', LARGE);
    return { name, append, largeAppend, save, load };
  } finally {
    await store.close();
    await database.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const appends = (store: CheckpointStore, project: string, count: number) =>
  times(count, (round) =>
    store.update(project, FACTS, (bundle) => {
      const decisions = (bundle?.decisions ?? []) as readonly object[];
      const decision = { id: `d${decisions.length + 1}`, text: `a decision as people make it, number ${round}` };
      return { bundle: { ...bundle, decisions: [...decisions, decision] }, outcome: decision.id };
    }),
  );

const put = (store: CheckpointStore, bundle: JsonObject) =>
  store.update('large', FACTS, () => ({ bundle, outcome: undefined }));

/** Makes texts like real ones: half as large when compressed, not a hundredth. */
function largeBundle(round: number): JsonObject {
  const messages: object[] = [];
  for (let bytes = 0, seed = round + 1; bytes < LARGE_BYTES; ) {
    seed = (seed * 48_271) % 2_147_483_647;
    const message = {
      id: `m${messages.length}`,
      text: `line ${seed.toString(36)} of what was said about ${seed % 977}`,
    };
    messages.push(message);
    bytes += JSON.stringify(message).length + 1;
  }
  return { summary: `round ${round}`, conversation: { messages }, decisions: [], todos: [] };
}

async function times(count: number, work: (round: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < count; round++) {
    const from = performance.now();
    await work(round);
    taken.push(performance.now() - from);
  }
  return taken;
}
