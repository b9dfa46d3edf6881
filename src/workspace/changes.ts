import { setTimeout as pause } from 'node:timers/promises';
import type { UndoLimits } from '../core/settings/workspace-settings.ts';
import type { ChangePart, ChangeStore, NewChange } from '../core/stores/change-store.ts';
import { Turns } from '../core/timing/turns.ts';
import { failed, fileFailure } from './failures.ts';
import { sweepLeftovers } from './leftovers.ts';
import type { Sandbox } from './sandbox.ts';

/** The number of further attempts when others change the same file at the same moment. */
const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 25;

/** The interval between searches for leftovers of gateways that were killed. */
const SWEEP_EVERY_MS = 3_600_000;

/** The author of a change, and the tool that makes it. */
export type Origin = Pick<NewChange, 'session' | 'client' | 'tool'>;

/** A change that a call asks for. */
export interface ChangeRequest {
  readonly sandbox: Sandbox;
  readonly path: string;
  readonly origin: Origin;
  /** Aborted when it is no longer wanted: then it is not begun. */
  readonly signal?: AbortSignal | undefined;
}

/** Thrown between the look at a file and its change: another process changed it. */
export class ChangedMeanwhile extends Error {}

export interface ChangesOptions {
  readonly store: ChangeStore;
  readonly limits: UndoLimits;
  readonly onError: (error: unknown) => void;
}

/** The way of all changes: one after the other in one workspace, and each is kept in the store before it is made. */
export class Changes {
  readonly store: ChangeStore;
  readonly limits: UndoLimits;
  readonly #onError: (error: unknown) => void;
  readonly #turns = new Map<string, Turns>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor({ store, limits, onError }: ChangesOptions) {
    this.store = store;
    this.limits = limits;
    this.#onError = onError;
  }

  /** Lets a change of a workspace be looked into and made while no other one of this process is. */
  async inTurn<T>({ sandbox, path, signal }: Omit<ChangeRequest, 'origin'>, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(sandbox.roots.map(({ folder }) => folder));
    const turns = this.#turns.get(key) ?? new Turns();
    this.#turns.set(key, turns);
    const end = await turns.next();
    try {
      signal?.throwIfAborted();
      await this.#sweep(sandbox);
      return await this.#again(path, () => {
        signal?.throwIfAborted();
        return work();
      });
    } catch (error) {
      throw fileFailure(path, error);
    } finally {
      end();
      if (turns.isIdle) this.#turns.delete(key);
    }
  }

  /**
   * Keeps what is needed to undo a change, then has it made. One that fails is forgotten.
   * @throws the reason of `signal` when that is aborted before the change is made
   */
  async make(change: NewChange, act: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    const id = await this.store.add(change);
    try {
      signal?.throwIfAborted();
      await act();
    } catch (error) {
      await this.store.drop(id).catch(this.#onError);
      throw error;
    }
    // Changes not marked as made are examined closely when they are undone: nothing is lost.
    await this.store.settle(id).catch(this.#onError);
  }

  async #sweep({ ground }: Sandbox): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = performance.now();
    await sweepLeftovers(this.store, ground).catch(this.#onError);
  }

  async #again<T>(path: string, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile)) throw error;
      }
      // Others that are at it as well shall not come at the same moments again.
      await pause(Math.random() * LONGEST_PAUSE_MS);
    }
    return work().catch((error: unknown) => {
      throw error instanceof ChangedMeanwhile
        ? failed(path, 'another program changes it all the time: read it again, then try again')
        : error;
    });
  }
}

/** Folders that come into being. */
export function newFolders(paths: readonly string[]): ChangePart[] {
  return paths.map((path) => ({ kind: 'put', path, before: { kind: 'missing' }, after: { kind: 'folder' } }));
}
