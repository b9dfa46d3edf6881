import { type BigIntStats, renameSync, unlinkSync } from 'node:fs';
import { access, constants, lstat } from 'node:fs/promises';
import path from 'node:path';
import type { ChangePart } from '../core/stores/change-store.ts';
import { ChangedMeanwhile, type ChangeRequest, type Changes, newFolders } from './changes.ts';
import { failed } from './failures.ts';
import { errorCode, type HeldFolder, isSame } from './ground/ground.ts';
import { removeFolder } from './leftovers.ts';
import { inItsFolder, makeFolder } from './make-way.ts';
import type { Place } from './place.ts';
import { replaceFile } from './replace-file.ts';
import { type Snapshot, snapshotOf, stateAt, stateOfBytes } from './snapshot.ts';
import { checkUntouched } from './untouched.ts';

const MISSING = { kind: 'missing' } as const;
const MEGABYTE = 1024 ** 2;

/** Makes the new content of a file from the present one; called again when another process has changed the file meanwhile. */
export type MakeBytes<T> = (before: Buffer | undefined) => { readonly bytes: Uint8Array; readonly result: T };

/** Writes a file as a whole; its folders are made. */
export function writeFile<T>(changes: Changes, request: ChangeRequest, make: MakeBytes<T>): Promise<T> {
  const { sandbox, origin, signal } = request;
  return changes.inTurn(request, () =>
    sandbox.at(request.path, { follow: true, mayLack: true, intent: 'change' }, async (place) => {
      inside(place);
      const before = await snapshotOf(place, changes.limits.fileMegabytes);
      await checkMayWrite(place, before, request.path);
      const { bytes, result } = make(before.bytes);
      if (before.bytes?.equals(bytes) === true) return result;
      checkSize(place, bytes, changes.limits.fileMegabytes);
      const mode = before.state.kind === 'file' ? before.state.mode : undefined;
      const after = stateOfBytes(bytes, mode ?? 0o644);
      const file: ChangePart = { kind: 'put', path: pathOf(place), before: before.state, after };
      const parts = [...newFolders(lackingPaths(place)), file];
      const put = () =>
        inItsFolder(place, sandbox.ground, (folder, name) =>
          replaceFile(folder, name, {
            bytes,
            mode,
            owner: ownerOf(before),
            expected: before.facts,
            alone: (last) => changes.store.alone(last),
          }),
        );
      await changes.make({ ...origin, roots: [place.root], parts, bytes: before.bytes }, put, signal);
      return result;
    }),
  );
}

/** Removes a file, an empty folder, or a symbolic link itself. */
export function remove(changes: Changes, request: ChangeRequest): Promise<void> {
  return changes.inTurn(request, () =>
    request.sandbox.at(request.path, { follow: false, intent: 'change' }, async (place) => {
      const { parent, name } = inside(place);
      const before = await snapshotOf(place, changes.limits.fileMegabytes);
      if (before.state.kind === 'link') await request.sandbox.check(place, 'move');
      if (before.facts === undefined) throw failed(request.path, 'there is no such file or folder');
      const part: ChangePart = { kind: 'put', path: pathOf(place), before: before.state, after: MISSING };
      const change = { ...request.origin, roots: [place.root], parts: [part], bytes: before.bytes };
      const take = async () => {
        if (before.state.kind === 'folder') {
          parent.verify();
          await removeFolder(place.folder, parent.at(name));
        } else
          await changes.store.alone(() => {
            checkUntouched(parent, name, before.facts);
            unlinkSync(parent.at(name));
          });
        await parent.sync();
      };
      await changes.make(change, take, request.signal);
    }),
  );
}

/** Moves a file or a folder. A file that has the new name is replaced, a folder is not. */
export function move(changes: Changes, request: ChangeRequest, newPath: string): Promise<void> {
  const { sandbox } = request;
  return changes.inTurn(request, () =>
    sandbox.at(request.path, { follow: false, intent: 'move' }, (from) =>
      sandbox.at(newPath, { follow: false, intent: 'move' }, (to) => moveBetween(changes, request, { from, to })),
    ),
  );
}

async function moveBetween(
  changes: Changes,
  { origin, signal }: ChangeRequest,
  { from, to }: { readonly from: Place; readonly to: Place },
): Promise<void> {
  const { fileMegabytes } = changes.limits;
  const [source, goal] = [inside(from), inside(to)];
  const facts = await factsIn(source);
  if (facts === undefined) throw failed(from.shown, 'there is no such file or folder');
  if (isSame(source.parent.identity, goal.parent.identity) && source.name === goal.name) return;
  const moved = await stateAt(from, fileMegabytes);
  const isOtherSpelling = await isSameFile({ ...source, facts }, goal);
  const replaced = isOtherSpelling ? { state: MISSING, facts: undefined } : await snapshotOf(to, fileMegabytes);
  if (replaced.state.kind === 'folder') throw failed(to.shown, 'there is a folder of this name already');
  if (moved.kind === 'folder' && replaced.state.kind !== 'missing')
    throw failed(to.shown, 'there is a file of this name already');
  const parts: ChangePart[] = [{ kind: 'move', from: pathOf(from), to: pathOf(to), moved }];
  if (replaced.state.kind !== 'missing')
    parts.unshift({ kind: 'put', path: pathOf(to), before: replaced.state, after: MISSING });
  const roots = [...new Set([from.root, to.root])];
  const act = async () => {
    await changes.store.alone(() => {
      checkUntouched(source.parent, source.name, facts);
      if (!isOtherSpelling) checkUntouched(goal.parent, goal.name, replaced.facts);
      renameInside(from, source.parent.at(source.name), goal.parent.at(goal.name));
    });
    await goal.parent.sync();
    await source.parent.sync();
  };
  const bytes = 'bytes' in replaced ? replaced.bytes : undefined;
  await changes.make({ ...origin, roots, parts, bytes }, act, signal);
}

/** Makes a folder, and those that it is in. */
export function createFolder(changes: Changes, request: ChangeRequest): Promise<void> {
  const { sandbox, origin, signal } = request;
  return changes.inTurn(request, () =>
    sandbox.at(request.path, { follow: true, mayLack: true, intent: 'change' }, async (place) => {
      if (place.isTop || place.folder !== undefined) return;
      if ((await snapshotOf(place, changes.limits.fileMegabytes)).facts !== undefined)
        throw failed(request.path, 'there is a file of this name already');
      const parts = newFolders([...lackingPaths(place), pathOf(place)]);
      const act = () => inItsFolder(place, sandbox.ground, (folder, name) => makeFolder(folder, name));
      await changes.make({ ...origin, roots: [place.root], parts }, act, signal);
    }),
  );
}

/** Absolute, so that it means the same when the workspace has other roots. */
export function pathOf(place: Place): string {
  return path.join(place.root, ...place.names);
}

function lackingPaths({ root, names, lacking }: Place): string[] {
  const there = names.length - lacking.length - 1;
  return lacking.map((_name, index) => path.join(root, ...names.slice(0, there + index + 1)));
}

interface Inside {
  readonly parent: HeldFolder;
  readonly name: string;
}

function inside(place: Place): Inside {
  const { parent, name } = place;
  if (parent === undefined || name === undefined) throw failed(place.shown, 'the workspace itself cannot be changed');
  return { parent, name };
}

async function checkMayWrite(place: Place, before: Snapshot, asked: string): Promise<void> {
  const { parent, name } = inside(place);
  if (before.state.kind === 'folder' || (/[\\/]\.?$/.test(asked) && before.facts === undefined))
    throw failed(asked, 'it names a folder, not a file');
  if (before.state.kind === 'link') throw new ChangedMeanwhile();
  if (before.facts !== undefined) await access(parent.at(name), constants.W_OK);
}

function checkSize(place: Place, bytes: Uint8Array, maxMegabytes: number): void {
  if (bytes.length <= maxMegabytes * MEGABYTE) return;
  const why = `it would have ${bytes.length} bytes, and files are changed up to ${maxMegabytes} MiB: raise workspace.undo.fileMegabytes`;
  throw failed(place.shown, why);
}

export function ownerOf({ facts }: Snapshot) {
  return facts === undefined ? undefined : { uid: Number(facts.uid), gid: Number(facts.gid) };
}

function renameInside({ shown }: Place, from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    throw errorCode(error) === 'EINVAL' ? failed(shown, 'a folder cannot be moved into itself') : error;
  }
}

async function factsIn({ parent, name }: Inside): Promise<BigIntStats | undefined> {
  try {
    return await lstat(parent.at(name), { bigint: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Two names of one file: a rename to another spelling where case does not count; anything else does nothing at all. */
async function isSameFile(from: Inside & { readonly facts: BigIntStats }, to: Inside): Promise<boolean> {
  const facts = await factsIn(to);
  if (facts === undefined || !isSame(facts, from.facts)) return false;
  const plain = (name: string) => name.normalize('NFC').toLowerCase();
  if (isSame(from.parent.identity, to.parent.identity) && from.name !== to.name && plain(from.name) === plain(to.name))
    return true;
  throw failed(to.name, 'both names are of the same file');
}
