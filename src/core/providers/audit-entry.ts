import type { AuditLevel } from './audit-level.ts';

/** `refused` before anything happened: by a policy, by a schema, or because nothing of that name is there for this client. */
export type AuditOutcome = 'ok' | 'tool-error' | 'error' | 'refused' | 'cancelled';

/** The caller's identity: the same object for many calls. */
export interface AuditSubject {
  readonly session: string;
  /** The client's name, as it gives it. */
  readonly client?: string | undefined;
  /** The principal that it has proved to be, if it had to. */
  readonly principal?: string | undefined;
  readonly method: string;
  /** Public name of the tool or prompt; uri of the resource. */
  readonly tool: string;
  readonly provider?: string | undefined;
  readonly level: AuditLevel;
}

/** The outcome of one call. */
export interface AuditedFacts {
  /** Digest of the arguments, or their redacted JSON. */
  readonly arguments?: string | undefined;
  readonly outcome: AuditOutcome;
  /** The gateway's own code, or the number of a JSON-RPC error. */
  readonly code?: string | number | undefined;
  readonly durationMs: number;
}

/** A line of the audit. */
export interface AuditEntry extends AuditSubject, AuditedFacts {
  /** ISO 8601, with milliseconds. */
  readonly at: string;
}
