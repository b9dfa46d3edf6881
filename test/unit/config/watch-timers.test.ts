import { type FSWatcher, watch } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../support/gateway.ts';
import { type Calls, closeAll, seen, startWatching } from './watch-calls.ts';

// The clock is turned by hand, files and events are real. One timer is the next poll, a second one a report to come.
const ONLY_POLL = 1;
const REPORT_TO_COME = 2;

let folder: string;
let file: string;
let witness: FSWatcher;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = temporaryFolder();
  file = join(folder, 'viaduct.yaml');
  await writeFile(file, 'one');
});

afterEach(async () => {
  await closeAll();
  witness.close();
  vi.useRealTimers();
});

async function timersToBe(count: number): Promise<void> {
  while (vi.getTimerCount() !== count) await new Promise(setImmediate);
}

/** Watching, with the first look done. */
async function started(path: string = file): Promise<Calls> {
  const calls = startWatching(path, { debounceMs: 200, pollMs: 2000 });
  await timersToBe(ONLY_POLL);
  // Comes after the one under test, so what it sees that one has seen.
  witness = watch(folder);
  return calls;
}

async function replaced(name: string): Promise<void> {
  await writeFile(join(tmpdir(), `${process.pid}.tmp`), 'text');
  const event = new Promise((resolve) => witness.once('change', resolve));
  await rename(join(tmpdir(), `${process.pid}.tmp`), join(folder, name)); // one event, where a write has several
  await event;
}

const turnClock = (ms: number): Promise<unknown> => Promise.resolve(vi.advanceTimersByTime(ms));

describe('a report', () => {
  test('waits until the file is quiet', async () => {
    const calls = await started();
    await replaced('viaduct.yaml');
    await turnClock(150);
    await replaced('viaduct.yaml');
    await turnClock(150);
    expect([calls.count(), vi.getTimerCount()]).toEqual([0, REPORT_TO_COME]);
    await seen(calls, () => turnClock(50));
    expect(vi.getTimerCount()).toBe(ONLY_POLL);
  });

  test('does not wait for other files to be quiet', async () => {
    const calls = await started();
    await replaced('viaduct.yaml');
    await turnClock(150);
    await replaced('noise.log');
    await seen(calls, () => turnClock(50));
  });

  test('that was to come does not come after close', async () => {
    const calls = await started();
    await replaced('viaduct.yaml');
    await timersToBe(REPORT_TO_COME);
    await calls.watch.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that is being made does not come after close', async () => {
    const calls = await started();
    const other = startWatching(file, { debounceMs: 200, pollMs: 2000 });
    await timersToBe(2 * ONLY_POLL);
    await replaced('viaduct.yaml');
    await timersToBe(2 * REPORT_TO_COME);
    const reported = other.next();
    await turnClock(200);
    await calls.watch.close();
    await reported;
    await replaced('viaduct.yaml');
    await timersToBe(REPORT_TO_COME); // the witness is older than the other watch
    await seen(other, () => turnClock(200));
    expect(calls.count()).toBe(0);
  });
});

test('a folder that took the place of another is watched in its stead', async () => {
  const [sub, next] = [join(folder, 'sub'), join(folder, 'next')];
  for (const one of [sub, next]) {
    await mkdir(one);
    await writeFile(join(one, 'viaduct.yaml'), 'text');
  }
  const calls = await started(join(sub, 'viaduct.yaml'));
  await rename(sub, join(folder, 'old'));
  await rename(next, sub);
  await timersToBe(REPORT_TO_COME);
  await seen(calls, () => turnClock(200));
  await turnClock(200); // the second look, after the new folder is watched
  expect(vi.getTimerCount()).toBe(ONLY_POLL);
  await writeFile(join(sub, 'viaduct.yaml'), 'other text');
  await timersToBe(REPORT_TO_COME);
});
