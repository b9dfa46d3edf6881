import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEntry } from '../../core/audit-entry.ts';
import type { AuditLevel } from '../../core/call-audit.ts';
import type { EventStore, PlacedEvent } from '../../core/event-store.ts';
import { nameFilter } from '../../core/name-filter.ts';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { openEventStore } from '../../store/events/open-event-store.ts';
import type { Settings } from '../load-settings.ts';

export interface AuditFilter {
  /** Names of tools and uris, by a glob. */
  readonly tool?: string | undefined;
  /** How the id of the session begins. */
  readonly session?: string | undefined;
  readonly level?: AuditLevel | undefined;
  /** Only what did not go well. */
  readonly failed?: boolean | undefined;
}

const PAGE = 1_000;
/** So many are read at most: of more, the newest. */
const MAX_READ = 200_000;
const FOLLOW_EVERY_MS = 500;
/** A call is stored so long after it came, at most, unless the database was out of reach. */
const LATE_MS = 60_000;

/** The audit in the config's database, whether or not a gateway runs. */
export class AuditReader {
  readonly #database: Database;
  readonly #store: EventStore;
  readonly #matches: (entry: AuditEntry) => boolean;

  constructor({ config, home }: Settings, filter: AuditFilter) {
    this.#database = openDatabase({ home, url: config.database });
    this.#store = openEventStore({ database: this.#database });
    this.#matches = matcherOf(filter);
  }

  /** From a time on, in milliseconds since 1970; the newest last. */
  async since(time: number): Promise<readonly AuditEntry[]> {
    return this.#matching(await this.#read(time));
  }

  /** The same, and then what is stored later, as it comes: some at a time, for ever. */
  async *follow(time: number): AsyncGenerator<readonly AuditEntry[]> {
    let known = new Set<number>();
    for (let from = time; ; from = Math.max(time, Date.now() - LATE_MS)) {
      const events = await this.#read(from);
      const before = known;
      yield this.#matching(events.filter(({ id }) => !before.has(id)));
      known = new Set(events.map(({ id }) => id));
      await pause(FOLLOW_EVERY_MS);
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #matching(events: readonly PlacedEvent[]): AuditEntry[] {
    return events.map(entryOf).filter(this.#matches);
  }

  async #read(since: number): Promise<PlacedEvent[]> {
    const events: PlacedEvent[] = [];
    let page: readonly PlacedEvent[];
    do {
      page = await this.#store.newest({ kind: 'audit', since }, PAGE, events.at(-1));
      events.push(...page);
    } while (page.length === PAGE && events.length < MAX_READ);
    return events.reverse();
  }
}

function matcherOf({ tool, session, level, failed }: AuditFilter): (entry: AuditEntry) => boolean {
  const isMeant = nameFilter({ allow: [tool ?? '*'], deny: [] });
  return (entry) =>
    isMeant(entry.tool) &&
    (session === undefined || entry.session.startsWith(session)) &&
    (level === undefined || entry.level === level) &&
    (failed !== true || entry.outcome !== 'ok');
}

type StoredBody = Omit<AuditEntry, 'at' | 'session' | 'client' | 'tool'>;

/** The members in the order of the file. */
function entryOf({ at, type, agent, session, body }: PlacedEvent): AuditEntry {
  // As `EventQueue` has stored it.
  const { principal, method, provider, level, ...facts } = body as unknown as StoredBody;
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
