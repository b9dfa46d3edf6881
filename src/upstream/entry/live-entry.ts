import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';

/** The keys of an entry that may change while its process or connection stays: the server is told about none of them. */
const LIVE_KEYS = [
  'prefix',
  'restart',
  'start',
  'idleStopMs',
  'stateless',
  'timeouts',
  'maxConcurrency',
  'tools',
  'validation',
  'pins',
  'inferHints',
  'instructions',
] as const satisfies readonly (keyof UpstreamEntry)[];

const LIVE: ReadonlySet<string> = new Set(LIVE_KEYS);

type Rules = Pick<UpstreamEntry, (typeof LIVE_KEYS)[number]>;

/**
 * An entry of a running upstream, whose rules follow the config. Those who read a rule when they need it always get the one
 * that holds now.
 */
export class LiveEntry {
  /** The entry as it is now: the same object for as long as the upstream runs. */
  readonly entry: UpstreamEntry;
  #rules: Rules;

  constructor(entry: UpstreamEntry) {
    this.#rules = entry;
    const own = Object.entries(entry).filter(([key]) => !LIVE.has(key));
    const rule = (key: (typeof LIVE_KEYS)[number]) => ({ enumerable: true, get: () => this.#rules[key] });
    const rules = Object.fromEntries(LIVE_KEYS.map((key) => [key, rule(key)]));
    this.entry = Object.defineProperties(Object.fromEntries(own), rules) as unknown as UpstreamEntry;
  }

  /**
   * Takes over the rules of the entry as the config has it now. The rest of it must be as before: see `connectionIdentity`.
   * @returns whether any rule is another one
   */
  take(entry: UpstreamEntry): boolean {
    const before = JSON.stringify(rulesOf(this.#rules));
    this.#rules = entry;
    return JSON.stringify(rulesOf(entry)) !== before;
  }
}

/**
 * Returns a text that is the same for entries whose process or connection is the same, regardless of their rules. The
 * windows of an IDE are found again for each change: no process is lost by that.
 */
export function connectionIdentity(entry: UpstreamEntry): string {
  if (entry.ports !== undefined) return JSON.stringify(entry);
  return JSON.stringify(Object.entries(entry).filter(([key]) => !LIVE.has(key)));
}

function rulesOf(entry: Rules): readonly unknown[] {
  return LIVE_KEYS.map((key) => entry[key]);
}
