import type { Frame } from '../../wire/frame.ts';
import type { NotificationMessage } from '../../wire/message.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { GatewayError } from '../errors.ts';
import type { Caller, ClientAsk, ClientFacts, WithdrawAsk } from './provider.ts';

/** The parts of a caller that receive what a call says before its outcome, and say whose call it is. */
export type ForwardTarget = Pick<Caller, 'sessionId' | 'client' | 'onProgress' | 'onNotification' | 'whenRoom'>;

/**
 * A caller that passes on unchanged what a call says before its outcome. Its class decides what happens with the outcome and
 * with questions. It is a base class because every call has such callers: a wrapper would be one more object a call.
 */
export abstract class ForwardingCaller<Target extends ForwardTarget> implements Caller {
  protected readonly target: Target;

  constructor(target: Target) {
    this.target = target;
  }

  get sessionId(): string {
    return this.target.sessionId;
  }

  get client(): ClientFacts {
    return this.target.client;
  }

  onProgress(frame: Frame, token: Span): void {
    this.target.onProgress(frame, token);
  }

  onNotification(message: NotificationMessage): void {
    this.target.onNotification(message);
  }

  whenRoom(): Promise<void> | undefined {
    return this.target.whenRoom?.();
  }

  abstract onReply(reply: Reply): void;
  abstract onFailure(error: GatewayError): void;
  abstract ask(ask: ClientAsk): WithdrawAsk;
}
