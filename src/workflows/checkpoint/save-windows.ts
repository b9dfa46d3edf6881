/** One save that waits for the end of its window. */
export interface HeldSave<Save> {
  readonly projectId: string;
  readonly sourceIde: string;
  readonly save: Save;
}

export interface SaveWindowsOptions<Save> {
  readonly windowMs: number;
  /** Writes saves of one project, oldest first. Returns those to be tried again. */
  readonly write: (projectId: string, saves: readonly HeldSave<Save>[]) => Promise<readonly HeldSave<Save>[]>;
}

/** Saves of one project that are written together. */
interface Batch<Save> {
  readonly held: readonly HeldSave<Save>[];
  /** The project was deleted meanwhile: what cannot be written is not tried again. */
  isVoid: boolean;
}

/** The number of saves of one project that may wait. */
const MAX_HELD = 32;

/**
 * The time after a save in which others of the same IDE and project wait, so that an eager agent writes once. What
 * waits is written when the time is over, when the gateway stops, and before the project is read.
 */
export class SaveWindows<Save> {
  readonly #options: SaveWindowsOptions<Save>;
  /** The time at which the newest write of each IDE and project began. */
  readonly #writtenAt = new Map<string, number>();
  readonly #held = new Map<string, HeldSave<Save>[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #flushing = new Map<string, Promise<void>>();
  /** The write under way, or one that waits for an earlier write. */
  readonly #batches = new Map<string, Set<Batch<Save>>>();

  constructor(options: SaveWindowsOptions<Save>) {
    this.#options = options;
  }

  /** Returns true if a save has to wait. */
  isOpen(projectId: string, sourceIde: string): boolean {
    const writtenAt = this.#writtenAt.get(keyOf(projectId, sourceIde));
    const isRecent = writtenAt !== undefined && performance.now() - writtenAt < this.#options.windowMs;
    return isRecent && (this.#held.get(projectId)?.length ?? 0) < MAX_HELD;
  }

  /** A save is being written: the next ones wait. Returns how to take that back, when the write failed. */
  open(projectId: string, sourceIde: string): () => void {
    const key = keyOf(projectId, sourceIde);
    const before = this.#writtenAt.get(key);
    this.#forgetOld();
    this.#writtenAt.set(key, performance.now());
    return () => {
      if (before === undefined) this.#writtenAt.delete(key);
      else this.#writtenAt.set(key, before);
    };
  }

  /** Keeps a save until its window ends. */
  hold(held: HeldSave<Save>): void {
    const { projectId, sourceIde } = held;
    this.#held.set(projectId, [...this.heldFor(projectId), held]);
    const writtenAt = this.#writtenAt.get(keyOf(projectId, sourceIde)) ?? performance.now();
    this.#schedule(projectId, writtenAt + this.#options.windowMs - performance.now());
  }

  /** Returns the saves that wait for a project, oldest first. */
  heldFor(projectId: string): readonly HeldSave<Save>[] {
    return this.#held.get(projectId) ?? [];
  }

  /** Writes what waits for a project now. Never rejects: what could not be written goes on waiting. */
  flush(projectId: string): Promise<void> {
    const before = this.#flushing.get(projectId);
    const held = this.heldFor(projectId);
    if (held.length === 0) return before ?? Promise.resolve();
    this.#held.delete(projectId);
    clearTimeout(this.#timers.get(projectId));
    this.#timers.delete(projectId);
    const batch: Batch<Save> = { held, isVoid: false };
    this.#batches.set(projectId, (this.#batches.get(projectId) ?? new Set()).add(batch));
    const run = (before ?? Promise.resolve()).then(() => this.#write(projectId, batch));
    this.#flushing.set(projectId, run);
    return run.then(() => {
      if (this.#flushing.get(projectId) === run) this.#flushing.delete(projectId);
    });
  }

  async flushAll(): Promise<void> {
    await Promise.all([...this.#held.keys(), ...this.#flushing.keys()].map((projectId) => this.flush(projectId)));
  }

  /**
   * Drops the saves that wait for a project: it is being deleted. Resolves when nothing that was held until now is written any more,
   * so that no write brings the project back.
   */
  async drop(projectId: string): Promise<void> {
    this.#held.delete(projectId);
    clearTimeout(this.#timers.get(projectId));
    this.#timers.delete(projectId);
    for (const key of this.#writtenAt.keys()) if (key.startsWith(`${projectId} `)) this.#writtenAt.delete(key);
    for (const batch of this.#batches.get(projectId) ?? []) batch.isVoid = true;
    await this.#flushing.get(projectId);
  }

  /** Writes what waits and lets go of all timers. */
  async stop(): Promise<void> {
    await this.flushAll();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #write(projectId: string, batch: Batch<Save>): Promise<void> {
    const left = batch.isVoid ? [] : await this.#writeNow(projectId, batch.held);
    const batches = this.#batches.get(projectId);
    batches?.delete(batch);
    if (batches?.size === 0) this.#batches.delete(projectId);
    if (left.length === 0 || batch.isVoid) return;
    this.#held.set(projectId, [...left, ...this.heldFor(projectId)]);
    this.#schedule(projectId, this.#options.windowMs);
  }

  #writeNow(projectId: string, held: readonly HeldSave<Save>[]): Promise<readonly HeldSave<Save>[]> {
    for (const { sourceIde } of held) this.open(projectId, sourceIde);
    return this.#options.write(projectId, held);
  }

  /** Starts the timer. It does not keep the process alive: the process writes waiting saves before it ends. */
  #schedule(projectId: string, ms: number): void {
    if (this.#timers.has(projectId)) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(projectId);
        void this.flush(projectId);
      },
      Math.max(0, ms),
    ).unref();
    this.#timers.set(projectId, timer);
  }

  #forgetOld(): void {
    const oldest = performance.now() - this.#options.windowMs;
    for (const [key, writtenAt] of this.#writtenAt) if (writtenAt < oldest) this.#writtenAt.delete(key);
  }
}

function keyOf(projectId: string, sourceIde: string): string {
  return `${projectId} ${sourceIde}`;
}
