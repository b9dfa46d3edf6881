import { throttle } from '../../../core/timing/throttle.ts';

/** However fast clients come and go, a stream is replaced less than four times a second. */
const CHANGE_LIMITS = { burst: 4, intervalMs: 300 };

/** Has changes of what is wanted applied at a bearable rate, and holds those who wait until they are in effect. */
export class WantedChanges {
  readonly #throttle;
  #isDue = false;
  #waiting: (() => void)[] = [];

  /** @param apply applies all changes so far; it calls `begin` and, once they are in effect, `release` */
  constructor(apply: () => void) {
    this.#throttle = throttle(apply, CHANGE_LIMITS);
  }

  /** Tells whether a change has come that is not being applied yet. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Notes a change. Resolves when those who wait are released. */
  note(): Promise<void> {
    this.#isDue = true;
    const changed = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#throttle.request();
    return changed;
  }

  /** All changes so far are being applied. */
  begin(): void {
    this.#isDue = false;
  }

  /** Releases those who wait. */
  release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Forgets the changes, which can no longer be applied, and releases the waiters. */
  clear(): void {
    this.#throttle.cancel();
    this.#isDue = false;
    this.release();
  }
}
