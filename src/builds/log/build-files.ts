import { rmSync } from 'node:fs';
import path from 'node:path';

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns the folder of the logs of builds. */
export function buildFolder(home: string): string {
  return path.join(home, 'builds');
}

/**
 * Returns the path of a build's log; of its id only the form is known, as others may write to a shared database.
 * @throws Error if it is no id of ours
 */
export function buildFile(home: string, id: string): string {
  if (!ID.test(id)) throw new Error(`the id of a build must be a UUID: ${JSON.stringify(id)}`);
  return path.join(buildFolder(home), `${id}.log`);
}

/** Removes the logs of builds that are forgotten. @throws the system's error */
export function removeBuildFiles(home: string, ids: readonly string[]): void {
  for (const id of ids) if (ID.test(id)) rmSync(buildFile(home, id), { force: true });
}
