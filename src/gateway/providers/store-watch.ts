import type { Log } from '../../telemetry/log.ts';
import type { RunningUpstream } from './running-upstream.ts';

/** A store that commands change, too, while this gateway runs. */
interface WatchedStore {
  /** Calls `onChange` after each change, with the upstream where the store can tell; returns what ends the watch. */
  watch(onChange: (upstream?: string) => void): () => void;
}

export interface StoreWatchOptions {
  readonly pins: WatchedStore;
  readonly credentials: WatchedStore;
  readonly upstreams: () => readonly Pick<RunningUpstream, 'id' | 'onPinsChanged' | 'onCredentialsChanged'>[];
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Tells upstreams when their tools were approved, or a user has logged in, also by a command that does not find this
 * gateway.
 */
export class StoreWatch {
  readonly #options: StoreWatchOptions;
  #unwatch: readonly (() => void)[] = [];

  constructor(options: StoreWatchOptions) {
    this.#options = options;
  }

  /** Begins to watch both stores. */
  start(): void {
    const { pins, credentials } = this.#options;
    this.#unwatch = [
      pins.watch((key) => this.onPinsChanged(key)),
      credentials.watch(() => this.#onCredentialsChanged()),
    ];
  }

  /** Ends the watch. */
  stop(): void {
    for (const unwatch of this.#unwatch) unwatch();
    this.#unwatch = [];
  }

  /** Tells one upstream, or all of them, that pins may be others now. */
  onPinsChanged(key?: string): void {
    for (const upstream of this.#options.upstreams())
      if (key === undefined || upstream.id === key) upstream.onPinsChanged();
  }

  #onCredentialsChanged(): void {
    const { upstreams, log } = this.#options;
    for (const upstream of upstreams()) {
      upstream
        .onCredentialsChanged()
        .catch((error: unknown) => log.warn({ error, upstream: upstream.id }, 'a login cannot be read'));
    }
  }
}
