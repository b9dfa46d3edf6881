import type { LaneWork, Leave } from './call-lane.ts';

/** The place of one call among those that wait or run, from when it asks for its turn until it is over. */
export class CallTurn<Call> implements LaneWork {
  readonly #call: Call;
  readonly #onBegun: (call: Call) => void;
  #hasBegun = false;
  /** Gives up the place: among those that wait, or, when the turn has come, to the next of them. */
  #leave: Leave | undefined;

  constructor(call: Call, onBegun: (call: Call) => void) {
    this.#call = call;
    this.#onBegun = onBegun;
  }

  /** Tells whether the turn has come. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The turn has come. */
  begin(done: () => void): void {
    this.#hasBegun = true;
    this.#leave = done;
    this.#onBegun(this.#call);
  }

  /** Takes what `CallOrder` says about the turn: how it is left while it waits. */
  wait(leave: Leave | undefined): void {
    if (leave !== undefined) this.#leave = leave;
  }

  /** Leaves the place to others, once. */
  end(): void {
    const leave = this.#leave;
    this.#leave = undefined;
    leave?.();
  }
}
