import type { Era } from '../providers/provider.ts';
import type { UpstreamEntry } from '../settings/upstream-entry.ts';

/** The era that an upstream was found to be of, and when. */
export interface EraVerdict {
  readonly era: Era;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Keeps what upstreams were found to be, so that they need not be asked at every start. Never throws. */
export interface EraCache {
  /** Returns the era found for an equal entry, however long ago. */
  load(entry: UpstreamEntry): EraVerdict | undefined;
  save(entry: UpstreamEntry, era: Era): void;
  /** It was not so this time. */
  forget(entry: UpstreamEntry): void;
}

const VALID_MS = 24 * 60 * 60 * 1000;

/** Returns the era that a verdict still vouches for. A date in the future says that the clock was changed, and nothing else. */
export function stillKnown(verdict: EraVerdict | undefined, now: number): Era | undefined {
  if (verdict === undefined || verdict.at > now || now - verdict.at >= VALID_MS) return undefined;
  return verdict.era;
}
