import type { Caller } from '../../core/providers/provider.ts';
import { type Throttle, throttle } from '../../core/timing/throttle.ts';
import type { Frame } from '../../wire/frame.ts';
import type { Span } from '../../wire/scanning/outline.ts';

/** The limit on progress messages: more than twenty a second are unreadable. */
const LIMITS = { burst: 20, intervalMs: 50 };

/** Thins out a flood of progress: the newest wins, and the last one before the answer always arrives. */
export class NewestProgress {
  readonly #caller: Pick<Caller, 'onProgress'>;
  readonly #throttle: Throttle;
  /** Progress that was not passed on yet. */
  #newest: { readonly frame: Frame; readonly token: Span } | undefined;

  constructor(caller: Pick<Caller, 'onProgress'>) {
    this.#caller = caller;
    this.#throttle = throttle(() => this.#pass(), LIMITS);
  }

  /** Passes progress on, now or later, unless newer progress comes first. `token` is where its token stands. */
  take(frame: Frame, token: Span): void {
    this.#newest = { frame, token };
    this.#throttle.request();
  }

  /** Passes on what waits: the call is over. */
  end(): void {
    this.#throttle.cancel();
    this.#pass();
  }

  #pass(): void {
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest !== undefined) this.#caller.onProgress(newest.frame, newest.token);
  }
}
