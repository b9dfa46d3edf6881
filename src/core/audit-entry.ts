import type { AuditLevel } from './call-audit.ts';

/** `refused` before anything happened: by a policy, by a schema, or because nothing of that name is there for this client. */
export type AuditOutcome = 'ok' | 'tool-error' | 'error' | 'refused' | 'cancelled';

/** One line of the audit. The members stand in this order in its file. */
export interface AuditEntry {
  /** ISO 8601, with milliseconds. */
  readonly at: string;
  readonly session: string;
  /** As the client calls itself. */
  readonly client?: string | undefined;
  /** Who it has proved to be, where it had to. */
  readonly principal?: string | undefined;
  readonly method: string;
  /** Public name of the tool or prompt; uri of the resource. */
  readonly tool: string;
  readonly provider?: string | undefined;
  readonly level: AuditLevel;
  /** Digest of the arguments, or their redacted JSON. */
  readonly arguments?: string | undefined;
  readonly outcome: AuditOutcome;
  /** The gateway's own code, or the number of a JSON-RPC error. */
  readonly code?: string | number | undefined;
  readonly durationMs: number;
}
