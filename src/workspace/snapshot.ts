import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readlink } from 'node:fs/promises';
import type { FileState } from '../core/stores/change-store.ts';
import { failed } from './failures.ts';
import type { Place } from './place.ts';
import { factsAt, readBytes, withFile } from './read-file.ts';

const MEGABYTE = 1024 ** 2;

/** The state of a place at one moment. */
export interface Snapshot {
  readonly state: FileState;
  readonly bytes?: Buffer | undefined;
  readonly facts: BigIntStats | undefined;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function stateOfBytes(bytes: Uint8Array, mode: number): FileState {
  return { kind: 'file', mode, size: bytes.length, hash: hashOf(bytes) };
}

/**
 * Returns the state of a place, with the bytes of a file. @throws GatewayError for a file that is too large to be kept, and for
 * an entry that is no file.
 */
export async function snapshotOf(place: Place, maxMegabytes: number): Promise<Snapshot> {
  const facts = await factsAt(place);
  if (facts?.isFile() !== true) return { state: await stateOfOther(place, facts), facts };
  if (facts.size > maxMegabytes * MEGABYTE) throw tooLarge(place, facts, maxMegabytes);
  return withFile(place, async (handle, opened) => {
    if (opened.size > maxMegabytes * MEGABYTE) throw tooLarge(place, opened, maxMegabytes);
    const bytes = await readBytes(handle, 0, Number(opened.size));
    // As it was before it was read: who writes meanwhile makes it another one.
    return { state: stateOfBytes(bytes, modeOf(opened)), bytes, facts: opened };
  });
}

/** The same without the bytes: of a file that is too large to be looked through, its size says what it is. */
export async function stateAt(place: Place, maxMegabytes: number): Promise<FileState> {
  const facts = await factsAt(place);
  if (facts?.isFile() === true && facts.size > maxMegabytes * MEGABYTE)
    return { kind: 'file', mode: modeOf(facts), size: Number(facts.size) };
  return (await snapshotOf(place, maxMegabytes)).state;
}

export function modeOf(facts: BigIntStats): number {
  return Number(facts.mode) & 0o777;
}

async function stateOfOther(place: Place, facts: BigIntStats | undefined): Promise<FileState> {
  if (facts === undefined) return { kind: 'missing' };
  if (facts.isDirectory()) return { kind: 'folder' };
  if (facts.isSymbolicLink()) return { kind: 'link', target: await readlink(place.parent!.at(place.name!)) };
  throw failed(place.shown, 'it is a pipe, socket or device, and is left alone');
}

function tooLarge(place: Place, { size }: BigIntStats, maxMegabytes: number) {
  const why = `it has ${size} bytes, and what is changed is kept for undo up to ${maxMegabytes} MiB a file: raise workspace.undo.fileMegabytes`;
  return failed(place.shown, why);
}

/** Returns true if it did not change between two looks. */
export function isUntouched(before: BigIntStats | undefined, now: BigIntStats | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return (
    before.dev === now.dev &&
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs
  );
}

/** Returns true if it is the same for all readers. */
export function isAlike(one: FileState, other: FileState): boolean {
  if (one.kind === 'file' && other.kind === 'file')
    return one.size === other.size && (one.hash === undefined || other.hash === undefined || one.hash === other.hash);
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  return one.kind === other.kind;
}
