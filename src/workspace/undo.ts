import { renameSync, unlinkSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { GatewayError } from '../core/errors.ts';
import type { ChangePart, FileState, StoredChange } from '../core/stores/change-store.ts';
import type { Changes, Origin } from './changes.ts';
import { failed, fileFailure } from './failures.ts';
import { errorCode } from './ground/ground.ts';
import { removeFolder } from './leftovers.ts';
import { inItsFolder, makeFolder } from './make-way.ts';
import { ownerOf } from './mutations.ts';
import type { Place } from './place.ts';
import type { Intent } from './protection/rules.ts';
import { replaceFile } from './replace-file.ts';
import type { Sandbox } from './sandbox.ts';
import { hashOf, isAlike, type Snapshot, snapshotOf, stateAt } from './snapshot.ts';
import { checkUntouched } from './untouched.ts';

export interface UndoOptions {
  readonly sandbox: Sandbox;
  /** The author of the undo. */
  readonly origin: Omit<Origin, 'tool'>;
  /** True to undo even if a file is no longer as the change left it. */
  readonly force?: boolean;
  /** Aborted when it is no longer wanted: then it is not begun. */
  readonly signal?: AbortSignal | undefined;
}

/** The outcome for one change. */
export type Undone =
  | { readonly restored: true; readonly notes: readonly string[] }
  | { readonly restored: false; readonly reason: string; readonly isProtected?: boolean };

type Put = Extract<ChangePart, { kind: 'put' }>;
type Move = Extract<ChangePart, { kind: 'move' }>;

/** Restores the state before a change, if it has not been changed since. This is a change as well, and can be undone. */
export async function undoChange(changes: Changes, change: StoredChange, options: UndoOptions): Promise<Undone> {
  const { sandbox, signal } = options;
  try {
    return await changes.inTurn({ sandbox, path: `change ${change.id}`, signal }, async () => {
      // Another process may have been faster.
      const now = await changes.store.get(change.id);
      if (now === undefined) return { restored: false, reason: 'it is not kept any more' };
      if (now.state === 'undone') return { restored: false, reason: 'it was undone already' };
      if (now.state === 'begun' && Date.now() - now.at < LONGEST_CHANGE_MS)
        return { restored: false, reason: 'it may be under way in another gateway: try again in a minute' };
      return new Undo(changes, now, options).run();
    });
  } catch (error) {
    if (!(error instanceof GatewayError) || !REFUSALS.has(error.code)) throw error;
    return { restored: false, reason: error.message, ...(error.code === 'PATH_PROTECTED' && { isProtected: true }) };
  }
}

/**
 * Operations begun before this are over, as is the process that did them: a change may wait for the database, which has its own
 * limit.
 */
const LONGEST_CHANGE_MS = 60_000;
const REFUSALS: ReadonlySet<string> = new Set(['FILE_FAILED', 'OUTSIDE_WORKSPACE', 'PATH_PROTECTED']);

function inverse(parts: readonly ChangePart[]): ChangePart[] {
  return parts
    .toReversed()
    .map((part) =>
      part.kind === 'put'
        ? { ...part, before: part.after, after: part.before }
        : { ...part, from: part.to, to: part.from },
    );
}

class Undo {
  readonly #changes: Changes;
  readonly #change: StoredChange;
  readonly #options: UndoOptions;
  readonly #plan: readonly ChangePart[];

  constructor(changes: Changes, change: StoredChange, options: UndoOptions) {
    this.#changes = changes;
    this.#change = change;
    this.#options = options;
    this.#plan = inverse(change.parts);
  }

  async run(): Promise<Undone> {
    const [first, ...rest] = this.#plan;
    if (first === undefined) return { restored: false, reason: 'nothing of it can be undone' };
    const before = first.kind === 'put' ? await this.#snapshot(first) : undefined;
    const isDone = first.kind === 'put' ? isAlike(before!.state, first.after) : await this.#isMoved(first);
    if (isDone && this.#change.state === 'begun') {
      await this.#changes.store.drop(this.#change.id);
      return { restored: true, notes: ['it had never been made'] };
    }
    if (!isDone) await this.#check(first, before?.state);
    const { id, roots } = this.#change;
    const notes: string[] = [];
    const parts = before === undefined ? this.#plan : [{ ...first, before: before.state } as ChangePart, ...rest];
    const bytes = before?.bytes ?? (await this.#bytesOfLater(rest));
    const { origin, signal } = this.#options;
    const act = async () => {
      if (!isDone) await this.#doFirst(first, before);
      for (const part of rest) notes.push(...(await this.#doLater(part)));
    };
    await this.#changes.make({ ...origin, tool: 'undo', roots, parts, bytes, undoes: id }, act, signal);
    return { restored: true, notes };
  }

  async #check(first: ChangePart, now: FileState | undefined): Promise<void> {
    if (first.kind === 'move') return this.#checkMove(first);
    if (!isAlike(now!, first.before) && this.#options.force !== true)
      throw failed(first.path, `it was changed since: ${wordsFor(now!, first.before)}`);
    if (now!.kind === 'folder' && first.after.kind !== 'missing') throw failed(first.path, 'there is a folder now');
  }

  async #checkMove({ from, to, moved }: Move): Promise<void> {
    const [here, there] = await Promise.all([this.#stateAt(from), this.#stateAt(to)]);
    if (there.kind !== 'missing') throw failed(to, 'there is something of this name again: move it away first');
    if (here.kind === 'missing') throw failed(from, 'it no longer exists');
    if (!isAlike(here, moved) && this.#options.force !== true) throw failed(from, 'it was changed since');
  }

  async #isMoved({ from, to, moved }: Move): Promise<boolean> {
    const [here, there] = await Promise.all([this.#stateAt(from), this.#stateAt(to)]);
    return here.kind === 'missing' && isAlike(there, moved);
  }

  async #doFirst(part: ChangePart, before: Snapshot | undefined): Promise<void> {
    try {
      await this.#do(part, before);
    } catch (error) {
      throw fileFailure(pathIn(part), error);
    }
  }

  /** Undoes a part after the first, as far as possible. Returns what could not be undone. */
  async #doLater(part: ChangePart): Promise<string[]> {
    const path = pathIn(part);
    try {
      if (part.kind === 'move') await this.#checkMove(part);
      const before = part.kind === 'put' ? await this.#snapshot(part) : undefined;
      if (part.kind === 'put' && isAlike(before!.state, part.after)) return [];
      if (part.kind === 'put') await this.#check(part, before!.state);
      await this.#do(part, before);
      return [];
    } catch (error) {
      const failure = fileFailure(path, error);
      if (errorCode(error) === 'ENOTEMPTY') return [`${path} stays, as there is something else in it`];
      if (!(failure instanceof GatewayError)) throw error;
      return [failure.message];
    }
  }

  /** Returns the bytes of a file that a later part removes or replaces. */
  async #bytesOfLater(parts: readonly ChangePart[]): Promise<Buffer | undefined> {
    const part = parts.find(
      (candidate): candidate is Put => candidate.kind === 'put' && candidate.before.kind === 'file',
    );
    return part && (await this.#snapshot(part)).bytes;
  }

  async #do(part: ChangePart, before: Snapshot | undefined): Promise<void> {
    if (part.kind === 'move') return this.#move(part);
    const { after } = part;
    if (after.kind === 'file') return this.#putFile(part.path, after, before!);
    const intent = after.kind === 'link' || before!.state.kind === 'link' ? 'move' : 'change';
    await this.#at(part.path, intent, (place) =>
      inItsFolder(place, this.#options.sandbox.ground, async (folder, name) => {
        const path = folder.at(name);
        if (before!.state.kind === 'folder') return removeFolder(place.folder, path);
        await this.#changes.store.alone(() => {
          checkUntouched(folder, name, before!.facts);
          if (before!.state.kind !== 'missing') unlinkSync(path);
        });
        if (after.kind === 'folder') await makeFolder(folder, name);
        if (after.kind === 'link') await symlink(after.target, path);
        await folder.sync();
      }),
    );
  }

  async #putFile(path: string, after: Extract<FileState, { kind: 'file' }>, before: Snapshot): Promise<void> {
    const bytes = await this.#keptBytes(path, after);
    await this.#at(path, before.state.kind === 'link' ? 'move' : 'change', (place) =>
      inItsFolder(place, this.#options.sandbox.ground, (folder, name) =>
        replaceFile(folder, name, {
          bytes,
          mode: after.mode,
          owner: ownerOf(before),
          expected: before.facts,
          alone: (last) => this.#changes.store.alone(last),
        }),
      ),
    );
  }

  async #keptBytes(path: string, { hash }: { readonly hash?: string | undefined }): Promise<Uint8Array> {
    const bytes = await this.#changes.store.bytesOf(this.#change.id);
    if (bytes !== undefined && hashOf(bytes) === hash) return bytes;
    throw failed(path, 'its content is no longer kept');
  }

  async #move({ from, to }: Move): Promise<void> {
    await this.#at(from, 'move', (source) =>
      this.#at(to, 'move', (goal) =>
        inItsFolder(goal, this.#options.sandbox.ground, async (folder, name) => {
          await this.#changes.store.alone(() => {
            source.parent!.verify();
            checkUntouched(folder, name, undefined);
            renameSync(source.parent!.at(source.name!), folder.at(name));
          });
          await folder.sync();
          await source.parent!.sync();
        }),
      ),
    );
  }

  #snapshot({ path }: Put): Promise<Snapshot> {
    return this.#at(path, 'change', (place) => snapshotOf(place, this.#changes.limits.fileMegabytes));
  }

  #stateAt(path: string): Promise<FileState> {
    return this.#at(path, 'change', (place) => stateAt(place, this.#changes.limits.fileMegabytes));
  }

  #at<T>(path: string, intent: Intent, work: (place: Place) => Promise<T>): Promise<T> {
    return this.#options.sandbox.at(path, { follow: false, mayLack: true, intent }, work);
  }
}

function pathIn(part: ChangePart): string {
  return part.kind === 'put' ? part.path : part.from;
}

function wordsFor(now: FileState, expected: FileState): string {
  if (now.kind === 'missing') return 'it no longer exists';
  if (expected.kind === 'missing') return `there is a ${now.kind} again`;
  return now.kind === expected.kind ? 'something else is in it' : `it is a ${now.kind} now`;
}
