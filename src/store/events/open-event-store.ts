import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  EventCount,
  EventGroup,
  EventKind,
  EventPlace,
  EventQuery,
  EventStore,
  NewEvent,
  PlacedEvent,
} from '../../core/stores/event-store.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { UnderWay } from '../database/under-way.ts';
import { thisMachine } from '../this-machine.ts';
import { isClockTrusted } from './clock-trust.ts';

/** The statements come with the builder of queries, which a gateway does not need until its first call has been answered. */
type Work<T> = (engine: Engine, rows: typeof import('./event-rows.ts')) => Promise<T>;

/** Others may work between two steps of a long removal, each of which takes some milliseconds. */
const PRUNED_AT_ONCE = 500;

export interface EventStoreOptions {
  readonly database: Database;
  /** `$VIADUCT_HOME`, which knows the machine. */
  readonly home: string;
}

/** Returns the events in a database. Closing the store leaves the database open: it belongs to the caller. */
export function openEventStore(options: EventStoreOptions): EventStore {
  return new DatabaseEvents(options);
}

class DatabaseEvents implements EventStore {
  readonly #database: Database;
  readonly #home: string;
  readonly #underWay = new UnderWay();
  readonly #closing = new AbortController();

  #machine: string | undefined;

  constructor({ database, home }: EventStoreOptions) {
    this.#database = database;
    this.#home = home;
  }

  async add(events: readonly NewEvent[]): Promise<number> {
    if (events.length === 0) return 0;
    return this.#write(async ({ queries }, { insertEvents }) =>
      queries.transaction().execute((transaction) => insertEvents(transaction, this.#here(), events)),
    );
  }

  countBy(group: EventGroup, query: EventQuery): Promise<readonly EventCount[]> {
    return this.#read((engine, { countInSlices }) => countInSlices(engine, group, query));
  }

  newest(query: EventQuery, limit: number, before?: EventPlace): Promise<readonly PlacedEvent[]> {
    return this.#read((engine, { pageInSlices }) =>
      pageInSlices(engine, query, { order: 'newest', limit, from: before }),
    );
  }

  oldest(query: EventQuery, limit: number, after?: EventPlace): Promise<readonly PlacedEvent[]> {
    return this.#read((engine, { pageInSlices }) =>
      pageInSlices(engine, query, { order: 'oldest', limit, from: after }),
    );
  }

  after(kind: EventKind, id: number, limit: number): Promise<readonly PlacedEvent[]> {
    return this.#run(({ queries }, { eventsAfter }) => eventsAfter(queries, { kind, id, limit }));
  }

  async expire(kind: EventKind, keepMs: number, now = Date.now()): Promise<number> {
    return isClockTrusted(this.#home, now) ? this.prune(kind, now - keepMs) : 0;
  }

  async prune(kind: EventKind, olderThan: number): Promise<number> {
    const { signal } = this.#closing;
    let removed = 0;
    for (;;) {
      const step = await this.#write(({ queries, kind: engine }, { deleteOlder }) =>
        // A file of SQLite belongs to one home alone. What is in it is ours, even if the home was on another machine before.
        deleteOlder(queries, {
          kind,
          olderThan,
          machine: engine === 'sqlite' ? undefined : this.#here(),
          limit: PRUNED_AT_ONCE,
        }),
      );
      removed += step;
      if (step < PRUNED_AT_ONCE || signal.aborted) break;
      await nextTurn();
    }
    // Room that stays unused is no failure of what was asked.
    if (removed > 0) await this.#write((engine) => engine.shrink(signal)).catch(() => undefined);
    return removed;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#underWay.end();
  }

  #here(): string {
    this.#machine ??= thisMachine(this.#home).id;
    return this.#machine;
  }

  #run<T>(work: Work<T>): Promise<T> {
    return this.#database.run(async (engine) => work(engine, await import('./event-rows.ts')));
  }

  #read<T>(work: (engine: Engine, reading: typeof import('./read-in-slices.ts')) => Promise<T>): Promise<T> {
    return this.#database.run(async (engine) => work(engine, await import('./read-in-slices.ts')));
  }

  #write<T>(work: Work<T>): Promise<T> {
    return this.#underWay.add(this.#run(work));
  }
}
