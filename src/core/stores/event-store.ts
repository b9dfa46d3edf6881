/** The kinds of events: calls, and what agents record of their work. */
export type EventKind = 'audit' | 'metric';

/** An event at one time. */
export interface StoredEvent {
  readonly kind: EventKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The type of a metric; the tool of a call. */
  readonly type: string;
  readonly agent?: string | undefined;
  readonly repo?: string | undefined;
  readonly session?: string | undefined;
  /** The rest of the event: the JSON text of an object. */
  readonly body: string;
}

export interface NewEvent extends StoredEvent {
  /** The second of two events with the same key is left out, so what is imported twice is stored once. */
  readonly key?: string | undefined;
}

export interface EventQuery {
  readonly kind: EventKind;
  /** The start of the time range (inclusive) and its end (exclusive), in milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only events of these repositories, of which a statement takes 1,000 at most. */
  readonly repos?: readonly string[] | undefined;
  /** Only events of these types, of which a statement takes 1,000 at most. */
  readonly types?: readonly string[] | undefined;
  /** Only events of this session. */
  readonly session?: string | undefined;
}

/** The fields by which events can be counted. */
export type EventGroup = 'type' | 'repo' | 'agent';

export interface EventCount {
  readonly key: string;
  readonly count: number;
}

/** Events in the database, of all processes that use it. */
export interface EventStore {
  /** Adds all or none, in one transaction. Returns how many were new. @throws GatewayError of the store */
  add(events: readonly NewEvent[]): Promise<number>;
  /** The most frequent first; events without the member are left out. */
  countBy(group: EventGroup, query: EventQuery): Promise<readonly EventCount[]>;
  /** Returns at most this many, the newest first; `before` continues where an earlier answer ended. */
  newest(query: EventQuery, limit: number, before?: EventPlace): Promise<readonly PlacedEvent[]>;
  /** Returns at most this many, the oldest first; `after` continues where an earlier answer ended. */
  oldest(query: EventQuery, limit: number, after?: EventPlace): Promise<readonly PlacedEvent[]>;
  /** Returns events stored after the one with this id (0 for all), in the order of their ids, at most this many. */
  after(kind: EventKind, id: number, limit: number): Promise<readonly PlacedEvent[]>;
  /**
   * Removes the events that this machine has added and that are older than a time, in milliseconds since 1970. Returns
   * the number of removed events. In a SQLite file all events count as this machine's. In PostgreSQL, events from
   * before machines were recorded belong to no machine and stay. Ends early when the store is closed.
   */
  prune(kind: EventKind, olderThan: number): Promise<number>;
  /**
   * Prunes what is older than it is kept, in milliseconds. Removes nothing while the clock may be wrong: it has jumped ahead,
   * or has not been watched for a day.
   */
  expire(kind: EventKind, keepMs: number, now?: number): Promise<number>;
  /** Closes the store. Waits for operations that are under way. */
  close(): Promise<void>;
}

/** The position of an event among the others: later ones have a greater id. */
export interface EventPlace {
  readonly at: number;
  readonly id: number;
}

export interface PlacedEvent extends StoredEvent, EventPlace {}
