import type {
  AuditCalls,
  AuditIndex,
  AuditRow,
  CallFilter,
  FoundCalls,
  IndexedPart,
} from '../../core/stores/audit-store.ts';
import type { EventPlace } from '../../core/stores/event-store.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { thisMachine } from '../this-machine.ts';
import type { EventStoreOptions } from './open-event-store.ts';

type Work<T> = (engine: Engine, rows: typeof import('./audit-rows.ts')) => Promise<T>;

/** Returns the index of the audit in a database, which belongs to the caller. */
export function openAuditStore(options: EventStoreOptions): AuditIndex & AuditCalls {
  return new DatabaseAudit(options);
}

class DatabaseAudit implements AuditIndex, AuditCalls {
  readonly #database: Database;
  readonly #home: string;
  #machine: string | undefined;

  constructor({ database, home }: EventStoreOptions) {
    this.#database = database;
    this.#home = home;
  }

  indexedPart(id: string): Promise<IndexedPart | undefined> {
    return this.#run(({ queries }, { indexedPartOf }) => indexedPartOf(queries, id));
  }

  add(id: string, from: IndexedPart, to: number, lines: readonly AuditRow[]): Promise<void> {
    return this.#run(({ queries, kind }, { insertLines, moveOn }) =>
      queries.transaction().execute(async (transaction) => {
        const file = { id, machine: this.#here() };
        if (!(await moveOn(transaction, file, from, { ...from, to }))) return;
        await insertLines(transaction, kind, { ...file, losses: from.losses }, lines);
      }),
    );
  }

  async cut(id: string, from: IndexedPart, to: number): Promise<void> {
    await this.#run(({ queries }, { moveOn }) =>
      moveOn(queries, { id, machine: this.#here() }, from, { to, losses: from.losses + 1 }),
    );
  }

  storedUntil(at: number): Promise<number | undefined> {
    return this.#run(({ queries, kind }, { newestWithoutKey }) =>
      newestWithoutKey(queries, at, kind === 'sqlite' ? undefined : this.#here()),
    );
  }

  names(column: 'tool' | 'client', since: number): Promise<readonly string[]> {
    return this.#run(({ queries }, { namesSince }) => namesSince(queries, column === 'tool' ? 'type' : 'agent', since));
  }

  find(filter: CallFilter, limit: number, before?: EventPlace): Promise<FoundCalls> {
    return this.#run(({ queries, kind }, { findCalls }) => findCalls(queries, kind, filter, { limit, before }));
  }

  #here(): string {
    this.#machine ??= thisMachine(this.#home).id;
    return this.#machine;
  }

  #run<T>(work: Work<T>): Promise<T> {
    return this.#database.run(async (engine) => work(engine, await import('./audit-rows.ts')));
  }
}
