import type { ClientAsk, ClientSession, Provider, WithdrawAsk } from '../../core/providers/provider.ts';
import { stringEdits } from '../../wire/edits/call-text.ts';
import type { Frame } from '../../wire/frame.ts';
import type { NotificationMessage } from '../../wire/message.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { ClientSubscriptions } from '../subscriptions/client-subscriptions.ts';
import type { Questions, QuestionsOptions } from './questions.ts';

export interface MailboxOptions extends Pick<QuestionsOptions, 'output' | 'isListening' | 'logLevel'> {
  readonly sessionId: string;
  readonly questions: Questions;
  readonly subscriptions: ClientSubscriptions;
}

/** A legacy client as providers see it outside of calls: takes what they send or ask that belongs to no call. */
export class Mailbox implements ClientSession {
  readonly sessionId: string;
  readonly #options: MailboxOptions;

  constructor(options: MailboxOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#options.isListening();
  }

  ask(ask: ClientAsk): WithdrawAsk {
    return this.#options.questions.ask(ask);
  }

  onNotification(message: NotificationMessage): void {
    if (this.#options.logLevel.wants(message)) this.#options.output(message.frame.bytes());
  }

  onTaskChanged(message: NotificationMessage): void {
    this.onNotification(message);
  }

  onResourceUpdated(uri: string, frame: Frame, uriSpan: Span): void {
    this.#options.output(frame.splice(stringEdits(frame, uriSpan, uri)));
  }

  onSubscriptionsLost(provider: Provider): void {
    this.#options.subscriptions.onLost(provider);
  }
}
