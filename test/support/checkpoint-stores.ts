import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { CheckpointStore } from '../../src/core/checkpoint-store.ts';
import { openCheckpointStore } from '../../src/store/checkpoints/open-checkpoint-store.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { temporaryFolder } from './gateway.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

export interface Place {
  readonly home: string;
  readonly url?: string | undefined;
}

export interface Opened {
  readonly store: CheckpointStore;
  readonly database: Database;
}

export const KINDS = ['SQLite', 'PostgreSQL'] as const;
export type Kind = (typeof KINDS)[number];

/** Places of a kind, and stores in them that are closed after the test. `undefined` where there is no such database. */
export function stores(kind: Kind) {
  let server: TestPostgres | undefined;
  const opened: Opened[] = [];

  beforeAll(async () => {
    if (kind === 'PostgreSQL') server = await startPostgres();
  });
  afterEach(async () => {
    for (const { store, database } of opened.splice(0)) {
      await store.close();
      await database.close();
    }
  });
  afterAll(() => server?.stop());

  return {
    newPlace: async (skip: () => never): Promise<Place> => {
      if (kind === 'SQLite') return { home: temporaryFolder() };
      if (server === undefined) return skip();
      return { home: temporaryFolder(), url: await server.newDatabase() };
    },
    open: (place: Place, keep?: number): Opened => {
      const database = openDatabase(place);
      const store = openCheckpointStore({ database, ...(keep !== undefined && { keep }) });
      opened.push({ store, database });
      return { store, database };
    },
  };
}

export interface WriterPlan {
  readonly project: string;
  readonly name: string;
  /** 0 has no end. */
  readonly count: number;
  readonly atOnce?: number;
}

const wordsFor = ({ home, url = '' }: Place, { project, name, count, atOnce = 1 }: WriterPlan): string[] => [
  'dist-fixtures/checkpoint-writer.js',
  home,
  url,
  project,
  name,
  String(count),
  String(atOnce),
];

/** What another process has written, as far as the store has acknowledged it. */
export async function writeElsewhere(place: Place, plan: WriterPlan): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, wordsFor(place, plan));
  return stdout.trim().split('\n');
}

/** Another process that writes until it is killed, which happens `afterMs` after its first word. */
export async function writeUntilKilled(place: Place, plan: WriterPlan, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, wordsFor(place, plan), { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    if (text === '') setTimeout(() => child.kill('SIGKILL'), afterMs);
    text += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  // What stands behind the last line feed was cut off.
  return text.split('\n').slice(0, -1);
}
