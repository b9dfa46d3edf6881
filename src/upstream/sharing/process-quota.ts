/** The number of processes of single clients that may run at one time, of all upstreams together. */
const MAX_PROCESSES = 256;

/**
 * A number of processes, of which one principal gets at most half, so that no client can fill the machine from outside or keep
 * others out. If no authentication is required, all count as one and get the whole.
 */
export class ProcessQuota {
  readonly #limit: number;
  readonly #taken = new Map<string | undefined, number>();
  #count = 0;

  constructor(limit: number = MAX_PROCESSES) {
    this.#limit = limit;
  }

  /** Takes a place. Returns what gives it back, or `undefined` if there is none for this principal. */
  take(principal: string | undefined): (() => void) | undefined {
    const before = this.#taken.get(principal) ?? 0;
    const most = principal === undefined ? this.#limit : Math.ceil(this.#limit / 2);
    if (this.#count >= this.#limit || before >= most) return undefined;
    this.#count++;
    this.#taken.set(principal, before + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack(principal);
      isTaken = false;
    };
  }

  #giveBack(principal: string | undefined): void {
    this.#count--;
    const left = this.#taken.get(principal)! - 1;
    if (left === 0) this.#taken.delete(principal);
    else this.#taken.set(principal, left);
  }
}
