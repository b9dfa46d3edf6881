import type { CallText } from '../../wire/edits/call-text.ts';
import type { Reply } from '../../wire/reply.ts';
import type { GatewayError } from '../errors.ts';
import type { ClientFacts, Descriptor, Provider } from './provider.ts';

/** A call that has ended. It does not change from now on. */
export interface EndedCall {
  readonly text: CallText;
  readonly client: ClientFacts;
  /** The provider that it was for; `undefined` if no provider offers the name. */
  readonly provider: Provider | undefined;
  readonly descriptor: Descriptor | undefined;
  /** The time when it came, in milliseconds since 1970, and how long it took. */
  readonly at: number;
  readonly durationMs: number;
  /** The result: the answer, the failure, or that the call was cancelled. */
  readonly ending: Reply | GatewayError | 'cancelled';
  /** Gives the answer to the client. */
  deliver(): void;
}

/** Receives every call that has ended, and has it delivered within the turn. Never throws. */
export interface CallAudit {
  /** True if it is on. Calls that begin while it is off are not watched at all. */
  readonly isOn: boolean;
  onCallEnded(call: EndedCall): void;
}
