import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { failed } from './failures.ts';
import { errorCode, isSame } from './ground/ground.ts';
import type { Place } from './place.ts';

const { O_RDONLY } = constants;
/** Files that the system makes up as they are read cannot be asked for more. */
const MOST_AT_ONCE = 1024 ** 2;
/** Windows knows neither of them. */
const NO_LINK = (constants.O_NOFOLLOW as number | undefined) ?? 0;
/** A pipe without a writer is not waited for. */
const NO_WAIT = (constants.O_NONBLOCK as number | undefined) ?? 0;

/** Returns the kind of entry at a place, links not followed. */
export async function factsAt(place: Place): Promise<BigIntStats | undefined> {
  if (place.lacking.length > 0) return undefined;
  const { parent, name } = place;
  try {
    return await lstat(parent === undefined || name === undefined ? place.folder!.at('.') : parent.at(name), {
      bigint: true,
    });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Opens a file, never anything else, and has it read. Data that was read through a changed path is discarded. */
export async function withFile<T>(
  place: Place,
  work: (handle: FileHandle, facts: BigIntStats) => Promise<T>,
): Promise<T> {
  if (place.isTop || place.folder !== undefined) throw failed(place.shown, 'it is a folder');
  const before = await factsAt(place);
  checkIsFile(place, before);
  const { parent, name } = place;
  const handle = await open(parent!.at(name!), O_RDONLY | NO_LINK | NO_WAIT);
  try {
    const facts = await handle.stat({ bigint: true });
    checkIsFile(place, facts);
    if (NO_LINK === 0 && !isSame(facts, before)) throw failed(place.shown, 'it was replaced meanwhile: try again');
    const result = await work(handle, facts);
    parent!.verify();
    return result;
  } finally {
    await handle.close();
  }
}

export function checkIsFile(place: Place, facts: BigIntStats | undefined): asserts facts is BigIntStats {
  if (facts === undefined) throw failed(place.shown, 'there is no such file or folder');
  if (facts.isDirectory()) throw failed(place.shown, 'it is a folder');
  if (facts.isSymbolicLink()) throw failed(place.shown, 'it is a symbolic link');
  if (!facts.isFile()) throw failed(place.shown, 'it is a pipe, socket or device, and no file');
}

/** Reads up to `length` bytes, starting at `from`. */
export async function readBytes(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, Math.min(length - filled, MOST_AT_ONCE), from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
