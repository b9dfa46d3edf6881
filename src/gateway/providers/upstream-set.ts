import type { Config } from '../../config/schema.ts';
import { brokenReason } from '../../config/upstreams/broken-entry.ts';
import { NO_TRAITS } from '../../core/settings/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Masker } from '../../telemetry/masker.ts';
import { BrokenUpstream } from '../../upstream/broken/broken-upstream.ts';
import { connectionIdentity, LiveEntry } from '../../upstream/entry/live-entry.ts';
import type { RunningUpstream } from './running-upstream.ts';
import { Successors } from './successors.ts';
import type { UpstreamFactory } from './upstream-factory.ts';

interface RunningEntry {
  /** The part of its entry that decides about its process. */
  readonly identity: string;
  /** Absent if the entry has a fault. */
  readonly live?: LiveEntry;
  readonly upstream: RunningUpstream;
}

export interface UpstreamSetOptions {
  readonly factory: Pick<UpstreamFactory, 'create'>;
  readonly masker: Pick<Masker, 'mask'>;
  readonly log: Pick<Log, 'error'>;
}

/** The entries of a config, as much of it as makes upstreams. */
export type EntryConfig = Pick<Config, 'upstreams' | 'broken' | 'order'>;

/** The upstreams that the entries of a config ask for, in the order of the config. */
export class UpstreamSet {
  readonly #options: UpstreamSetOptions;
  #entries: readonly RunningEntry[] = [];

  constructor(options: UpstreamSetOptions) {
    this.#options = options;
  }

  /** Returns the upstreams in the order of the config. */
  upstreams(): readonly RunningUpstream[] {
    return this.#entries.map(({ upstream }) => upstream);
  }

  /**
   * Starts what the config asks for and is not there, and lets go of what it no longer has. The new upstreams are in place when
   * this returns.
   * @returns what resolves when those that were let go of are gone.
   */
  apply(config: EntryConfig): Promise<unknown> {
    const before = new Successors(this.#entries);
    const after = config.upstreams.map((entry): RunningEntry => {
      const identity = connectionIdentity(entry);
      const kept = before.keep(identity);
      if (kept?.live?.take(entry) === true) kept.upstream.onRulesChanged?.();
      return kept ?? this.#start(identity, new LiveEntry(entry));
    });
    after.push(...this.#applyBroken(config, before));
    this.#entries = inOrder(after, config.order);
    return Promise.all(before.left().map(({ upstream }) => upstream.stop('its entry was changed or removed')));
  }

  /** Ends all upstreams. Resolves when their processes are gone. */
  async stop(reason: string): Promise<void> {
    await Promise.all(this.#entries.map(({ upstream }) => upstream.stop(reason)));
  }

  #start(identity: string, live: LiveEntry): RunningEntry {
    const upstream = this.#options.factory.create(live.entry, NO_TRAITS);
    upstream.start();
    return { identity, live, upstream };
  }

  /** Shows entries that have a fault as failed. */
  #applyBroken({ broken }: EntryConfig, before: Successors<RunningEntry>): RunningEntry[] {
    const { log, masker } = this.#options;
    const shown = broken.filter(({ isDisabled }) => !isDisabled);
    return shown.map((entry): RunningEntry => {
      const { key, prefix } = entry;
      const reason = masker.mask(brokenReason(entry));
      const identity = JSON.stringify(['broken', key, prefix, reason]);
      const kept = before.keep(identity);
      if (kept !== undefined) return kept;
      log.error({ event: 'entry-fault', upstream: key, reason }, 'an entry of the config cannot be used');
      return { identity, upstream: new BrokenUpstream({ key, prefix, reason }) };
    });
  }
}

function inOrder(entries: readonly RunningEntry[], order: readonly string[]): RunningEntry[] {
  const places = new Map(order.map((key, place) => [key, place]));
  const placeOf = ({ upstream }: RunningEntry) => places.get(upstream.id) ?? order.length;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
}
