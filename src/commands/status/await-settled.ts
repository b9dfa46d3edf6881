import { setTimeout as delay } from 'node:timers/promises';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';

const POLL_MS = 100;
/** A list of names is told again after this time, as long as it is the same wait. */
const TELL_AGAIN_MS = 5_000;
const MAX_NAMES = 5;

interface UpstreamFacts {
  readonly key: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

type EntryFacts = Pick<UpstreamEntry, 'key' | 'restart'> & {
  readonly timeouts: Pick<UpstreamEntry['timeouts'], 'connectMs' | 'listMs'>;
};

export interface SettlingOptions {
  /** Reads the states of all upstreams. */
  readonly ask: () => Promise<readonly UpstreamFacts[]>;
  /** The entries of the config. */
  readonly entries: readonly EntryFacts[];
  /** Gets a line for people from time to time while this waits. */
  readonly tell: (line: string) => void;
}

/**
 * Resolves when no upstream is being started any more: each is ready, or it is known why it is not. Gives up when nothing
 * has changed for as long as the slowest entry may take to start (`timeouts.connectMs` and `timeouts.listMs`).
 */
export async function awaitSettled({ ask, entries, tell }: SettlingOptions): Promise<void> {
  const limitMs = Math.max(0, ...entries.map(({ timeouts }) => timeouts.connectMs + timeouts.listMs));
  const isAlways = new Set(entries.filter(({ restart }) => restart === 'always').map(({ key }) => key));
  let [count, changedAt, toldAt] = [Number.POSITIVE_INFINITY, performance.now(), Number.NEGATIVE_INFINITY];
  for (;;) {
    const open = (await ask()).filter(
      // One that waits for its first call says so.
      ({ key, state, reason }) =>
        state === 'starting' || (state === 'idle' && reason === undefined && isAlways.has(key)),
    );
    const now = performance.now();
    if (open.length !== count) [count, changedAt] = [open.length, now];
    if (open.length === 0 || now - changedAt >= limitMs) return;
    if (now - toldAt >= TELL_AGAIN_MS) {
      tell(waitingLine(open, limitMs));
      toldAt = now;
    }
    await delay(POLL_MS);
  }
}

function waitingLine(open: readonly UpstreamFacts[], limitMs: number): string {
  const names = open.slice(0, MAX_NAMES).map(({ key }) => key);
  const more = open.length > MAX_NAMES ? ` and ${open.length - MAX_NAMES} more` : '';
  return `No gateway runs, so the servers are started for this report. Waiting for ${names.join(', ')}${more} (${Math.ceil(limitMs / 1_000)} s at most) …`;
}
