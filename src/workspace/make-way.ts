import { mkdir, rmdir } from 'node:fs/promises';
import { ChangedMeanwhile } from './changes.ts';
import { failed } from './failures.ts';
import { errorCode, type Ground, type HeldFolder } from './ground/ground.ts';
import type { Place } from './place.ts';

/**
 * Has something done in the folder that a place is in, which is made first where it is lacking, and goes again when the
 * work fails.
 */
export async function inItsFolder<T>(
  place: Place,
  ground: Ground,
  work: (folder: HeldFolder, name: string) => Promise<T>,
): Promise<T> {
  const { parent, name, lacking } = place;
  if (parent === undefined || name === undefined) throw failed(place.shown, 'the workspace itself cannot be changed');
  const made: { readonly in: HeldFolder; readonly name: string; readonly folder: HeldFolder }[] = [];
  try {
    for (const next of lacking) {
      const above = made.at(-1)?.folder ?? parent;
      await makeFolder(above, next);
      made.push({ in: above, name: next, folder: await enter(place, ground, above, next) });
    }
    return await work(made.at(-1)?.folder ?? parent, name);
  } catch (error) {
    // One that others have put something into stays.
    for (const step of made.toReversed()) await rmdir(step.in.at(step.name)).catch(() => undefined);
    throw error;
  } finally {
    await Promise.all(made.map(({ folder }) => folder.close()));
  }
}

/** A folder that another process has created meanwhile is its own, and may be a file: it is checked again. */
export async function makeFolder(parent: HeldFolder, name: string): Promise<void> {
  parent.verify();
  try {
    await mkdir(parent.at(name));
  } catch (error) {
    throw errorCode(error) === 'EEXIST' ? new ChangedMeanwhile() : error;
  }
  await parent.sync();
}

async function enter(place: Place, ground: Ground, parent: HeldFolder, name: string): Promise<HeldFolder> {
  const found = await ground.enter(parent, name);
  if (found.kind !== 'folder') throw failed(place.shown, `${name} was replaced meanwhile: try again`);
  return found.folder;
}
