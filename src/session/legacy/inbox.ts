import { toGatewayError } from '../../core/errors.ts';
import { readCallText } from '../../wire/edits/call-text.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import { lastMember, rawText } from '../../wire/lens.ts';
import { type Message, type NotificationMessage, paramsOf, type RequestMessage } from '../../wire/message.ts';
import { errorReply, type Reply } from '../../wire/reply.ts';
import type { Exchange } from '../exchange.ts';
import { failureReply } from '../failure.ts';
import { type LocalAsker, localAnswer } from '../local/local-answer.ts';
import { PROVIDER_METHODS } from '../local/local-methods.ts';
import type { OpenCalls } from './open-calls.ts';
import type { Questions } from './questions.ts';

const BAD_PARAMS = { code: -32602, message: 'Invalid params' };
const AMBIGUOUS = { code: -32600, message: 'Invalid request' };

export interface InboxOptions extends LocalAsker {
  readonly calls: OpenCalls;
  readonly questions: Questions;
  /** The client has finished its handshake; may be called again. */
  readonly onInitialized: () => void;
}

/** Takes the messages of a legacy client and passes each on to what it is for. */
export class Inbox {
  readonly #options: InboxOptions;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Takes one message. The answer, and what else belongs to it, goes to `exchange`. Never throws. */
  onMessage(message: Message, exchange: Exchange): void {
    try {
      this.#dispatch(message, exchange);
    } catch (error) {
      if (error instanceof JsonTextError && message.kind === 'request') {
        const parseError = { code: -32700, message: `Parse error: ${error.message}` };
        exchange.reply(errorReply(parseError).withId(message.id));
        return;
      }
      this.#options.client.host.log.error({ error }, 'a fault of the gateway while it handled a message');
      if (message.kind === 'request')
        exchange.reply(failureReply(message.method, toGatewayError(error)).withId(message.id));
    }
  }

  #dispatch(message: Message, exchange: Exchange): void {
    const { questions, client } = this.#options;
    switch (message.kind) {
      case 'request':
        this.#onRequest(message, exchange);
        break;
      case 'notification':
        this.#onNotification(message);
        break;
      case 'response':
        if (!questions.onResponse(message))
          client.host.log.debug({ id: message.id }, 'an answer to nothing that was asked');
        break;
      case 'invalid':
        exchange.reply(
          errorReply({ code: -32600, message: `Invalid request: ${message.reason}` }).withId(message.id ?? 'null'),
        );
    }
  }

  #onRequest(message: RequestMessage, exchange: Exchange): void {
    const outcome = PROVIDER_METHODS.has(message.method)
      ? this.#callProvider(message, exchange)
      : localAnswer(message, this.#options);
    if (outcome === undefined) return;
    if (outcome instanceof Promise) void outcome.then((reply) => exchange.reply(reply.withId(message.id)));
    else exchange.reply(outcome.withId(message.id));
  }

  /** Returns the answer to a call that is refused. */
  #callProvider(message: RequestMessage, exchange: Exchange): Reply | undefined {
    const text = readCallText(message);
    if (!('problem' in text)) return this.#options.calls.begin(text, exchange);
    const error = text.isAmbiguous === true ? AMBIGUOUS : BAD_PARAMS;
    return errorReply({ code: error.code, message: `${error.message} for ${message.method}: ${text.problem}` });
  }

  #onNotification(message: NotificationMessage): void {
    const { client, questions, onInitialized } = this.#options;
    switch (message.method) {
      case 'notifications/initialized':
        onInitialized();
        break;
      case 'notifications/cancelled':
        this.#onCancelled(message);
        break;
      case 'notifications/progress':
        questions.onProgress(message);
        break;
      case 'notifications/roots/list_changed':
        for (const provider of client.host.catalogue.providers) provider.onRootsChanged?.(client.id);
        break;
      default:
        client.host.log.debug({ method: message.method }, 'a notification that means nothing to the gateway');
    }
  }

  #onCancelled(message: NotificationMessage): void {
    const { text } = message.frame;
    const params = paramsOf(message);
    const id = lastMember(params, 'requestId');
    const reason = lastMember(params, 'reason');
    if (id === undefined) return;
    this.#options.calls.cancel(rawText(text, id), reason === undefined ? undefined : rawText(text, reason));
  }
}
