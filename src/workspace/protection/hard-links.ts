import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import { type Identity, isSame } from '../ground/ground.ts';

/** The gateway's own folder has a few hundred files. */
const MOST_ENTRIES = 50_000;

/** Returns true if a file has another name somewhere in a folder, or if there is more in the folder than can be looked through. */
export async function hasNameIn(folder: string, file: Identity): Promise<boolean> {
  const ahead = [folder];
  let count = 0;
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    for await (const entry of await opendir(next).catch(() => [])) {
      if (++count > MOST_ENTRIES) return true;
      const at = path.join(next, entry.name);
      if (entry.isDirectory()) ahead.push(at);
      else if (entry.isFile()) {
        const facts = await lstat(at, { bigint: true }).catch(() => undefined);
        if (facts !== undefined && isSame(facts, file)) return true;
      }
    }
  }
  return false;
}
