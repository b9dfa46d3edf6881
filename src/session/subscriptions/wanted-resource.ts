import type { Provider, RunningCall } from '../../core/providers/provider.ts';

/** The delay before a provider is asked again after a failure, in milliseconds; it grows with each failure. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** A resource of whose changes a client was told that it will hear. */
export class WantedResource {
  /** The id of the provider, which the one that takes its place has too. */
  readonly id: string;
  /** The request by which a provider is being asked again. */
  asking: RunningCall | undefined;
  #provider: Provider | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(provider: Provider) {
    this.id = provider.id;
    this.#provider = provider;
  }

  /** The provider that has agreed; `undefined` while none does, because that one has been replaced. */
  get provider(): Provider | undefined {
    return this.#provider;
  }

  /** Notes that the provider does not report it any more. */
  lose(): void {
    this.#provider = undefined;
    this.#failures = 0;
  }

  /** Notes that asking has failed, and calls back when it is time to ask again. */
  tryLater(again: () => void): void {
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** this.#failures++, MAX_DELAY_MS);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(again, delayMs).unref();
  }

  /** Does not call back any more. */
  stopWaiting(): void {
    clearTimeout(this.#timer);
  }

  /** The client does not want it any more. */
  end(): void {
    this.stopWaiting();
    this.asking?.cancel();
  }
}
