import { ProcessQuota } from './process-quota.ts';

/** The most processes of one upstream. */
const MAX_PROCESSES = 64;

/** The places for processes of single clients of one upstream: each is one of this upstream's and one of those of all. */
export class ProcessPlaces {
  readonly #own = new ProcessQuota(MAX_PROCESSES);
  readonly #all: ProcessQuota;

  /** @param all the places of all upstreams together */
  constructor(all: ProcessQuota) {
    this.#all = all;
  }

  /** Takes a place. Returns the function that gives it back, or `undefined` if there is none for this principal. */
  take(principal: string | undefined): (() => void) | undefined {
    const leaveOwn = this.#own.take(principal);
    if (leaveOwn === undefined) return undefined;
    const leaveAll = this.#all.take(principal);
    if (leaveAll === undefined) {
      leaveOwn();
      return undefined;
    }
    return () => {
      leaveOwn();
      leaveAll();
    };
  }
}
