import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AuditReader } from '../../../../src/commands/audit/audit-reader.ts';
import type { PlacedEvent } from '../../../../src/core/stores/event-store.ts';
import { loadSettings } from '../../../../src/gateway/settings/load-settings.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { openEventStore } from '../../../../src/store/events/open-event-store.ts';
import { freshHome, writeConfig } from '../../../support/gateway.ts';

function fail(error: unknown): never {
  throw error;
}

/** Stores calls as a gateway of its own would. */
async function store(home: string, ...tools: readonly string[]): Promise<void> {
  const database = openDatabase({ home });
  const events = tools.map((type) => ({ kind: 'audit' as const, at: Date.now(), type, session: 's', body: '{}' }));
  await openEventStore({ database, home }).add(events);
  await database.close();
}

/** The names of tools that come next. */
async function take(following: AsyncGenerator<readonly PlacedEvent[]>, count: number): Promise<string[]> {
  const tools: string[] = [];
  while (tools.length < count) tools.push(...(await following.next()).value!.map(({ type }: PlacedEvent) => type));
  return tools;
}

test.each([
  ['few', 3],
  ['many', 1_500],
])('goes on in the new database when the file is replaced, after %s calls', async (_name, count) => {
  const env = freshHome();
  const home = env.VIADUCT_HOME!;
  const reader = new AuditReader(await loadSettings(writeConfig({}), env), {}, fail);
  onTestFinished(() => reader.close());
  const tools = Array.from({ length: count }, (_, number) => `old-${number}`);
  await store(home, ...tools);
  const following = reader.follow(0);
  onTestFinished(() => void following.return(undefined));
  expect((await take(following, count)).sort()).toEqual(tools.sort());
  await store(home, 'last');
  expect(await take(following, 1)).toEqual(['last']);
  for (const name of readdirSync(home)) if (name.startsWith('viaduct.db')) rmSync(path.join(home, name));
  await store(home, 'one', 'two', 'three', 'four');
  expect(await take(following, 4)).toEqual(['one', 'two', 'three', 'four']);
  await store(home, 'five');
  expect(await take(following, 1)).toEqual(['five']);
});
