import { setPriority } from 'node:os';

/** Gives background work the lowest priority on this machine, except for idle work. */
const NICENESS = 10;

/** Lets others go first: on Linux this thread alone. Elsewhere a priority is of the whole process, and stays as it is. */
export function beNice(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, NICENESS);
  } catch {
    // It is as nice as it may be.
  }
}
