import { setTimeout as pause } from 'node:timers/promises';
import { auditFileOf } from '../../audit/audit-file-name.ts';
import { AuditIndexer } from '../../audit/index/audit-indexer.ts';
import type { EventStore, PlacedEvent } from '../../core/stores/event-store.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { openAuditStore } from '../../store/events/open-audit-store.ts';
import { openEventStore } from '../../store/events/open-event-store.ts';
import { type AuditFilter, FilteredCalls } from './filtered-calls.ts';

const PAGE = 1_000;
const FOLLOW_EVERY_MS = 500;
/**
 * The number of ids by which a late event can be behind: with several open transactions, a lower id may become visible
 * after a higher one.
 */
const LATE_IDS = 1_000;
/** The time by which to look back again, in milliseconds: gateways store their calls with different delays. */
const OVERLAP_MS = 10_000;

/** The audit of a config, whether or not a gateway runs. */
export class AuditReader {
  readonly #database: Database;
  readonly #store: EventStore;
  readonly #indexer: AuditIndexer;
  readonly #calls: FilteredCalls;
  readonly #onFault: (error: unknown) => void;

  /** `onFault` is told why the newest calls may be missing. */
  constructor({ config, home }: Settings, filter: AuditFilter, onFault: (error: unknown) => void) {
    const { file, files } = config.audit;
    this.#database = openDatabase({ home, url: config.database });
    this.#store = openEventStore({ database: this.#database, home });
    const index = openAuditStore({ database: this.#database, home });
    this.#indexer = new AuditIndexer({ index, file: auditFileOf(file, home), files });
    this.#calls = new FilteredCalls(index, filter);
    this.#onFault = onFault;
  }

  /** Returns the lines of the calls since a time in milliseconds since 1970, newest last. */
  async since(time: number): Promise<readonly string[]> {
    await this.#index();
    return this.#calls.since(time);
  }

  /** The same, and then what is called later, as it comes: some at a time, forever. */
  async *follow(time: number): AsyncGenerator<readonly string[]> {
    await this.#index();
    let last = (await this.#store.newest({ kind: 'audit' }, 1))[0];
    let known = new Set((await this.#storedAfter((last?.id ?? 0) - LATE_IDS)).map(keyOf));
    yield await this.#calls.since(time);
    for (;;) {
      await pause(FOLLOW_EVERY_MS);
      await this.#index();
      let stored = await this.#storedAfter((last?.id ?? 0) - LATE_IDS);
      if (last !== undefined && !stored.some((event) => keyOf(event) === keyOf(last!))) {
        // Another database took the place of this one, and counts from the start; or old events were removed.
        const since = last.at - OVERLAP_MS;
        stored = (await this.#storedAfter(0)).filter(({ at }) => at >= since);
      }
      const fresh = stored.filter((event) => !known.has(keyOf(event)));
      known = new Set(stored.map(keyOf));
      last = stored.at(-1) ?? last;
      yield this.#calls.among(fresh);
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #index(): Promise<void> {
    try {
      await this.#indexer.run();
    } catch (error) {
      this.#onFault(error);
    }
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
