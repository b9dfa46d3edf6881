import type { AuditLevel } from '../providers/audit-level.ts';
import type { EventPlace } from './event-store.ts';

/** A line of a file of the audit, as a row of the index. */
export interface AuditRow {
  /** The place of the line in its file, in bytes. */
  readonly offset: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tool: string;
  readonly client: string | undefined;
  readonly session: string;
  readonly level: string;
  readonly outcome: string;
  /** The other members of the line: the JSON text of an object. */
  readonly body: string;
}

/** The part of a file that is in the index. */
export interface IndexedPart {
  /** The end of the part, in bytes. */
  readonly to: number;
  /** How often the file has lost its end: after that, offsets come twice. */
  readonly losses: number;
}

/** The index as the one who fills it needs it. Any number of processes may fill it at once. */
export interface AuditIndex {
  /** Returns the part of a file that is indexed; `undefined` if nothing is known of the file. */
  indexedPart(id: string): Promise<IndexedPart | undefined>;
  /**
   * Adds the lines behind an indexed part, up to `to`, unless another process has changed that part. All or nothing, in
   * one transaction. @throws GatewayError of the store
   */
  add(id: string, from: IndexedPart, to: number, rows: readonly AuditRow[]): Promise<void>;
  /** Notes that a file has become shorter than what was indexed of it. */
  cut(id: string, from: IndexedPart, to: number): Promise<void>;
  /**
   * Returns the time of the newest call since `at` that an earlier version of Viaduct has stored by itself; `undefined`
   * if there is none.
   */
  storedUntil(at: number): Promise<number | undefined>;
}

/** The calls that are asked for. */
export interface CallFilter {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Only these tools, prompts and URIs. */
  readonly tools?: readonly string[] | undefined;
  /** Only clients of these names. */
  readonly clients?: readonly string[] | undefined;
  /** The first characters of the session's id. */
  readonly session?: string | undefined;
  readonly level?: AuditLevel | undefined;
  /** Only calls that did not succeed. */
  readonly failed?: boolean | undefined;
}

/** The calls in the index. */
export interface AuditCalls {
  /** Returns the different names of tools, or of clients, in calls since a time. */
  names(column: 'tool' | 'client', since: number): Promise<readonly string[]>;
  /** Returns at most this many calls, the newest first; `before` continues where an earlier answer ended. */
  find(filter: CallFilter, limit: number, before?: EventPlace): Promise<FoundCalls>;
}

export interface FoundCalls {
  /** The calls as lines of the audit's files: to take each row apart would cost more than to find it. */
  readonly lines: readonly string[];
  /** The place of the last one. */
  readonly last: EventPlace | undefined;
}
