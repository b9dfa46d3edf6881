import type { EntryKind, Provider } from '../core/providers/provider.ts';

/** Waits, for a while, until providers have said what they offer. */
export class ProviderWaits {
  readonly #waiters = new Set<() => void>();
  readonly #tooSlow = new WeakSet<Provider>();

  /**
   * Resolves when all of these providers have said what they offer, or after `graceMs`. With a kind, only the lists of this
   * kind are waited for. A provider for which that was too short is not waited for again.
   */
  whenKnown(graceMs: number, providers: () => readonly Provider[], kind?: EntryKind): Promise<void> {
    return this.#whenNone((provider) => !provider.isKnown(kind), graceMs, providers);
  }

  /** Does the same for what they declare, which is known earlier. */
  whenDeclared(graceMs: number, providers: () => readonly Provider[]): Promise<void> {
    return this.#whenNone((provider) => !provider.isKnown() && provider.declared?.() === undefined, graceMs, providers);
  }

  /** Looks again at what is waited for: some provider may have said something. */
  check(): void {
    for (const check of this.#waiters) check();
  }

  async #whenNone(
    isMissing: (provider: Provider) => boolean,
    graceMs: number,
    providers: () => readonly Provider[],
  ): Promise<void> {
    const missing = () => providers().filter((provider) => !this.#tooSlow.has(provider) && isMissing(provider));
    if (missing().length === 0) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        for (const provider of missing()) this.#tooSlow.add(provider);
        resolve();
      };
      const check = () => {
        if (missing().length === 0) finish();
      };
      const timer = setTimeout(finish, graceMs);
      this.#waiters.add(check);
    });
  }
}
