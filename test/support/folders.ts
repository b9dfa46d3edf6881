import { rmSync } from 'node:fs';

/** Removes a folder with all it holds, even while a process that is ending writes its last files there. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
