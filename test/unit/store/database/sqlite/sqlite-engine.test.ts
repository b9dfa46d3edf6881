import { renameSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Engine } from '../../../../../src/store/database/engine.ts';
import { openSqlite } from '../../../../../src/store/database/sqlite/sqlite-engine.ts';
import { temporaryFolder } from '../../../../support/gateway.ts';

/** Two engines on one file, as two processes have it, by a clock that the test sets. */
async function open() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const file = path.join(temporaryFolder(), 'viaduct.db');
  const engines = [await openSqlite(file), await openSqlite(file)] as const;
  onTestFinished(async () => {
    vi.useRealTimers();
    for (const engine of engines) await engine.close();
  });
  return { file, own: engines[0], other: engines[1] };
}

let written = 0;
const write = ({ queries }: Engine) => {
  const folder = { folder_key: String(++written), project_id: 'p', updated_at: '' };
  return queries.insertInto('checkpoint_identities').values(folder).execute();
};

test('a watcher is woken once by a change of another process, and not by one of its own', async () => {
  const { own, other } = await open();
  let wakes = 0;
  onTestFinished(own.watch(() => wakes++));
  vi.advanceTimersByTime(3_000);
  await write(own);
  vi.advanceTimersByTime(3_000);
  expect(wakes).toBe(0);
  await write(other);
  vi.advanceTimersByTime(3_000);
  expect(wakes).toBe(1);
  await write(other);
  vi.advanceTimersByTime(300);
  expect(wakes).toBe(2);
});

test('a watcher that was stopped is woken no more, and one of a closed file neither', async () => {
  const { own, other } = await open();
  let wakes = 0;
  own.watch(() => wakes++)();
  expect(vi.getTimerCount()).toBe(0);
  const stop = own.watch(() => wakes++);
  await write(other);
  await own.close();
  vi.advanceTimersByTime(3_000);
  stop();
  expect([wakes, vi.getTimerCount()]).toEqual([0, 0]);
});

test('an engine is stale once its file is another one, and not by its age', async () => {
  const { file, own } = await open();
  vi.advanceTimersByTime(3_600_000);
  expect(own.isStale()).toBe(false);
  renameSync(file, `${file}.aside`);
  expect(own.isStale()).toBe(true);
});
