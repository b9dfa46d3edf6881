import type { UpstreamEntry } from '../settings/upstream-entry.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/**
 * Keeps what servers have declared, so that clients can be told before a server has started. Never throws: a cache that cannot
 * be read is no cache.
 */
export interface DeclaredCache {
  /** Returns the capabilities that the server of an equal entry declared, or `undefined`. */
  load(entry: UpstreamEntry): Capabilities | undefined;
  save(entry: UpstreamEntry, declared: Capabilities): void;
}
