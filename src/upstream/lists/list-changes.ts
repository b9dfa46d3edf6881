import type { EntryKind } from '../../core/providers/provider.ts';
import { throttle } from '../../core/timing/throttle.ts';
import { WorkBudget } from '../../core/timing/work-budget.ts';

/** However often an upstream says that a list changed, it is read less than four times a second. */
const CHANGE_LIMITS = { burst: 4, intervalMs: 300 };

/** Changes are read in a twentieth of the time, however long it takes to read one. */
const WORK_LIMITS = { share: 1 / 20, creditMs: 200, maxRestMs: 60_000 };

/** Collects the lists that are said to have changed, and has them asked for no more often than is bearable. */
export class ListChanges {
  readonly #askFor: (kind: EntryKind) => void;
  /** Said to have changed, and not asked for yet. */
  readonly #changed = new Set<EntryKind>();
  readonly #throttle = throttle(() => this.#askForChanged(), CHANGE_LIMITS);
  readonly #budget = new WorkBudget(WORK_LIMITS);
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

  /** Counts work on lists, in milliseconds: lists that take long are read less often, however often they are said to have changed. */
  spend(workMs: number): void {
    this.#budget.spend(workMs);
  }

  /** Forgets what has changed: the connection is gone, and the next one reads all lists. */
  clear(): void {
    this.#throttle.cancel();
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#changed.clear();
  }

  #askForChanged(): void {
    const waitMs = this.#budget.waitMs();
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
