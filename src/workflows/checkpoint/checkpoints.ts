import { GatewayError } from '../../core/errors.ts';
import type {
  CheckpointStore,
  JsonObject,
  ProjectInfo,
  RevisionInfo,
  StoredBundle,
} from '../../core/stores/checkpoint-store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Project } from '../project-of.ts';
import { additionTo, type NewDecision, type NewItem, type NewTodo, newDecision, newTodo } from './bundle/addition.ts';
import { appendItem, saveInSlices, type TodoChange, updateTodo } from './bundle/change.ts';
import { combinePatches } from './bundle/merge.ts';
import type { ChangeStamp } from './bundle/stamp.ts';
import { Intake } from './intake.ts';
import type { CheckpointOptions } from './options.ts';
import { type HeldSave, SaveWindows } from './save-windows.ts';

export interface CheckpointsOptions {
  readonly store: CheckpointStore;
  readonly options: CheckpointOptions;
  readonly log: Log;
}

export interface SaveRequest {
  readonly sourceIde: string;
  readonly patch: JsonObject;
  readonly force: boolean;
  /** Aborted when it is no longer wanted: then nothing is written. */
  readonly signal: AbortSignal;
}

/** The author of a change to a bundle. */
export interface ChangeOrigin {
  /** The IDE that the change counts as of; nothing if it is not known. */
  readonly ide: string | undefined;
  /** Aborted when the change is no longer wanted: then nothing is written. */
  readonly signal: AbortSignal;
}

/** A revision that was written, and the id that the bundle has in it. */
export interface Saved {
  readonly bundleId: string;
  readonly updatedAt: string;
}

/** A save on its way into the store. */
interface CleanSave {
  readonly project: Project;
  readonly patch: JsonObject;
}

/** The checkpoints of all projects as the tools work with them: what comes in is checked and cleaned, saves may wait. */
export class Checkpoints {
  readonly #store: CheckpointStore;
  readonly #log: Log;
  readonly #intake: Intake;
  readonly #windows: SaveWindows<CleanSave>;

  constructor({ store, options, log }: CheckpointsOptions) {
    this.#store = store;
    this.#log = log;
    this.#intake = new Intake(options);
    this.#windows = new SaveWindows({
      windowMs: options.debounceMs,
      write: (projectId, saves) => this.#writeHeld(projectId, saves),
    });
  }

  /**
   * Merges a patch into the project's bundle. Resolves to nothing when another save of this IDE was a short while ago:
   * then it is checked and kept, and written soon.
   * @throws GatewayError when the patch is not valid, or the bundle would become too large; the reason of `signal` when that
   * is aborted.
   */
  async save(project: Project, { sourceIde, patch: given, force, signal }: SaveRequest): Promise<Saved | undefined> {
    const { id } = project;
    const save: CleanSave = { project, patch: await this.#intake.patch(project, given) };
    signal.throwIfAborted();
    if (!force && this.#windows.isOpen(id, sourceIde)) {
      await this.#rehearse(sourceIde, save);
      signal.throwIfAborted();
      this.#windows.hold({ projectId: id, sourceIde, save });
      return undefined;
    }
    const takeBack = this.#windows.open(id, sourceIde);
    try {
      await this.#windows.flush(id);
      return await this.#write(sourceIde, save, signal);
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  async load(projectId: string, revision?: number): Promise<StoredBundle | undefined> {
    await this.#windows.flush(projectId);
    return this.#store.load(projectId, revision);
  }

  async appendDecision(project: Project, origin: ChangeOrigin, decision: NewDecision): Promise<string> {
    return this.#append(project, origin, newDecision(await this.#intake.clean(project.id, { ...decision })));
  }

  async appendTodo(project: Project, origin: ChangeOrigin, todo: NewTodo): Promise<string> {
    return this.#append(project, origin, newTodo(await this.#intake.clean(project.id, { ...todo })));
  }

  /** @throws GatewayError when there is no such todo. */
  async updateTodo(project: Project, origin: ChangeOrigin, todoId: string, change: TodoChange) {
    const clean = await this.#intake.clean(project.id, { ...change });
    const stamp = await this.#stampOf(project, origin);
    const { outcome } = await this.#store.update(
      project.id,
      { sourceIde: stamp.sourceIde, kind: 'update' },
      (bundle) => {
        origin.signal.throwIfAborted();
        return updateTodo(bundle, todoId, clean, stamp);
      },
    );
    return outcome;
  }

  async projects(): Promise<readonly ProjectInfo[]> {
    await this.#windows.flushAll();
    return this.#store.projects();
  }

  /** Ids of projects that may be meant by what was typed so far. */
  async suggest(typed: string): Promise<readonly string[]> {
    const projects = await this.projects();
    return projects.map(({ projectId }) => projectId).filter((projectId) => projectId.startsWith(typed));
  }

  /** Newest first. */
  async history(projectId: string, limit: number): Promise<readonly RevisionInfo[]> {
    await this.#windows.flush(projectId);
    return this.#store.history(projectId, limit);
  }

  /** Forgets a project with all its revisions; tells whether there was one. */
  async remove(projectId: string): Promise<boolean> {
    await this.#windows.drop(projectId);
    return this.#store.remove(projectId);
  }

  /** Writes what waits. */
  stop(): Promise<void> {
    return this.#windows.stop();
  }

  async #append(project: Project, origin: ChangeOrigin, item: NewItem): Promise<string> {
    const stamp = await this.#stampOf(project, origin);
    const unlessAborted = <Made>(made: () => Made): Made => {
      origin.signal.throwIfAborted();
      return made();
    };
    const { id } = await this.#store.append(
      project.id,
      { sourceIde: stamp.sourceIde, kind: 'append' },
      {
        addition: (note) => unlessAborted(() => additionTo(note, item, stamp)),
        change: (bundle) => unlessAborted(() => appendItem(bundle, item, stamp)),
      },
    );
    return id;
  }

  /**
   * Writes what waits for the project first. Appends name no IDE: those of an unknown client count as of the one that saved
   * before.
   */
  async #stampOf(project: Project, { ide }: ChangeOrigin): Promise<ChangeStamp> {
    const { id } = project;
    await this.#windows.flush(id);
    if (ide !== undefined) return stampFor(project, ide);
    const [newest] = await this.#store.history(id, 1);
    return stampFor(project, newest?.sourceIde ?? 'generic');
  }

  async #write(sourceIde: string, { project, patch }: CleanSave, signal?: AbortSignal): Promise<Saved> {
    const stamp = stampFor(project, sourceIde);
    const { stored, outcome } = await this.#store.update(project.id, { sourceIde, kind: 'save' }, (bundle) => {
      signal?.throwIfAborted();
      return saveInSlices(bundle, patch, stamp);
    });
    return { bundleId: outcome.bundleId, updatedAt: stored.updatedAt };
  }

  /** A delayed save can no longer report its faults to a client, so they are found now. */
  async #rehearse(sourceIde: string, save: CleanSave): Promise<void> {
    const { project } = save;
    const stored = await this.#store.load(project.id);
    const waiting = this.#windows.heldFor(project.id).map((held) => held.save);
    await saveInSlices(stored?.bundle, combined([...waiting, save]).patch, stampFor(project, sourceIde));
  }

  /** Writes saves that have waited; neighbours of one IDE make one revision. Returns those that are to be tried again. */
  async #writeHeld(projectId: string, held: readonly HeldSave<CleanSave>[]): Promise<readonly HeldSave<CleanSave>[]> {
    let left = held;
    while (left.length > 0) {
      const { sourceIde } = left[0]!;
      const end = left.findIndex((other) => other.sourceIde !== sourceIde);
      const group = end === -1 ? left : left.slice(0, end);
      try {
        await this.#write(sourceIde, combined(group.map(({ save }) => save)));
      } catch (error) {
        const isHopeless = error instanceof GatewayError && error.code === 'INVALID_PARAMS';
        this.#log.error({ error, project: projectId, saves: group.length }, isHopeless ? MISFIT : NOT_YET);
        if (!isHopeless) return left;
      }
      left = left.slice(group.length);
    }
    return [];
  }
}

const MISFIT = 'a save that had waited does not fit any more';
const NOT_YET = 'a save that had waited could not be written yet';

function combined(saves: readonly CleanSave[]): CleanSave {
  return saves.reduce((first, second) => ({ ...second, patch: combinePatches(first.patch, second.patch) }));
}

function stampFor({ id, facts }: Project, sourceIde: string): ChangeStamp {
  const stamp = { projectId: id, sourceIde, at: new Date().toISOString() };
  return facts === undefined ? stamp : { ...stamp, project: facts };
}
