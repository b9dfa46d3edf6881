import type { ManagedProcess } from '../../process/managed/managed-process.ts';

/** A process that has written within this time takes part in the time for reading. */
const BUSY_MS = 1_000;

export interface ProcessRegistryOptions {
  /** True if all clients know all processes; otherwise each client knows its own. */
  readonly isShared: boolean;
  /** The number of processes that are known after they have ended. */
  readonly keepEnded: number;
  /** A process was added or is forgotten. */
  readonly onChanged: () => void;
}

/** The processes that are known, in the order in which they were started, and who may know about them. */
export class ProcessRegistry {
  readonly #processes = new Map<string, ManagedProcess>();
  readonly #isShared: boolean;
  readonly #keepEnded: number;
  readonly #onChanged: () => void;

  constructor({ isShared, keepEnded, onChanged }: ProcessRegistryOptions) {
    this.#isShared = isShared;
    this.#keepEnded = keepEnded;
    this.#onChanged = onChanged;
  }

  add(process: ManagedProcess): void {
    this.#processes.set(process.facts.id, process);
    this.#onChanged();
  }

  forget(process: ManagedProcess): void {
    if (this.#processes.delete(process.facts.id)) this.#onChanged();
  }

  /** Forgets the oldest of those that have ended, if there are too many. */
  forgetOldest(): void {
    const ended = [...this.#processes.values()].filter(({ isRunning }) => !isRunning);
    for (const process of ended.slice(0, Math.max(0, ended.length - this.#keepEnded))) this.forget(process);
  }

  /** Returns the process with this id, if the client may know about it. */
  find(id: string, client: string): ManagedProcess | undefined {
    const process = this.#processes.get(id);
    return process !== undefined && this.#isVisible(process, client) ? process : undefined;
  }

  /** Returns what the client may know about, the oldest first. */
  visibleTo(client: string): readonly ManagedProcess[] {
    return [...this.#processes.values()].filter((process) => this.#isVisible(process, client));
  }

  /** Returns what all clients may know about, the oldest first. */
  shared(): readonly ManagedProcess[] {
    return this.#isShared ? [...this.#processes.values()] : [];
  }

  running(): readonly ManagedProcess[] {
    return [...this.#processes.values()].filter(({ isRunning }) => isRunning);
  }

  /** Counts the processes that have written something lately. */
  busy(): number {
    const since = performance.now() - BUSY_MS;
    let busy = 0;
    for (const { output } of this.#processes.values()) if (output.lastReadAt > since) busy++;
    return busy;
  }

  #isVisible({ facts }: ManagedProcess, client: string): boolean {
    return this.#isShared || facts.owner === client;
  }
}
