import type { CallText } from '../../wire/edits/call-text.ts';
import type { Reply } from '../../wire/reply.ts';
import type { GatewayError } from '../errors.ts';
import type { ClientFacts, Descriptor, Provider } from './provider.ts';

/** The level that the audit gives a call: `security` for calls that change or run something. */
export type AuditLevel = 'info' | 'security';

/** A call of which the client hears no more. Nobody changes it from now on. */
export interface EndedCall {
  readonly text: CallText;
  readonly client: ClientFacts;
  /** Whom it was for; absent where nobody offers what it names. */
  readonly provider: Provider | undefined;
  readonly descriptor: Descriptor | undefined;
  /** When it came, in milliseconds since 1970, and how long it took. */
  readonly at: number;
  readonly durationMs: number;
  /** The result: the answer, the failure, or that the call was cancelled. */
  readonly ending: Reply | GatewayError | 'cancelled';
}

/** Hears of every call that has ended. Whatever it makes of it happens later: the answer is not kept waiting. Never throws. */
export interface CallAudit {
  /** Calls that begin while it is off are not watched at all. */
  readonly isOn: boolean;
  onCallEnded(call: EndedCall): void;
}
