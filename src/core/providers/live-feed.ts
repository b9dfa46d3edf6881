/** An event, for those who watch it live. */
export interface LiveMessage {
  /** The subject, which watchers name: `process:proc-1`. */
  readonly channel: string;
  readonly type: 'process_output' | 'process_status' | 'event' | 'error';
  readonly processId?: string;
  /** Plain JSON. */
  readonly data: unknown;
}

/** Hears of what happens on the channels that it watches. */
export interface LiveWatcher {
  onMessage(message: LiveMessage): void;
  /** While it has no room for more: resolves when it has, or when it will never have. `undefined` if it has room. */
  whenRoom(): Promise<void> | undefined;
}

/**
 * Events inside workflows, handed to those who watch them. A source that produces without end publishes no more until
 * its watchers have room; it is the watchers' business to give up those who are too slow.
 */
export class LiveFeed {
  readonly #watchers = new Map<string, Set<LiveWatcher>>();

  /** Returns how to stop it. */
  watch(channel: string, watcher: LiveWatcher): () => void {
    const watchers = this.#watchers.get(channel) ?? new Set();
    this.#watchers.set(channel, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(channel) === watchers) this.#watchers.delete(channel);
    };
  }

  /** Tells all watchers of the channel. While one of them has no room, resolves when all have; else `undefined`. */
  publish(message: LiveMessage): Promise<void> | undefined {
    const watchers = this.#watchers.get(message.channel);
    if (watchers === undefined) return undefined;
    const full: Promise<void>[] = [];
    for (const watcher of watchers) {
      watcher.onMessage(message);
      const room = watcher.whenRoom();
      if (room !== undefined) full.push(room);
    }
    return full.length === 0 ? undefined : Promise.all(full).then(() => undefined);
  }

  /** Channels that have a watcher. */
  get channels(): readonly string[] {
    return [...this.#watchers.keys()];
  }
}
