import { GatewayError } from '../../core/errors.ts';
import type { ClientAsk, WithdrawAsk } from '../../core/providers/provider.ts';
import type { Bytes } from '../../wire/bytes.ts';
import type { NotificationMessage, ResponseMessage } from '../../wire/message.ts';
import { ClientAsks } from '../client-asks.ts';
import type { Exchange } from '../exchange.ts';
import { askInRule } from '../roots/asked-roots.ts';
import type { LegacyIntroduction } from './introduction.ts';
import type { ClientLogLevel } from './log-level.ts';

export interface QuestionsOptions {
  readonly introduction: LegacyIntroduction;
  readonly logLevel: ClientLogLevel;
  /** Sends what belongs to no request of the client. */
  readonly output: (bytes: Bytes) => void;
  /** Returns whether that reaches the client now. */
  readonly isListening: () => boolean;
}

/** Questions of upstreams to one legacy client, and its answers. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #asks = new ClientAsks();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /**
   * Asks the client on the exchange of the call that the question belongs to; if there is none, or it takes only answers,
   * on the client's own output.
   */
  ask(ask: ClientAsk, exchange?: Exchange): WithdrawAsk {
    const { introduction, logLevel, isListening } = this.#options;
    const isOneWay = exchange?.takesOnlyAnswers === true;
    if (isOneWay && !isListening()) {
      const how = 'it accepts no event stream (text/event-stream), and has none open by GET';
      ask.onFailure(new GatewayError('CAPABILITY_MISSING', `The client cannot be asked: ${how}`));
      return () => undefined;
    }
    const output = exchange === undefined || isOneWay ? this.#options.output : (bytes: Bytes) => exchange.send(bytes);
    return askInRule(ask, {
      rule: introduction.facts.folderRule,
      tell: (message) => logLevel.wants(message) && output(message.frame.bytes()),
      send: (checked) => this.#asks.send(checked, introduction.capabilities, output),
    });
  }

  /** Takes an answer of the client. Returns false for one to nothing that is open. */
  onResponse(message: ResponseMessage): boolean {
    return this.#asks.onResponse(message);
  }

  /** Takes the client's progress with a question. */
  onProgress(message: NotificationMessage): void {
    this.#asks.onProgress(message);
  }

  /** Fails all questions: the client has gone. */
  end(): void {
    this.#asks.end();
  }
}
