import { EMPTY_LISTING, type Listing } from '../../core/providers/provider.ts';
import type { UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { Upstream } from '../upstream.ts';
import type { ServerOffer } from './server-offer.ts';
import type { Shown } from './shown.ts';

/** A process in one of these states is not tried again by itself, and shows none of its lists. */
const GIVEN_UP: ReadonlySet<string> = new Set(['crash-loop', 'failed']);

/**
 * Chooses what is shown of an upstream with several processes: what a process says that is ready, the same one as long as
 * it is; else what the last such one said, though it may be gone; else what is known from an earlier run. No process that ends,
 * or keeps ending, takes anything away.
 */
export class Offer {
  /** The process that was ready last; it may be gone. */
  #last: Upstream | undefined;

  /** The process that was ready last, if any was; else none. */
  get last(): readonly Upstream[] {
    return this.#last === undefined ? [] : [this.#last];
  }

  /** Notes that a process changed its state or its lists: if it is ready, it is the one that was read last. */
  onChange(upstream: Upstream): void {
    if (upstream.shown.state.name === 'ready') this.#last = upstream;
  }

  /** Returns a process that is ready, if there is one: the same one as long as it is ready. */
  leader(living: Iterable<Upstream>): Upstream | undefined {
    let found: Upstream | undefined;
    for (const upstream of living) {
      if (upstream.shown.state.name !== 'ready') continue;
      if (upstream === this.#last) return upstream;
      found = upstream;
    }
    if (found !== undefined) this.#last = found;
    return found;
  }

  /** Chooses what to show; `living` are the present processes. */
  shown(living: readonly Upstream[]): Shown | undefined {
    const leader = this.leader(living);
    if (leader !== undefined) return leader.shown;
    const last = this.#last;
    if (last !== undefined) return lastKnown(last.shown, living);
    const present = living.find(({ shown }) => !GIVEN_UP.has(shown.state.name));
    return present?.shown ?? (living[0] && lastKnown(living[0].shown, living));
  }

  /**
   * Returns whether the upstream's offer must still be read: nothing is known of it, and no process is on the way
   * to tell.
   */
  needsScout(living: readonly Upstream[]): boolean {
    if (this.#last !== undefined) return false;
    return living.every(({ shown }) => !shown.knowsTools && GIVEN_UP.has(shown.state.name));
  }
}

/** Returns what a server said last, though its connection may be gone, with the status of a present process. */
function lastKnown(last: ServerOffer, living: readonly Upstream[]): Shown {
  return {
    listing: () => last.knownListing,
    isKnown: (kind) => last.isKnown(kind),
    era: () => last.era(),
    declared: () => last.declared(),
    withheld: () => last.withheld(),
    acceptsUnlisted: (kind, ownName) => last.acceptsUnlisted(kind, ownName),
    instructions: () => last.instructions(),
    status: () => {
      const present = living[0]?.status();
      return present === undefined
        ? atRest(last.status(), last.knownListing)
        : { ...present, counts: countsOf(last.knownListing) };
    },
  };
}

/** Returns a status that says that nothing runs, and that nothing is wrong with that. */
function atRest({ pid: _pid, lastError: _lastError, ...status }: UpstreamStatus, listing: Listing): UpstreamStatus {
  const reason = 'no client uses it now; it is started when one calls';
  return { ...status, state: 'idle', reason, counts: countsOf(listing) };
}

function countsOf({ tool, prompt, resource, template }: Listing = EMPTY_LISTING): UpstreamStatus['counts'] {
  return { tools: tool.length, prompts: prompt.length, resources: resource.length, templates: template.length };
}
