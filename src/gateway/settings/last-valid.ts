import type { Config } from '../../config/schema.ts';
import type { BrokenEntry } from '../../config/upstreams/broken-entry.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';

export interface WithLastValid {
  readonly config: Config;
  /** Entries that have a fault now and stay as they were before. */
  readonly kept: readonly BrokenEntry[];
}

/**
 * Lets entries that have a fault now stay as they were in the config that is in force. An entry that is new, that is
 * switched off, or whose prefix now belongs to another entry, does not run.
 * @param config the config as its file is now
 * @param before the config that is in force
 */
export function withLastValid(config: Config, before: Config): WithLastValid {
  const prefixes = new Set(config.upstreams.map(({ prefix }) => prefix));
  const earlier = new Map(before.upstreams.map((entry) => [entry.key, entry]));
  const kept = new Map<string, UpstreamEntry>();
  for (const { key, isDisabled } of config.broken) {
    const entry = isDisabled ? undefined : earlier.get(key);
    if (entry === undefined || prefixes.has(entry.prefix)) continue;
    prefixes.add(entry.prefix);
    kept.set(key, entry);
  }
  if (kept.size === 0) return { config, kept: [] };
  const running = new Map([...config.upstreams.map((entry) => [entry.key, entry] as const), ...kept]);
  return {
    config: {
      ...config,
      upstreams: config.order.flatMap((key) => running.get(key) ?? []),
      broken: config.broken.filter(({ key }) => !kept.has(key)),
    },
    kept: config.broken.filter(({ key }) => kept.has(key)),
  };
}
