import { TransientSet } from '../../../core/collections/transient-set.ts';
import type { OpenExchange } from './post.ts';

/** A call that is silent for this long gets a sign of life, in milliseconds. */
const SILENCE_MS = 15_000;

/** The answers to POSTs that are not complete. */
export class OpenPosts {
  readonly #open = new TransientSet<OpenExchange>();
  #onIdle: (() => void) | undefined;

  onBegun(exchange: OpenExchange): void {
    this.#open.add(exchange);
  }

  onSettled(exchange: OpenExchange): void {
    this.#open.delete(exchange);
    if (this.#open.size === 0) this.#onIdle?.();
  }

  /** Resolves when the last answer is complete, after `ms` milliseconds at the latest. */
  async whenIdle(ms: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, ms);
      this.#onIdle = () => {
        clearTimeout(patience);
        resolve();
      };
    });
  }

  /** Gives a sign of life of those that have been waited for. `now` counts as `performance.now()` does. */
  keepAlive(now: number): void {
    for (const exchange of this.#open.values()) if (now - exchange.startedAt >= SILENCE_MS) exchange.keepAlive();
  }
}
