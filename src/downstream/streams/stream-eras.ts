import { claimsModern, readEnvelope } from '../../era/modern/envelope.ts';
import type { Exchange } from '../../session/exchange.ts';
import type { ModernClient } from '../../session/modern/modern-client.ts';
import { OpenRequests } from '../../session/open-requests.ts';
import type { Session } from '../../session/session.ts';
import { type Message, paramsOf, type RequestMessage } from '../../wire/message.ts';
import { errorReply } from '../../wire/reply.ts';

export interface StreamErasOptions {
  /** The way of answers. */
  readonly exchange: Exchange;
  readonly openSession: () => Session;
  readonly openModern: () => ModernClient;
}

/**
 * Gives the messages of one stream to a client of their era. The opening tells it: from `initialize` on it is a legacy client, until
 * then each request tells its own.
 */
export class StreamEras {
  readonly #options: StreamErasOptions;
  readonly #openRequests = new OpenRequests();
  /** The way of answers in the legacy era. */
  readonly #counted: Exchange;
  #session: Session | undefined;
  #modern: ModernClient | undefined;
  #isLegacy = false;
  /** Number of legacy requests that are not answered yet, including those that the gateway answers itself. */
  #unanswered = 0;

  constructor(options: StreamErasOptions) {
    this.#options = options;
    const { exchange } = options;
    const onAnswered = () => void this.#unanswered--;
    this.#counted = {
      ...exchange,
      reply: (bytes) => {
        onAnswered();
        exchange.reply(bytes);
      },
      abandon: onAnswered,
    };
  }

  /** True if its messages may come in batches. */
  get allowsBatches(): boolean {
    return this.#session?.introduction.allowsBatches === true;
  }

  /** Calls of the client that are not answered yet. */
  get openCalls(): number {
    return (this.#session?.openCalls ?? 0) + (this.#modern?.openCalls ?? 0);
  }

  /** True if a request, call or not, is waiting for its response. */
  get isWaitedFor(): boolean {
    return this.openCalls > 0 || this.#unanswered > 0;
  }

  onMessage(message: Message): void {
    if (!this.#isLegacy && this.#onModern(message)) return;
    if (message.kind === 'request' || message.kind === 'invalid') this.#unanswered++;
    // Made when first needed: a client of the other era never has one.
    this.#session ??= this.#options.openSession();
    this.#session.onMessage(message, this.#counted);
  }

  /** Ends what the client has begun: it has gone. */
  end(): void {
    this.#session?.end();
    this.#modern?.end();
  }

  /** Takes a message of a client that has not said `initialize`. Returns false for what belongs to the legacy era. */
  #onModern(message: Message): boolean {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      return this.#openRequests.onCancelled(message);
    if (message.kind !== 'request') return false;
    const { frame } = message;
    const params = paramsOf(message);
    if (!claimsModern(frame, params)) {
      this.#isLegacy = message.method === 'initialize';
      if (this.#isLegacy || this.#modern === undefined) return false;
    }
    this.#modern ??= this.#options.openModern();
    this.#serveModern(message, this.#modern, readEnvelope(frame, params));
    return true;
  }

  #serveModern(message: RequestMessage, modern: ModernClient, envelope: ReturnType<typeof readEnvelope>): void {
    const { exchange } = this.#options;
    if ('problem' in envelope) refuse(-32602, `Invalid params for ${message.method}: ${envelope.problem}`);
    else if (this.#openRequests.has(message)) {
      refuse(-32600, `Invalid request: the id ${message.id} is in use by a request that is not answered yet`);
    } else this.#openRequests.track(message, exchange, (tracked) => modern.onRequest(message, envelope, tracked));

    function refuse(code: number, problem: string): void {
      exchange.reply(errorReply({ code, message: problem }).withId(message.id));
    }
  }
}
