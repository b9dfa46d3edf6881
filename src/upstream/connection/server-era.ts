import type { Era } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { type EraCache, stillKnown } from '../../core/stores/era-cache.ts';
import type { Opening } from './handshake.ts';

/** Knows of which era a server is: from its entry, from what it did, or from an earlier run. */
export class ServerEra {
  readonly #entry: UpstreamEntry;
  readonly #eras: EraCache;
  #diedOfAsking = false;

  constructor(entry: UpstreamEntry, eras: EraCache) {
    this.#entry = entry;
    this.#eras = eras;
  }

  /** Returns the way in which the server should be opened. */
  get opening(): Opening {
    const { era } = this.#entry;
    if (era !== 'auto') return era === 'legacy' ? 'legacy' : 'modern';
    if (this.#diedOfAsking) return 'assume-legacy';
    const known = stillKnown(this.#eras.load(this.#entry), Date.now());
    return known === undefined ? 'ask' : `assume-${known}`;
  }

  /** Notes that a process ended when it was asked of which era it is. */
  onDiedOfAsking(): void {
    this.#diedOfAsking = true;
  }

  /** Notes the era in which a handshake was done. */
  onConnected(era: Era): void {
    if (era === 'modern') this.#diedOfAsking = false;
    if (this.#entry.era !== 'auto') return;
    // The stored date is that of the last time the server was asked: a confirmed assumption does not renew it.
    if (stillKnown(this.#eras.load(this.#entry), Date.now()) !== era) this.#eras.save(this.#entry, era);
  }

  /** Notes that a server could not be opened in this way: an assumption may be wrong, and the next time the server is asked. */
  onNotConnected(opening: Opening): void {
    if (opening.startsWith('assume-')) this.#eras.forget(this.#entry);
  }
}
