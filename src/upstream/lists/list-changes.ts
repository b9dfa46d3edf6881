import type { EntryKind } from '../../core/providers/provider.ts';
import { throttle } from '../../core/timing/throttle.ts';

/** However often an upstream says that a list changed, it is read less than four times a second. */
const CHANGE_LIMITS = { burst: 4, intervalMs: 300 };

/** Work on one list that is not worth a rest, in milliseconds. */
const LIGHT_MS = 50;
/** The length of a pause, as a multiple of the time that the work took. */
const REST_FACTOR = 10;
const MAX_REST_MS = 60_000;

/** Collects the lists that are said to have changed, and has them asked for no more often than is bearable. */
export class ListChanges {
  readonly #askFor: (kind: EntryKind) => void;
  /** Said to have changed, and not asked for yet. */
  readonly #changed = new Set<EntryKind>();
  readonly #throttle = throttle(() => this.#askForChanged(), CHANGE_LIMITS);
  /** Changes are not looked at before that, on the clock of `performance.now()`. */
  #restUntil = 0;
  #resting: NodeJS.Timeout | undefined;

  /** @param askFor asks for one list now */
  constructor(askFor: (kind: EntryKind) => void) {
    this.#askFor = askFor;
  }

  /** Notes that these lists have changed. */
  note(kinds: readonly EntryKind[]): void {
    for (const kind of kinds) this.#changed.add(kind);
    this.#throttle.request();
  }

  /** A list that takes long to read is read less often, however often it is said to have changed. */
  restAfter(workMs: number): void {
    if (workMs < LIGHT_MS) return;
    this.#restUntil = performance.now() + Math.min(workMs * REST_FACTOR, MAX_REST_MS);
  }

  /** Forgets what has changed: the connection is gone, and the next one reads all lists. */
  clear(): void {
    this.#throttle.cancel();
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#changed.clear();
  }

  #askForChanged(): void {
    const waitMs = this.#restUntil - performance.now();
    if (waitMs > 0) {
      this.#resting ??= setTimeout(() => {
        this.#resting = undefined;
        this.#throttle.request();
      }, waitMs).unref();
      return;
    }
    const kinds = [...this.#changed];
    this.#changed.clear();
    for (const kind of kinds) this.#askFor(kind);
  }
}
