import { rmSync } from 'node:fs';

const TRIES = 200;
const PAUSE_MS = 50;

/**
 * Removes a folder with all it holds, even while a process that is ending writes its last files there. `maxRetries` of
 * Node does not do that: it tries to remove the folder again, but not the files that have come meanwhile.
 */
export function removeFolder(folder: string): void {
  for (let left = TRIES; ; left--) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
