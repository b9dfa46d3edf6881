import { rename, writeFile } from 'node:fs/promises';
import { type ConfigWatch, type WatchTimes, watchConfig } from '../../../src/config/watch.ts';

const watches: ConfigWatch[] = [];

export interface Calls {
  readonly watch: ConfigWatch;
  count(): number;
  /** Resolves when `onText` is called next. */
  next(): Promise<void>;
}

export function startWatching(path: string, times: WatchTimes): Calls {
  let count = 0;
  let waiting: (() => void)[] = [];
  const watch = watchConfig(
    path,
    () => {
      count += 1;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    times,
  );
  watches.push(watch);
  return { watch, count: () => count, next: () => new Promise((resolve) => waiting.push(resolve)) };
}

/** Does something and waits until it was seen. */
export async function seen(calls: Calls, change: () => Promise<unknown>): Promise<void> {
  const called = calls.next();
  await change();
  await called;
}

export async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp`, text);
  await rename(`${path}.tmp`, path);
}

export async function closeAll(): Promise<void> {
  await Promise.all(watches.splice(0).map((watch) => watch.close()));
}
