import type { Engine } from './engine.ts';

/** Receives the word that another process announced, or nothing if it is not known what has changed. */
export type Watcher = (word?: string) => void;

/** The watchers of a database. They stay while engines come and go: each new engine is watched for them. */
export class DatabaseWatchers {
  /** The watchers, with how to stop watching the engine that is open now; `undefined` while none is. */
  readonly #stops = new Map<Watcher, (() => void) | undefined>();

  get isEmpty(): boolean {
    return this.#stops.size === 0;
  }

  add(watcher: Watcher): void {
    this.#stops.set(watcher, undefined);
  }

  remove(watcher: Watcher): void {
    this.#stops.get(watcher)?.();
    this.#stops.delete(watcher);
  }

  /** Watches the engine for those that do not watch one yet. */
  attach(engine: Engine): void {
    for (const [watcher, stop] of this.#stops) {
      if (stop === undefined) this.#stops.set(watcher, engine.watch(watcher));
    }
  }

  /** Stops watching the engine; the watchers stay. */
  detach(): void {
    for (const [watcher, stop] of this.#stops) {
      stop?.();
      this.#stops.set(watcher, undefined);
    }
  }

  /** Calls every watcher, because it is not known what has changed. */
  wakeAll(): void {
    for (const watcher of this.#stops.keys()) watcher();
  }
}
