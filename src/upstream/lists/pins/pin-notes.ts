import type { PinBook, PinStore, StoredPins } from '../../../core/stores/pin-store.ts';
import { QuietTimer } from '../../../core/timing/quiet-timer.ts';

/** The number of pins from which on notes are stored later: to write all pins for each changed tool takes long. */
const MANY = 300;
const RULES = { quietMs: 1_000, maxWaitMs: 10_000 };

export interface PinNotesOptions {
  readonly store: Pick<PinStore, 'load' | 'save'>;
  readonly upstream: string;
  /** Returns these pins with all notes that are due now. */
  readonly noted: (pins: PinBook) => PinBook;
}

/**
 * Stores notes of tools that differ from their approved version: at once, or after a quiet second if there are many pins.
 * Notes that a killed process has not stored are made again when the list is read: nothing counts as approved by them.
 */
export class PinNotes {
  readonly #options: PinNotesOptions;
  /** Notes that are not stored yet, and the stored pins without them. */
  #late: { readonly stored: PinBook; readonly noted: PinBook } | undefined;
  readonly #timer = new QuietTimer(RULES, () => this.flush());

  constructor(options: PinNotesOptions) {
    this.#options = options;
  }

  /** Returns the pins with all notes, also those that are not stored yet. */
  load(): StoredPins {
    const stored = this.#stored();
    return this.#late !== undefined && stored === this.#late.stored ? this.#late.noted : stored;
  }

  /** Stores notes, now or soon. */
  save(noted: PinBook): void {
    const stored = this.#stored();
    if (typeof stored === 'string' || noted.size < MANY) {
      this.#late = undefined;
      this.#options.store.save(this.#options.upstream, noted);
    } else {
      this.#late = { stored, noted };
      this.#timer.touch();
    }
  }

  /** Stores what is not stored yet. */
  flush(): void {
    this.#timer.clear();
    const late = this.#late;
    if (late === undefined) return;
    this.#late = undefined;
    const { store, upstream, noted } = this.#options;
    const stored = this.#stored();
    // A file that cannot be read now may have approvals in it.
    if (typeof stored === 'string') return;
    // A command may have approved tools since.
    const pins = stored === late.stored ? late.noted : noted(stored);
    if (pins !== stored) store.save(upstream, pins);
  }

  #stored(): StoredPins {
    return this.#options.store.load(this.#options.upstream);
  }
}
