import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isGone } from '../../../core/processes/owner.ts';
import type { Space } from '../../../store/knowledge/rows.ts';
import { changesIn } from './changes.ts';
import { FileUpdates } from './file-updates.ts';
import { FolderWatch } from './folder-watch.ts';
import type { IndexContext } from './index-context.ts';
import type { Indexer } from './indexer.ts';
import type { MissingVectors } from './missing-vectors.ts';
import { Writer } from './writer.ts';

/** The number of changed files that are updated at once; more are a run of their own, which is visible as one. */
const MOST_AT_ONCE = 100;
/** The time for which a look through the folder is valid, if changes are reported and if they are not. */
const WATCHED_MS = 300_000;
const UNWATCHED_MS = 2_000;
/** Changes come in flocks. */
const SETTLE_MS = 15;
/** A folder in which files come and go is not looked through all the time. */
const BETWEEN_LOOKS_MS = 1_000;
const MOST_UNWANTED = 10_000;
const NEVER = Number.NEGATIVE_INFINITY;

interface Watched {
  readonly space: Space;
  readonly watch: FolderWatch;
  /** Paths of which a look has found that they are not indexed. */
  readonly unwanted: Set<string>;
  lookedAt: number;
  /** The number of batches of changes that are being taken in. */
  changing: number;
  /** True if another gateway indexes it: that gateway may write what it has read before a change after it. */
  isShared: boolean;
  looking: Promise<void> | undefined;
}

/** Keeps the index of the folders that are searched as they are on the disk. */
export class Freshness {
  readonly #context: IndexContext;
  readonly #indexer: Indexer;
  readonly #vectors: MissingVectors;
  readonly #emit: (value: unknown) => void;
  readonly #roots = new Map<string, Watched>();
  readonly #end = new AbortController();
  readonly #updates: FileUpdates;

  constructor(context: IndexContext, indexer: Indexer, vectors: MissingVectors, emit: (value: unknown) => void) {
    this.#context = context;
    this.#indexer = indexer;
    this.#vectors = vectors;
    this.#emit = emit;
    this.#updates = new FileUpdates(context, vectors, this.#end.signal);
  }

  /** Looks for changes in a folder that is in the index, unless that was done recently. */
  async freshen(root: string): Promise<void> {
    const watched = this.#roots.get(root) ?? (await this.#begin(root));
    if (watched === undefined || this.#indexer.isActive(watched.space.number)) return;
    const goodFor = watched.watch.isComplete && !watched.isShared ? WATCHED_MS : UNWATCHED_MS;
    if (performance.now() - watched.lookedAt > goodFor) await this.#look(watched);
    else await watched.looking;
  }

  /** Reads files again that are not as the index has them. */
  async update(root: string, paths: readonly string[]): Promise<void> {
    const space = this.#roots.get(root)?.space ?? (await this.#context.store.spaces.at('repository', root));
    if (space !== undefined) await this.#updates.update(space, paths);
  }

  forget(root: string): void {
    this.#roots.get(root)?.watch.close();
    this.#roots.delete(root);
  }

  close(): void {
    this.#end.abort(new Error('the gateway ends'));
    for (const { watch } of this.#roots.values()) watch.close();
    this.#roots.clear();
  }

  async #begin(root: string): Promise<Watched | undefined> {
    const space = await this.#context.store.spaces.at('repository', root);
    // Others have asked meanwhile: a second watch would never end.
    const known = this.#roots.get(root);
    if (space === undefined || known !== undefined) return known;
    const watch = new FolderWatch(root, SETTLE_MS, (paths) => void this.#changed(root, paths));
    const watched = {
      space,
      watch,
      unwanted: new Set<string>(),
      lookedAt: NEVER,
      changing: 0,
      isShared: false,
      looking: undefined,
    };
    this.#roots.set(root, watched);
    return watched;
  }

  async #changed(root: string, paths: ReadonlySet<string>): Promise<void> {
    const watched = this.#roots.get(root);
    if (watched === undefined) return;
    if (this.#indexer.isActive(watched.space.number)) {
      // The run may have been past it already: the next search looks through the folder.
      watched.lookedAt = NEVER;
      return;
    }
    if ([...paths].some(hasRules)) watched.unwanted.clear();
    const wanted = [...paths].filter((path) => !watched.unwanted.has(path));
    if (wanted.length > 0) await this.#takeIn(watched, wanted);
  }

  async #takeIn(watched: Watched, paths: readonly string[]): Promise<void> {
    watched.changing += 1;
    this.#tell(watched);
    try {
      await this.#take(watched, paths);
      watched.isShared ||= isRunElsewhere(await this.#context.store.spaces.byId(watched.space.id));
    } catch {
      // The next search looks through the folder, and says what is wrong.
      watched.lookedAt = NEVER;
    }
    watched.changing -= 1;
    this.#tell(watched);
  }

  async #take(watched: Watched, paths: readonly string[]): Promise<void> {
    const { space, unwanted } = watched;
    // A file that a look has found missing may have come back; this look decides.
    await watched.looking;
    const known = paths.length > MOST_AT_ONCE ? new Set<string>() : await this.#updates.known(space, paths);
    if (known.size > 0) await this.#updates.update(space, [...known]);
    const others = paths.filter((path) => !known.has(path) || hasRules(path));
    if (others.length === 0) return;
    // The walk decides whether a new file may be indexed.
    await pause(Math.max(0, watched.lookedAt + BETWEEN_LOOKS_MS - performance.now()), undefined, { ref: false });
    await watched.looking;
    await this.#look(watched);
    const found = await this.#updates.known(space, others);
    if (unwanted.size > MOST_UNWANTED) unwanted.clear();
    // A path that is missing now, or is a folder, may become a file to index later.
    for (const path of others) if (!found.has(path) && isFile(space.place, path)) unwanted.add(path);
  }

  #look(watched: Watched): Promise<void> {
    watched.looking ??= this.#lookThrough(watched)
      .catch((error: unknown) => {
        watched.lookedAt = NEVER;
        throw error;
      })
      .finally(() => {
        watched.looking = undefined;
      });
    return watched.looking;
  }

  async #lookThrough(watched: Watched): Promise<void> {
    const { store, ignore, maxBytes } = this.#context;
    const { space, watch } = watched;
    const now = await store.spaces.byId(space.id);
    // Another gateway has removed it, and may have made it again.
    if (now === undefined) return this.forget(space.place);
    const isShared = isRunElsewhere(now);
    // Each is watched before it is read: what changes meanwhile is told.
    const onFolder = (folder: string) => watch.follow(folder);
    const changes = await changesIn(store, space, { ignore, maxBytes, signal: this.#end.signal, onFolder });
    watched.lookedAt = performance.now();
    watched.isShared = isShared;
    if (changes.files.length > MOST_AT_ONCE) {
      this.#indexer.begin(space, false).outcome.catch(() => {
        watched.lookedAt = NEVER;
      });
      return;
    }
    const writer = new Writer(store, space, changes.known);
    writer.remove(changes.gone);
    await this.#updates.write(space, changes.files, writer);
    // A run that came to no end may have left texts without any, and the model may be another one than at the last run.
    this.#vectors.fill(space);
    this.#tell(watched);
  }

  #tell({ space, watch, lookedAt, changing, isShared }: Watched): void {
    const isFresh = watch.isComplete && !isShared && changing === 0 && lookedAt !== NEVER;
    this.#emit({ kind: 'state', root: space.place, isFresh });
  }
}

/** Returns true if another gateway indexes a space now, and no run of this one is under way. */
function isRunElsewhere(space: Space | undefined): boolean {
  return space?.runOwner !== undefined && !isGone(space.runOwner, space.runAtMs);
}

/** Such as `.gitignore`. */
const hasRules = (file: string): boolean => file.endsWith('ignore');

function isFile(root: string, place: string): boolean {
  return statSync(path.join(root, place), { throwIfNoEntry: false })?.isFile() === true;
}
