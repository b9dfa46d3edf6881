import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AuditReader } from '../../../../src/commands/audit/audit-reader.ts';
import type { AuditFilter } from '../../../../src/commands/audit/filtered-calls.ts';
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
async function take(following: AsyncGenerator<readonly string[]>, count: number): Promise<string[]> {
  const tools: string[] = [];
  while (tools.length < count)
    tools.push(...(await following.next()).value!.map((line: string) => JSON.parse(line).tool as string));
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

test('finds the calls of any filter, in order and as the file has them', async () => {
  const env = freshHome();
  const home = env.VIADUCT_HOME!;
  const settings = await loadSettings(writeConfig({}), env);
  const file = path.join(home, 'audit', 'audit.jsonl');
  const at = Date.now() - 60_000;
  const lines = Array.from({ length: 24 }, (_none, number) =>
    JSON.stringify({
      at: new Date(at + number).toISOString(),
      session: `${number % 3}-session`,
      client: number % 4 === 0 ? undefined : `agent "${number % 4}"\t`,
      method: 'tools/call',
      tool: number % 2 === 0 ? `even_${number}` : `odd_${number}`,
      level: number % 6 === 0 ? 'security' : 'info',
      outcome: number % 5 === 0 ? 'error' : 'ok',
      durationMs: number,
    }),
  );
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
  const found = async (filter: AuditFilter, since = 0): Promise<number[]> => {
    const reader = new AuditReader(settings, filter, fail);
    onTestFinished(() => reader.close());
    const shown = await reader.since(since);
    expect(lines.filter((line) => shown.includes(line))).toEqual(shown);
    return shown.map((line) => JSON.parse(line).durationMs);
  };
  const numbers = (test: (number: number) => boolean) => [...lines.keys()].filter(test);
  expect(await found({})).toEqual(numbers(() => true));
  expect(await found({}, at + 20)).toEqual([20, 21, 22, 23]);
  expect(await found({ tool: 'odd_*' })).toEqual(numbers((number) => number % 2 === 1));
  expect(await found({ tool: '!odd_*', failed: true })).toEqual([0, 10, 20]);
  expect(await found({ client: 'agent "[12]"*' })).toEqual(numbers((number) => [1, 2].includes(number % 4)));
  expect(await found({ session: '1-', level: 'info' })).toEqual(numbers((number) => number % 3 === 1));
  expect(await found({ level: 'security' })).toEqual([0, 6, 12, 18]);
  expect(await found({ tool: 'none' })).toEqual([]);
  expect(await found({ session: "' or 1=1" })).toEqual([]);
});
