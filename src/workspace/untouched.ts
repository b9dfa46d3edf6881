import { type BigIntStats, lstatSync } from 'node:fs';
import { ChangedMeanwhile } from './changes.ts';
import type { HeldFolder } from './ground/ground.ts';
import { isUntouched } from './snapshot.ts';

/**
 * The last look before something is done to a name, which must follow at once, and is synchronous as well: another gateway
 * may be at the same file, and what it writes in between would be lost.
 * @throws ChangedMeanwhile; GatewayError where the folder is another one by now
 */
export function checkUntouched(folder: HeldFolder, name: string, before: BigIntStats | undefined): void {
  folder.verify();
  const now = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  if (!isUntouched(before, now)) throw new ChangedMeanwhile();
}
