/** Notices that a stream which is in the middle of something says no more. */
export class Silence {
  readonly #ms: number;
  readonly #onSilence: () => 'goes on' | undefined;
  #timer: NodeJS.Timeout | undefined;
  #heardAt = 0;

  /** `onSilence` is called after `ms` without `watch`. If it returns 'goes on', it is called again after as long. */
  constructor(ms: number, onSilence: () => 'goes on' | undefined) {
    this.#ms = ms;
    this.#onSilence = onSilence;
  }

  /** Called when something was heard. Watches from now on, or stops. */
  watch(isInside: boolean): void {
    if (!isInside) {
      if (this.#timer === undefined) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#heardAt = performance.now();
    this.#timer ??= this.#start(this.#ms);
  }

  #start(ms: number): NodeJS.Timeout {
    // Timers come before input: after a pause of the whole process, what has come meanwhile is read first.
    return setTimeout(() => setImmediate(() => this.#look()), ms).unref();
  }

  #look(): void {
    if (this.#timer === undefined) return;
    const leftMs = this.#heardAt + this.#ms - performance.now();
    if (leftMs > 0) this.#timer = this.#start(Math.ceil(leftMs));
    else if (this.#onSilence() === 'goes on') this.#timer = this.#start(this.#ms);
    else this.#timer = undefined;
  }
}
