import { setTimeout as pause } from 'node:timers/promises';
import { globTest } from '../../core/access/name-filter.ts';
import type { AuditEntry } from '../../core/providers/audit-entry.ts';
import type { AuditLevel } from '../../core/providers/audit-level.ts';
import type { EventStore, PlacedEvent } from '../../core/stores/event-store.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { openEventStore } from '../../store/events/open-event-store.ts';

export interface AuditFilter {
  /** Glob for names of tools and prompts, and for URIs. */
  readonly tool?: string | undefined;
  /** First characters of the id of the session. */
  readonly session?: string | undefined;
  readonly level?: AuditLevel | undefined;
  /** Only calls that did not succeed. */
  readonly failed?: boolean | undefined;
}

const PAGE = 1_000;
/** Maximum number of rows; if there are more, the newest are returned. */
export const MOST_ENTRIES = 200_000;
const FOLLOW_EVERY_MS = 500;
/** A length that no name or URI in the audit exceeds. */
const MAX_TARGET_LENGTH = 4_096;
/**
 * The number of ids by which a late event can be behind: with several open transactions, a lower id may become visible
 * after a higher one.
 */
const LATE_IDS = 1_000;
/** The time by which to look back again, in milliseconds: gateways store their calls with different delays. */
const OVERLAP_MS = 10_000;

/** The audit in the config's database, whether or not a gateway runs. */
export class AuditReader {
  readonly #database: Database;
  readonly #store: EventStore;
  readonly #matches: (entry: AuditEntry) => boolean;

  constructor({ config, home }: Settings, filter: AuditFilter) {
    this.#database = openDatabase({ home, url: config.database });
    this.#store = openEventStore({ database: this.#database, home });
    this.#matches = matcherOf(filter);
  }

  /** Returns the rows since a time in milliseconds since 1970, newest last. */
  async since(time: number): Promise<readonly AuditEntry[]> {
    return this.#read(time);
  }

  /** The same, and then what is stored later, as it comes: some at a time, forever. */
  async *follow(time: number): AsyncGenerator<readonly AuditEntry[]> {
    let last = (await this.#store.newest({ kind: 'audit' }, 1))[0];
    const before = await this.#storedAfter((last?.id ?? 0) - LATE_IDS);
    let known = new Set(before.map(keyOf));
    yield await this.#read(time, (event) => known.add(keyOf(event)));
    for (;;) {
      await pause(FOLLOW_EVERY_MS);
      let stored = await this.#storedAfter((last?.id ?? 0) - LATE_IDS);
      if (last !== undefined && !stored.some((event) => keyOf(event) === keyOf(last!))) {
        // Another database took the place of this one, and counts from the start; or old events were removed.
        const since = last.at - OVERLAP_MS;
        stored = (await this.#storedAfter(0)).filter(({ at }) => at >= since);
      }
      const fresh = stored.filter((event) => !known.has(keyOf(event)));
      known = new Set(stored.map(keyOf));
      last = stored.at(-1) ?? last;
      yield fresh.map(entryOf).filter(this.#matches);
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Returns the matching rows since `since`; `onSeen` gets all rows that were read. */
  async #read(since: number, onSeen?: (event: PlacedEvent) => void): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = [];
    let page: readonly PlacedEvent[] = [];
    do {
      page = await this.#store.newest({ kind: 'audit', since }, PAGE, page.at(-1));
      if (onSeen !== undefined) for (const event of page) onSeen(event);
      entries.push(...page.map(entryOf).filter(this.#matches));
    } while (page.length === PAGE && entries.length < MOST_ENTRIES);
    return entries.slice(0, MOST_ENTRIES).reverse();
  }

  async #storedAfter(id: number): Promise<readonly PlacedEvent[]> {
    const events: PlacedEvent[] = [];
    let page: readonly PlacedEvent[];
    do {
      page = await this.#store.after('audit', events.at(-1)?.id ?? Math.max(0, id), PAGE);
      events.push(...page);
    } while (page.length === PAGE);
    return events;
  }
}

/** Ids alone come again in another database. */
function keyOf({ id, at, session = '' }: PlacedEvent): string {
  return `${id} ${at} ${session}`;
}

function matcherOf({ tool, session, level, failed }: AuditFilter): (entry: AuditEntry) => boolean {
  const isMeant = globTest([tool ?? '*'], MAX_TARGET_LENGTH, false);
  return (entry) =>
    isMeant(entry.tool) &&
    (session === undefined || entry.session.startsWith(session)) &&
    (level === undefined || entry.level === level) &&
    (failed !== true || entry.outcome !== 'ok');
}

type StoredBody = Omit<AuditEntry, 'at' | 'session' | 'client' | 'tool'>;

/** Returns the members in the order of the file. */
function entryOf({ at, type, agent, session, body }: PlacedEvent): AuditEntry {
  // As `EventQueue` has stored it.
  const { principal, method, provider, level, ...facts } = JSON.parse(body) as StoredBody;
  return {
    at: new Date(at).toISOString(),
    session: session ?? '',
    client: agent,
    principal,
    method,
    tool: type,
    provider,
    level,
    ...facts,
  };
}
